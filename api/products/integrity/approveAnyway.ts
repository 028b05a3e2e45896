import { requireAdmin } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { lockProduct } from '../../listings/locks.ts';
import { approve } from '../review/approve.ts';
import { type MissingField, missingFields } from '../rules.ts';

/**
 * Approve Anyway (product §4, product R14): ignores missing fields. Refuses `products.notFound`,
 * `products.notPending`, `sellers.isSuspended`.
 */
export async function approveAnyway(
  ctx: Ctx,
  productId: string,
): Promise<{ id: string; approved: true; missing_fields: MissingField[] }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product } = await lockProduct(tx, productId);
    const missing = missingFields(product);
    await approve(tx, productId, { anyway: true });
    await audit(tx, {
      action: 'product.approveAnyway',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: product.status, missing_fields: missing },
      after: { status: 'approved' },
    });
    return { id: productId, approved: true, missing_fields: missing };
  });
}
