import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { requireModerator } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { lockProduct } from '../../listings/locks.ts';
import { notifySellersOf } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { nameIn } from '../../shared/format.ts';
import { releaseUnshown } from '../../uploads/release.ts';
import { apply } from '../applyEdit.ts';
import type { Edit } from '../schema.ts';

/**
 * Applies a reviewed change or drops it (product R19) and notifies the seller. Refuses
 * `products.changeGone`, `products.changed` if a newer change came since `seen`,
 * `sellers.isSuspended` (product R20).
 * @param seen when the change that the admin looked at was sent
 */
export async function decideEdit(
  ctx: Ctx,
  productId: string,
  decision: 'approve' | 'reject',
  { reason, seen }: { reason?: string | undefined; seen?: string | undefined } = {},
): Promise<{ id: string }> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    const { productEdits } = schema;
    const { product, suspended } = await lockProduct(tx, productId);
    const [waiting] = await tx.db
      .delete(productEdits)
      .where(eq(productEdits.productId, productId))
      .returning();
    if (!waiting) throw new Refusal('products.changeGone');
    if (seen !== undefined && waiting.submittedAt.toISOString() !== new Date(seen).toISOString())
      throw new Refusal('products.changed');
    const changes = waiting.changes as unknown as Edit;
    if (decision === 'approve') {
      if (suspended) throw new Refusal('sellers.isSuspended');
      await apply(tx, product, changes);
    }
    await releaseUnshown(tx, productId);
    await audit(tx, {
      action: `product.edit.${decision}`,
      subjectKind: 'product',
      subjectId: productId,
      before: { name: product.name, price: product.price },
      after: { name: changes.name, price: changes.price, ...(reason ? { reason } : {}) },
    });
    const kind = decision === 'approve' ? 'changeApproved' : 'changeRejected';
    const why = decision === 'reject' && reason ? { reason } : {};
    await notifySellersOf(
      tx,
      [productId],
      kind,
      ({ name }, language) => ({ product: nameIn(name, language), ...why }),
      'seller/dashboard',
    );
    return { id: productId };
  });
}
