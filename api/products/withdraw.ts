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
 * Withdraws a seller's own product from review, queue or slot (product R1, R2). Refuses
 * `products.notFound`, and `products.notLive` if it is in none of them.
 */
export async function withdraw(ctx: Ctx, productId: string): Promise<{ id: string }> {
  requireSeller(ctx);
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listing, listed } = await lockOwn(tx, productId);
    if (!sellerCan(product, listing).withdraw) throw new Refusal('products.notLive');
    if (listed) await endListings(tx, [productId], 'withdrawn');
    await tx.db.delete(schema.productEdits).where(eq(schema.productEdits.productId, productId));
    await releaseUnshown(tx, productId);
    const now = tx.now();
    await tx.db
      .update(schema.products)
      .set({ withdrawnAt: now, updatedAt: now })
      .where(eq(schema.products.id, productId));
    return { id: productId };
  });
}
