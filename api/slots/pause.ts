import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import type { OwnProduct } from '../products/own.ts';
import { lockProduct } from '../queue/move.ts';
import { pausedEndSeconds, resumeFallbackSeconds, slotState } from './rules.ts';

export type Occupied = { slot: typeof schema.slots.$inferSelect & { endTime: Date }; product: OwnProduct; suspended: boolean };

/**
 * Locks a slot with the product that the admin saw in it, in the one order that all of these verbs and process-queue keep: lane,
 * product, seller, slot. Refuses `slots.notFound`, `slots.empty`, `slots.changed` when another product is in it now.
 */
export async function lockOccupied(tx: Ctx, slotId: number, productId: string): Promise<Occupied> {
  const { slots } = schema;
  const locked = await lockProduct(tx, productId).catch((error: unknown) => {
    // No such product: the slot itself says why, below.
    if (error instanceof Refusal && error.code === 'queue.notFound') return undefined;
    throw error;
  });
  const [slot] = await tx.db.select().from(slots).where(eq(slots.id, slotId)).for('update');
  if (!slot) throw new Refusal('slots.notFound');
  const { endTime } = slot;
  if (!slot.active || !endTime) throw new Refusal('slots.empty');
  if (!locked || slot.productId !== productId) throw new Refusal('slots.changed');
  return { slot: { ...slot, endTime }, ...locked };
}

/** The seconds that a listing has left: what a paused slot keeps, or the time to its end; 0 when it is up. */
export function secondsLeft({ slot, product }: Pick<Occupied, 'slot' | 'product'>, now: Date): number {
  if (slot.pausedAt) return slot.remainingDuration || product.durationSeconds || resumeFallbackSeconds;
  return Math.max(0, Math.ceil((slot.endTime.getTime() - now.getTime()) / 1000));
}

/**
 * Pauses a slot (product §4, product R7): the time left is kept, the end is pushed about a hundred years ahead, and the public no
 * longer sees it. Refuses as {@link lockOccupied} does, `slots.paused`, and `slots.expired` when there is no time left to keep.
 */
export async function pauseSlot(ctx: Ctx, slotId: number, productId: string): Promise<{ slotId: number; remainingSeconds: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots } = schema;
    const occupied = await lockOccupied(tx, slotId, productId);
    const { slot } = occupied;
    const now = tx.now();
    if (slot.pausedAt) throw new Refusal('slots.paused');
    if (slotState(slot, now) === 'expired') throw new Refusal('slots.expired');
    const remainingSeconds = secondsLeft(occupied, now);
    await tx.db
      .update(slots)
      .set({
        pausedAt: now,
        pausedBy: 'admin',
        remainingDuration: remainingSeconds,
        endTime: new Date(now.getTime() + pausedEndSeconds * 1000),
        updatedAt: now,
      })
      .where(eq(slots.id, slotId));
    await audit(tx, {
      action: 'slot.pause',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: { productId, endTime: slot.endTime.toISOString() },
      after: { productId, pausedAt: now.toISOString(), remainingSeconds },
    });
    return { slotId, remainingSeconds };
  });
}

/**
 * Resumes a paused slot: it ends after the time it had left, else after the product's duration, else after a day (product §4).
 * Refuses as {@link lockOccupied} does, `slots.notPaused`, and `sellers.suspended` as long as the seller is (product R20).
 */
export async function resumeSlot(ctx: Ctx, slotId: number, productId: string): Promise<{ slotId: number; endTime: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots } = schema;
    const occupied = await lockOccupied(tx, slotId, productId);
    const { slot, suspended } = occupied;
    if (!slot.pausedAt) throw new Refusal('slots.notPaused');
    if (suspended) throw new Refusal('sellers.suspended');
    const now = tx.now();
    const endTime = new Date(now.getTime() + secondsLeft(occupied, now) * 1000);
    await tx.db.update(slots).set({ pausedAt: null, pausedBy: null, remainingDuration: null, endTime, updatedAt: now }).where(eq(slots.id, slotId));
    await audit(tx, {
      action: 'slot.resume',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: { productId, pausedAt: slot.pausedAt.toISOString(), pausedBy: slot.pausedBy, remainingSeconds: slot.remainingDuration },
      after: { productId, endTime: endTime.toISOString() },
    });
    return { slotId, endTime: endTime.toISOString() };
  });
}
