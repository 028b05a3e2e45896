import { requireAdmin } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { lockProduct } from '../../listings/locks.ts';
import { approve } from '../review/approve.ts';
import { type MissingField, missingFields } from '../rules.ts';

/**
 * revalidate_product_completeness (product §4, §7): approves and queues a pending product that is
 * complete; others stay as they are. Refuses `products.notFound`, `products.notPending`,
 * `sellers.isSuspended`.
 */
export async function recheck(
  ctx: Ctx,
  productId: string,
): Promise<{ id: string; approved: boolean; missing_fields: MissingField[] }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listed } = await lockProduct(tx, productId);
    const missing = missingFields(product);
    const line = {
      action: 'product.recheck',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: product.status },
    } as const;
    if (missing.length > 0) {
      await audit(tx, { ...line, after: { status: product.status, missing_fields: missing } });
      return { id: productId, approved: false, missing_fields: missing };
    }
    if (!listed) await approve(tx, productId);
    await audit(tx, { ...line, after: { status: 'approved' } });
    return { id: productId, approved: true, missing_fields: [] };
  });
}
