import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { endedByAdmin } from '../listings/end.ts';
import { enqueue } from '../listings/enqueue.ts';
import { lockOwn } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { isApproved } from '../listings/rules.ts';
import { countChange } from '../sellers/changes.ts';

/**
 * What is live is listed again as soon as its time is up, where its seller asks for that; or not, after all. The fee is owed again from then on. A pause only
 * puts the end off; the wish stays, and can be taken back, while an admin has put the listing back in line. Refuses `products.notFound`, `products.notLive`
 * once it has ended, or where it is asked for and in no slot.
 */
export async function relistAtEnd(
  ctx: Ctx,
  productId: string,
  wanted: boolean,
): Promise<{ id: string }> {
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { listing, listed } = await lockOwn(tx, productId);
    if (!listed || !listing || (wanted && listing.slotId === null))
      throw new Refusal('products.notLive');
    const { listings } = schema;
    await tx.db
      .update(listings)
      .set({ againAsked: wanted ? tx.now() : null })
      .where(eq(listings.id, listing.id));
    return { id: productId };
  });
}

/**
 * Lists an ended product again as it is (product R2): an explicit act of its seller, without another review, straight into its queue,
 * and the fee is owed again. One whose listing an admin ended is reviewed first, and one that was withdrawn before its review goes back there.
 * Refuses `products.notFound`; `products.notRelistable` while it is listed, rejected, or when its photos are gone.
 */
export async function relist(
  ctx: Ctx,
  productId: string,
): Promise<{ id: string; status: 'approved' | 'pending' }> {
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listing, listed } = await lockOwn(tx, productId);
    const now = tx.now();
    const { products } = schema;
    if (product.status === 'pending' && product.withdrawnAt) {
      await tx.db
        .update(products)
        .set({ withdrawnAt: null, updatedAt: now })
        .where(eq(products.id, productId));
      return { id: productId, status: 'pending' };
    }
    if (listed || !isApproved(product.status) || product.images.length === 0)
      throw new Refusal('products.notRelistable');
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
