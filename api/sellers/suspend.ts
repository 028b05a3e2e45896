import { and, asc, eq, getTableColumns, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { endOverdue } from '../listings/end.ts';
import { isLive } from '../listings/live.ts';
import { lockLanes } from '../listings/locks.ts';
import { record, spotsOf } from '../listings/log.ts';
import { pauseListing } from '../listings/pause.ts';
import { resumeListing } from '../listings/resume.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';

export type SellerRow = typeof schema.sellers.$inferSelect;
export type Suspended = { id: string; slotIds: number[] };

/**
 * Suspends a seller (product §4, product R20): pauses live slots, keeps queue places, notifies with
 * the reason. A slot paused by an admin stays theirs; an overdue listing ends first. Refuses
 * `sellers.notFound`, `conflict` if already suspended.
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

/** Locks a seller's occupied slots that match, by number. */
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

/** Logs that waiting products are skipped, or no longer; they keep their places (product R20). */
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
 * Lifts a suspension (product §4, product R20): resumes exactly the slots that it paused, with
 * their remaining time, and notifies. Refuses `sellers.notFound`, `conflict` if not suspended.
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

/** Locks a seller, so that approvals and submissions wait. Refuses `sellers.notFound`. */
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
 * Locks lanes, products and the seller: nothing is listed, approved or submitted meanwhile. Refuses
 * `sellers.notFound`.
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
  // Products before the seller, as an approval locks them, to avoid a deadlock; then those added
  // meanwhile.
  await lockProducts();
  const seller = await lockSeller(tx, sellerId);
  return { seller, owned: await lockProducts() };
}
