import { requireModerator } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { onceInTransaction } from '../../core/idempotency.ts';
import { lockProduct } from '../../listings/locks.ts';
import { Refusal } from '../../shared/errors.ts';
import { type Approved, approve } from './approve.ts';
import { reject } from './reject.ts';

export type Decision = { action: 'approve' } | { action: 'reject'; reason: string };

/**
 * Approves or rejects a pending product. Refuses `products.changed` if its seller edited it since
 * `seen`, and as {@link approve} and {@link reject} do.
 * @param seen the `updatedAt` that the review showed
 */
export async function decide(
  ctx: Ctx,
  productId: string,
  decision: Decision,
  seen?: string,
  key?: string,
): Promise<Approved | { id: string }> {
  requireModerator(ctx);
  return onceInTransaction(ctx, key, { decide: productId, ...decision, seen }, async (tx) => {
    const { product } = await lockProduct(tx, productId);
    // A product decided meanwhile gets the more precise refusal of the verb.
    const changed =
      seen !== undefined && product.updatedAt.toISOString() !== new Date(seen).toISOString();
    if (product.status === 'pending' && changed) throw new Refusal('products.changed');
    return decision.action === 'approve'
      ? approve(tx, productId)
      : reject(tx, productId, decision.reason);
  });
}
