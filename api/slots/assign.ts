import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { dayAndTime } from '../core/format.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { recipientsOf } from '../products/recipients.ts';
import { laneOf } from '../products/rules.ts';
import { expectWaiting, lockItem, lockProduct } from '../queue/move.ts';
import { fallbackDurationSeconds, manualDurationSeconds, premiumCount, slotNumber } from './rules.ts';

export type Assigned = { slotId: number; productId: string; endTime: string };
export type AssignWish = { productId: string; slotId?: number | undefined; duration?: 'manual' | 'own' };

/**
 * Gives a waiting product a slot by hand (product §4; product R4, R5): for 72 hours, or for the time that its seller chose (of a
 * listing that was put back into the queue: the time it had left). Without a number it takes the first inactive slot by id of the
 * product's lane. The product leaves its queue in the same transaction, and its seller is told. Refuses `queue.notFound`, `queue.alreadyAssigned`, `queue.notWaiting`, `sellers.suspended`, `slots.notFound`,
 * `slots.taken`, `queue.noneAvailable`, and `queue.laneFull` when only slots of the other lane are empty.
 */
export async function assignToSlot(ctx: Ctx, { productId, slotId, duration = 'manual' }: AssignWish): Promise<Assigned> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots, slotEngagement, queueItems, products } = schema;
    const { product, suspended } = await lockProduct(tx, productId);
    await expectWaiting(tx, product);
    if (suspended) throw new Refusal('sellers.suspended');
    const chosen = slotId === undefined ? await firstInactive(tx, laneOf(product.listingType)) : await lockInactive(tx, slotId);
    const now = tx.now();
    const own = (await lockItem(tx, productId))?.remainingSeconds ?? product.durationSeconds ?? fallbackDurationSeconds;
    const seconds = duration === 'manual' ? manualDurationSeconds : own;
    const endTime = new Date(now.getTime() + seconds * 1000);
    await tx.db.delete(queueItems).where(eq(queueItems.productId, productId));
    await tx.db.update(slots).set({ active: true, productId, startTime: now, endTime, updatedAt: now }).where(eq(slots.id, chosen));
    await tx.db.update(slotEngagement).set({ views: 0, clicks: 0, messageTaps: 0, shares: 0 }).where(eq(slotEngagement.slotId, chosen));
    await tx.db.update(products).set({ listingStartedAt: now, updatedAt: now }).where(eq(products.id, productId));
    await audit(tx, {
      action: 'slot.assign',
      subjectKind: 'slot',
      subjectId: String(chosen),
      before: { productId: null },
      after: { productId, duration, seconds, endTime: endTime.toISOString() },
    });
    for (const person of await recipientsOf(tx, [productId])) {
      await writeMail(tx, {
        to: person.email,
        name: person.name,
        language: person.language,
        kind: 'productLive',
        params: { product: nameIn(person.product.name, person.language), slot: slotNumber(chosen), end: dayAndTime(endTime, person.language) },
        link: `${tx.services.env.publicUrl}/${person.language}/shop/${chosen}/${person.product.slug}`,
        sellerId: person.sellerId,
      });
    }
    return { slotId: chosen, productId, endTime: endTime.toISOString() };
  });
}

async function lockInactive(tx: Ctx, slotId: number): Promise<number> {
  const { slots } = schema;
  const [slot] = await tx.db.select({ active: slots.active }).from(slots).where(eq(slots.id, slotId)).for('update');
  if (!slot) throw new Refusal('slots.notFound');
  if (slot.active) throw new Refusal('slots.taken');
  return slotId;
}

/** The first inactive slot by id of a lane, locked (product §7 “Select the first inactive slot by id”, product R5). */
async function firstInactive(tx: Ctx, queueName: 'queue:featured' | 'queue:regular'): Promise<number> {
  const { slots } = schema;
  const inLane = queueName === 'queue:featured' ? lte(slots.id, premiumCount) : gte(slots.id, premiumCount + 1);
  for (;;) {
    const inactive = and(inLane, eq(slots.active, false));
    const [slot] = await tx.db.select({ id: slots.id }).from(slots).where(inactive).orderBy(asc(slots.id)).limit(1).for('update');
    if (slot) return slot.id;
    // A chosen slot that somebody took while this waited for it is passed over; only a lane without any is full.
    const [left] = await tx.db
      .select({ any: sql<boolean>`count(*) > 0`, inLane: sql<boolean>`coalesce(bool_or(${inLane}), false)` })
      .from(slots)
      .where(eq(slots.active, false));
    if (!left?.inLane) throw new Refusal(left?.any ? 'queue.laneFull' : 'queue.noneAvailable');
  }
}
