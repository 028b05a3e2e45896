import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireModerator } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notifySellersOf } from '../../people/notify.ts';
import { nameIn } from '../../shared/format.ts';
import { lockPending } from './pending.ts';

/**
 * Rejects a pending product (product §4); the seller receives the reason. Refuses
 * `products.notFound`, `products.notPending`.
 */
export async function reject(ctx: Ctx, productId: string, reason: string): Promise<{ id: string }> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockPending(tx, productId);
    const now = tx.now();
    await tx.db
      .update(schema.products)
      .set({ status: 'rejected', rejectedAt: now, rejectedReason: reason, updatedAt: now })
      .where(eq(schema.products.id, productId));
    await audit(tx, {
      action: 'product.reject',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: 'pending' },
      after: { status: 'rejected', reason },
    });
    await notifySellersOf(
      tx,
      [productId],
      'productRejected',
      ({ name }, language) => ({ product: nameIn(name, language), reason }),
      'seller/dashboard',
    );
    return { id: productId };
  });
}
