import { eq, inArray } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

/** Empties slots and sets their engagement back to zero (product R9). Part of a transaction that also says what became of the products. */
export async function emptySlots(tx: Ctx, slotIds: readonly number[]): Promise<void> {
  if (slotIds.length === 0) return;
  const { slots, slotEngagement } = schema;
  await tx.db
    .update(slots)
    .set({ active: false, productId: null, startTime: null, endTime: null, pausedAt: null, pausedBy: null, remainingDuration: null, updatedAt: tx.now() })
    .where(inArray(slots.id, [...slotIds]));
  await tx.db
    .update(slotEngagement)
    .set({ views: 0, clicks: 0, messageTaps: 0, shares: 0 })
    .where(inArray(slotEngagement.slotId, [...slotIds]));
}

/** Takes a product out of wherever it waits or is shown; answers where it was. Part of a transaction that ends or removes the product. */
export async function takeOut(tx: Ctx, productId: string): Promise<{ slotId: number | null; wasQueued: boolean }> {
  const { slots, queueItems } = schema;
  const [slot] = await tx.db.select({ id: slots.id }).from(slots).where(eq(slots.productId, productId)).for('update');
  if (slot) await emptySlots(tx, [slot.id]);
  const queued = await tx.db.delete(queueItems).where(eq(queueItems.productId, productId)).returning({ id: queueItems.id });
  return { slotId: slot?.id ?? null, wasQueued: queued.length > 0 };
}
