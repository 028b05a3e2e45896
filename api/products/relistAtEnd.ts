import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { lockOwn } from '../listings/locks.ts';
import { countChange } from '../sellers/changes.ts';
import { Refusal } from '../shared/errors.ts';
import { sellerCan } from './rules.ts';

/**
 * Turns the automatic next listing of a live product on or off; its fee is due once the current one
 * ends. A pause keeps it, and a requeued listing can only turn it off. Repeating a request
 * changes nothing. Refuses `products.notFound`, `products.notLive`.
 */
export async function relistAtEnd(
  ctx: Ctx,
  productId: string,
  wanted: boolean,
): Promise<{ id: string }> {
  requireSeller(ctx);
  if (wanted) await requireAgreement(ctx);
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listing, listed } = await lockOwn(tx, productId);
    // A repeated request may follow a lost answer.
    const already = listed && wanted === Boolean(listing?.againAsked);
    if (already) return { id: productId };
    if (!listing || !sellerCan(product, listing)[wanted ? 'again' : 'notAgain'])
      throw new Refusal('products.notLive');
    const { listings } = schema;
    await tx.db
      .update(listings)
      .set({ againAsked: wanted ? tx.now() : null })
      .where(eq(listings.id, listing.id));
    return { id: productId };
  });
}
