import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { readSettings } from '../core/settings.ts';
import { inTransaction } from '../core/transaction.ts';
import { enqueue } from '../queue/enqueue.ts';
import { countChange } from '../sellers/changes.ts';
import { lockOwn } from './own.ts';
import { feeReferenceOf, listingFee } from './rules.ts';

/** The fee of another listing of a product: due again, under a new reference (product R2). Nothing where fees are not tracked. */
export async function newFee(tx: Ctx, product: { durationSeconds: number | null; listingType: 'standard' | 'featured' }) {
  const { trackFees } = await readSettings(tx, ['trackFees']);
  const hours = (product.durationSeconds ?? 0) / 3600;
  if (!trackFees || hours <= 0 || hours > 120) return { listingFee: null, feeState: null, feeReference: null, feeMarkedAt: null, feeMarkedBy: null };
  return {
    listingFee: listingFee(hours, product.listingType),
    feeState: 'due' as const,
    feeReference: feeReferenceOf(randomUUID()),
    feeMarkedAt: null,
    feeMarkedBy: null,
  };
}

/**
 * Lists an ended product again as it is (product R2): an explicit act of its seller, without another review, straight into its queue,
 * and the fee is owed again. A product that was withdrawn before its review goes back to review.
 * Refuses `products.notFound`; `products.notRelistable` while it is listed, rejected, or when its photos are gone.
 */
export async function relist(ctx: Ctx, productId: string): Promise<{ id: string; status: 'approved' | 'pending' }> {
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const product = await lockOwn(tx, productId);
    const now = tx.now();
    const { products } = schema;
    if (product.status === 'pending' && product.withdrawnAt) {
      await tx.db.update(products).set({ withdrawnAt: null, updatedAt: now }).where(eq(products.id, productId));
      return { id: productId, status: 'pending' };
    }
    if (product.listingEndedAt === null || product.images.length === 0) throw new Refusal('products.notRelistable');
    await tx.db
      .update(products)
      .set({ listingEndedAt: null, soldAt: null, withdrawnAt: null, approvedAt: now, updatedAt: now, ...(await newFee(tx, product)) })
      .where(eq(products.id, productId));
    await enqueue(tx, productId);
    return { id: productId, status: 'approved' };
  });
}
