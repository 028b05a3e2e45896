import { and, asc, eq, getTableColumns, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { endOverdue } from '../listings/end.ts';
import { isLive } from '../listings/live.ts';
import { lockLanes } from '../listings/locks.ts';
import { record, spotsOf } from '../listings/log.ts';
import { pauseListing } from '../listings/pause.ts';
import { resumeListing } from '../listings/resume.ts';
import { notify } from '../people/notify.ts';

export type SellerRow = typeof schema.sellers.$inferSelect;
/** The seller's slots that a suspension paused, or that its end resumed. */
export type Suspended = { id: string; slotIds: number[] };

/**
 * Suspends a seller (product §4, product R20): felt with the next request, live slots paused with the time they have left, waiting
 * products kept in their place. The seller is told why. A slot that an admin has paused stays that admin's; a listing whose time is up
 * ends, as the next run of process-queue would end it. Refuses `sellers.notFound`, `conflict` when somebody was faster.
 */
export async function suspendSeller(
  ctx: Ctx,
  sellerId: string,
  reason: string,
): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const seller = await lockSeller(tx, sellerId);
    if (seller.suspended) throw tooLate(tx, 'suspended');
    const now = tx.now();
    const { sellers, products } = schema;
    await tx.db
      .update(sellers)
      .set({ suspended: true, suspendedReason: reason, suspendedAt: now, updatedAt: now })
      .where(eq(sellers.id, sellerId));
    await endOverdue(tx, eq(products.sellerId, sellerId));
    const live = await slotsOf(tx, sellerId, isLive(now));
    for (const { slot } of live) await pauseListing(tx, slot, 'suspension');
    await passOver(tx, sellerId, true);
    const slotIds = live.map(({ slot }) => slot.id);
    await audit(tx, {
      action: 'seller.suspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: false },
      after: { suspended: true, reason, pausedSlots: slotIds },
    });
    await notify(tx, { sellerId }, 'sellerSuspended', { reason });
    return { id: sellerId, slotIds };
  });
}

/** The occupied slots of a seller for which a condition holds, locked by number. */
async function slotsOf(tx: Ctx, sellerId: string, which: SQL) {
  const { slots, products } = schema;
  const rows = await tx.db
    .select({ slot: getTableColumns(slots), durationSeconds: products.durationSeconds })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .where(and(eq(products.sellerId, sellerId), which))
    .orderBy(asc(slots.id))
    .for('update', { of: slots });
  return rows.flatMap(({ slot, ...row }) =>
    slot.endTime ? [{ ...row, slot: { ...slot, endTime: slot.endTime } }] : [],
  );
}

/** Says in the queue's log that a seller's waiting products are passed over from now on, or no more. They keep their places (product R20). */
async function passOver(tx: Ctx, sellerId: string, held: boolean): Promise<void> {
  const { products } = schema;
  const own = await tx.db
    .select({ id: products.id })
    .from(products)
    .where(eq(products.sellerId, sellerId));
  const waiting = await spotsOf(
    tx,
    own.map(({ id }) => id),
  );
  for (const [queueName, items] of Map.groupBy(waiting, (item) => item.queueName))
    await record(
      tx,
      queueName,
      items.map(({ productId, band, position }) =>
        held
          ? { act: 'hold', reason: 'suspended', productId, from: { band, position } }
          : { act: 'release', reason: 'unsuspended', productId, to: { band, position } },
      ),
    );
}

/**
 * Lifts a suspension (product §4, product R20): exactly the slots that it paused go on, each with the time it had left; those that
 * an admin paused stay paused. The seller is told. Refuses `sellers.notFound`, `conflict` when the seller is not suspended.
 */
export async function unsuspendSeller(ctx: Ctx, sellerId: string): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const seller = await lockSeller(tx, sellerId);
    if (!seller.suspended) throw tooLate(tx, 'unsuspended');
    const now = tx.now();
    const { sellers, slots } = schema;
    await tx.db
      .update(sellers)
      .set({ suspended: false, suspendedReason: null, suspendedAt: null, updatedAt: now })
      .where(eq(sellers.id, sellerId));
    const paused = await slotsOf(tx, sellerId, eq(slots.pausedBy, 'suspension'));
    for (const { slot, durationSeconds } of paused)
      await resumeListing(tx, slot, { durationSeconds });
    await passOver(tx, sellerId, false);
    const slotIds = paused.map(({ slot }) => slot.id);
    await audit(tx, {
      action: 'seller.unsuspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: true, reason: seller.suspendedReason, since: seller.suspendedAt },
      after: { suspended: false, resumedSlots: slotIds },
    });
    await notify(tx, { sellerId }, 'sellerUnsuspended', {}, 'seller/dashboard');
    return { id: sellerId, slotIds };
  });
}

/** Locks a seller until the transaction ends; what needs the seller in good standing (approval, submission) waits. Refuses `sellers.notFound`. */
export async function lockSeller(tx: Ctx, sellerId: string): Promise<SellerRow> {
  const [seller] = await tx.db
    .select()
    .from(schema.sellers)
    .where(eq(schema.sellers.id, sellerId))
    .for('update');
  if (!seller) throw new Refusal('sellers.notFound');
  return seller;
}

/**
 * Locks a seller with all products, and the lanes ahead of them: nothing of theirs is listed, approved or submitted until the transaction
 * ends. Refuses `sellers.notFound`.
 */
export async function lockWithProducts(tx: Ctx, sellerId: string) {
  await lockLanes(tx);
  const { products } = schema;
  const lockProducts = () =>
    tx.db
      .select({ id: products.id, images: products.images, status: products.status })
      .from(products)
      .where(eq(products.sellerId, sellerId))
      .orderBy(asc(products.id))
      .for('update');
  // Products ahead of their seller, as an approval locks them, or the two would wait for each other; then those that came meanwhile.
  await lockProducts();
  const seller = await lockSeller(tx, sellerId);
  return { seller, owned: await lockProducts() };
}
