import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';

export type FeeState = 'due' | 'paid' | 'waived';
/** The fee that an admin looked at: another listing of the product owes another fee, under another reference. */
export type SeenFee = { state: FeeState; reference: string | null };
export type Fee = { id: string; feeState: FeeState; feeMarkedAt: string | null };

/**
 * Marks the fee of a listing as paid, waived, or due again (product R31), with who did it and when. Marked as it is already, nothing
 * changes. Refuses `products.notFound`, also when nothing is owed because fees were not tracked, and `conflict` when the fee is not the
 * one that was seen: another admin marked it, or the product was listed again.
 */
export async function markFee(ctx: Ctx, productId: string, state: FeeState, seen?: SeenFee): Promise<Fee> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products } = schema;
    const [product] = await tx.db
      .select({ fee: products.listingFee, state: products.feeState, reference: products.feeReference, markedAt: products.feeMarkedAt })
      .from(products)
      .where(eq(products.id, productId))
      .for('update');
    if (!product?.state) throw new Refusal('products.notFound');
    if (seen && (seen.state !== product.state || seen.reference !== product.reference)) throw new Refusal('conflict');
    if (product.state === state) return { id: productId, feeState: state, feeMarkedAt: product.markedAt?.toISOString() ?? null };
    const markedAt = state === 'due' ? null : tx.now();
    await tx.db
      .update(products)
      .set({ feeState: state, feeMarkedAt: markedAt, feeMarkedBy: state === 'due' ? null : userIdOf(tx.actor) })
      .where(eq(products.id, productId));
    await audit(tx, {
      action: 'product.fee',
      subjectKind: 'product',
      subjectId: productId,
      before: { feeState: product.state },
      after: { feeState: state, fee: product.fee, reference: product.reference },
    });
    return { id: productId, feeState: state, feeMarkedAt: markedAt?.toISOString() ?? null };
  });
}

/** Products by the state of their fee, newest first, a page at a time: those that are due, unless told. Removed ones are left out. */
export async function fees(ctx: Ctx, { page = 1, pageSize = 50, state = 'due' as FeeState } = {}) {
  requireAdmin(ctx);
  const { products: p, sellers, user } = schema;
  const wanted = and(eq(p.feeState, state), isNull(p.removedAt));
  const rows = await ctx.db
    .select({
      id: p.id,
      name: p.name,
      status: p.status,
      listingEndedAt: p.listingEndedAt,
      sellerId: p.sellerId,
      sellerName: sellers.name,
      ownSellerName: p.sellerName,
      listingFee: p.listingFee,
      feeState: p.feeState,
      feeReference: p.feeReference,
      feeMarkedAt: p.feeMarkedAt,
      feeMarkedBy: user.name,
      paymentMethod: p.paymentMethod,
      createdAt: p.createdAt,
    })
    .from(p)
    .leftJoin(sellers, eq(sellers.id, p.sellerId))
    .leftJoin(user, eq(user.id, p.feeMarkedBy))
    .where(wanted)
    .orderBy(desc(p.createdAt), asc(p.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    total: await totalOf(ctx, { table: p, where: wanted }, { shown: rows.length, page, pageSize }),
    page,
    pageSize,
    fees: rows.map(({ ownSellerName, ...row }) => ({
      ...row,
      sellerName: row.sellerName ?? ownSellerName,
      listingEndedAt: row.listingEndedAt?.toISOString() ?? null,
      feeMarkedAt: row.feeMarkedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    })),
  };
}
