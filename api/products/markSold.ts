import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { endListings } from '../listings/end.ts';
import { lockOwn } from '../listings/locks.ts';
import { countChange } from '../sellers/changes.ts';
import { Refusal } from '../shared/errors.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { sellerCan } from './rules.ts';

/**
 * Marks a seller's own product as sold and ends its listing (product R1). Refuses
 * `products.notFound`, and `products.notLive` before approval or if already sold.
 */
export async function markSold(ctx: Ctx, productId: string): Promise<{ id: string }> {
  requireSeller(ctx);
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listing, listed } = await lockOwn(tx, productId);
    if (!sellerCan(product, listing).sold) throw new Refusal('products.notLive');
    if (listed) await endListings(tx, [productId], 'sold');
    await tx.db.delete(schema.productEdits).where(eq(schema.productEdits.productId, productId));
    await releaseUnshown(tx, productId);
    const now = tx.now();
    await tx.db
      .update(schema.products)
      .set({ soldAt: now, updatedAt: now })
      .where(eq(schema.products.id, productId));
    return { id: productId };
  });
}
