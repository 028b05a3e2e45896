import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { endedByAdmin } from '../listings/end.ts';
import { enqueue } from '../listings/enqueue.ts';
import { lockOwn } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { countChange } from '../sellers/changes.ts';
import { Refusal } from '../shared/errors.ts';
import { sellerCan } from './rules.ts';

/**
 * Lists an ended product again without review (product R2) for a new fee. It goes to review if an
 * admin ended it, or it was withdrawn before its review. Refuses `products.notFound`,
 * `products.notRelistable` (listed, rejected, or without photos).
 */
export async function relist(
  ctx: Ctx,
  productId: string,
): Promise<{ id: string; status: 'approved' | 'pending' }> {
  requireSeller(ctx);
  await requireAgreement(ctx);
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listing } = await lockOwn(tx, productId);
    if (!sellerCan(product, listing).relist) throw new Refusal('products.notRelistable');
    const now = tx.now();
    const { products } = schema;
    if (product.status === 'pending') {
      await tx.db
        .update(products)
        .set({ withdrawnAt: null, updatedAt: now })
        .where(eq(products.id, productId));
      return { id: productId, status: 'pending' };
    }
    const reviewed = endedByAdmin(listing?.endReason);
    const decided = reviewed
      ? ({ status: 'pending', approvedAt: null } as const)
      : { approvedAt: now };
    await tx.db
      .update(products)
      .set({ ...decided, soldAt: null, withdrawnAt: null, updatedAt: now })
      .where(eq(products.id, productId));
    await openListing(tx, product);
    if (reviewed) return { id: productId, status: 'pending' };
    await enqueue(tx, productId, 'relisted');
    return { id: productId, status: 'approved' };
  });
}
