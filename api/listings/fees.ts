import { and, asc, desc, eq, exists, isNotNull, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import type { FeeState } from './schema.ts';

export type SeenFee = { state: FeeState; reference: string | null };
export type Fee = { id: string; feeState: FeeState; feeMarkedAt: string | null };

/**
 * Marks a listing's fee (product R31). Refuses `products.notFound`, also if no fee was tracked, and
 * `conflict` if another admin or a payment marked it, or a refund has no payment.
 */
export async function markFee(
  ctx: Ctx,
  listingId: string,
  state: FeeState,
  seen?: SeenFee,
): Promise<Fee> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { listings } = schema;
    const [listing] = await tx.db
      .select()
      .from(listings)
      .where(eq(listings.id, listingId))
      .for('update');
    if (!listing?.feeState) throw new Refusal('products.notFound');
    const { productId, number, fee, feeReference: reference } = listing;
    if (seen && (seen.state !== listing.feeState || seen.reference !== reference))
      throw tooLate(tx, seen.state === listing.feeState ? 'changed' : listing.feeState);
    if (listing.feeState === state)
      return {
        id: listingId,
        feeState: state,
        feeMarkedAt: listing.feeMarkedAt?.toISOString() ?? null,
      };
    if (state === 'refunded' && listing.feeState !== 'paid') throw tooLate(tx, 'feeNotPaid');
    if (await isPaidOnline(tx, listing, state)) throw tooLate(tx, 'feePaidOnline');
    const feeMarkedAt = state === 'due' ? null : tx.now();
    await tx.db
      .update(listings)
      .set({
        feeState: state,
        feeMarkedAt,
        feeMarkedBy: state === 'due' ? null : userIdOf(tx.actor),
      })
      .where(eq(listings.id, listingId));
    await audit(tx, {
      action: 'product.fee',
      subjectKind: 'product',
      subjectId: productId,
      before: { feeState: listing.feeState },
      after: { feeState: state, fee, reference, listing: number },
    });
    return { id: listingId, feeState: state, feeMarkedAt: feeMarkedAt?.toISOString() ?? null };
  });
}

/**
 * True if a payment marked the fee, which only that payment's refund changes, or the fee would be due
 * although money for it is here.
 */
async function isPaidOnline(
  { db }: Ctx,
  { id, feeState, feeMarkedAt }: typeof schema.listings.$inferSelect,
  wanted: FeeState,
): Promise<boolean> {
  const { purchases: p } = schema;
  const payments = await db
    .select({ status: p.status, at: p.completedAt })
    .from(p)
    .where(and(eq(p.listingId, id), isNotNull(p.completedAt)));
  return payments.some(
    ({ status, at }) =>
      (feeState === 'paid' && at?.getTime() === feeMarkedAt?.getTime()) ||
      (wanted === 'due' && status !== 'refunded'),
  );
}

/**
 * Page of listings by fee state, newest first. Removed and deleted products count in `gone`, so
 * that no total changes with a deletion.
 */
export async function fees(ctx: Ctx, { page = 1, pageSize = 50, state = 'due' as FeeState } = {}) {
  requireAdmin(ctx);
  const { listings: l, products: p, sellers, user } = schema;
  const shown = ctx.db
    .select({ one: sql`1` })
    .from(p)
    .where(and(eq(p.id, l.productId), isNull(p.removedAt)));
  const wanted = and(eq(l.feeState, state), exists(shown));
  const rows = await ctx.db
    .select({
      id: l.id,
      productId: l.productId,
      name: p.name,
      status: p.status,
      listingEndedAt: l.endedAt,
      sellerId: p.sellerId,
      sellerName: sellers.name,
      ownSellerName: p.sellerName,
      listingFee: l.fee,
      feeState: l.feeState,
      feeReference: l.feeReference,
      feeMarkedAt: l.feeMarkedAt,
      feeMarkedBy: user.name,
      paymentMethod: p.paymentMethod,
      createdAt: l.openedAt,
    })
    .from(l)
    .innerJoin(p, eq(p.id, l.productId))
    .leftJoin(sellers, eq(sellers.id, p.sellerId))
    .leftJoin(user, eq(user.id, l.feeMarkedBy))
    .where(wanted)
    .orderBy(desc(l.openedAt), asc(l.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    total: await totalOf(ctx, { table: l, where: wanted }, { shown: rows.length, page, pageSize }),
    page,
    pageSize,
    gone: await feesOfGone(ctx, state),
    fees: rows.map(({ ownSellerName, ...row }) => ({
      ...row,
      sellerName: row.sellerName ?? ownSellerName,
      listingEndedAt: row.listingEndedAt?.toISOString() ?? null,
      feeMarkedAt: row.feeMarkedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    })),
  };
}

/** Sum in XAF; `kept_fees` has those of deleted products. */
async function feesOfGone(ctx: Ctx, state: FeeState): Promise<{ count: number; sum: number }> {
  const [row] = await ctx.db.execute<{ count: number; sum: number }>(sql`
    select count(*)::int as count, coalesce(sum(fee), 0)::int as sum from (
      select fee from kept_fees where fee_state = ${state}
      union all
      select l.fee from listings l join products p on p.id = l.product_id
      where l.fee_state = ${state} and p.removed_at is not null) gone`);
  return row ?? { count: 0, sum: 0 };
}
