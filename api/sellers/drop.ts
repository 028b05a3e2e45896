import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { type Ended, endListings } from '../listings/end.ts';
import { isApproved } from '../listings/rules.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { deleteReleased, releaseDrafts, releasePhotos } from '../uploads/release.ts';
import { lockWithProducts, type SellerRow } from './locks.ts';
import { leaveShopSlug } from './slugs.ts';

export type Dropped = { productIds: string[]; photos: StoredImage[] };

/**
 * Deletes a seller's products and drafts after freeing slots and queue places, and takes the shop's
 * page away; the seller stays locked. Refuses `sellers.notFound`.
 */
export async function dropProducts(
  tx: Tx,
  sellerId: string,
): Promise<Dropped & Ended & { seller: SellerRow }> {
  const { products } = schema;
  const { seller, owned } = await lockWithProducts(tx, sellerId);
  const listed = owned.filter(({ status }) => isApproved(status)).map(({ id }) => id);
  const ended = await endListings(tx, listed, 'sellerDeleted');
  const ofSeller = eq(products.sellerId, sellerId);
  // Only an update is announced to open and stored pages (db/migrations), not a delete.
  await tx.db.update(products).set({ removedAt: tx.now() }).where(ofSeller);
  const productIds = owned.map((product) => product.id);
  const shown = owned.flatMap((product) => product.images);
  const photos = [
    ...(await releasePhotos(tx, productIds, shown)),
    ...(seller.userId ? await releaseDrafts(tx, seller.userId) : []),
  ];
  await tx.db.delete(products).where(ofSeller);
  await leaveShopSlug(tx, sellerId);
  return { seller, ...ended, productIds, photos };
}

/** Deletes files after the commit; the hourly cleaning deletes those that fail. */
export const deleteDropped = (ctx: Ctx, { photos, productIds }: Dropped): Promise<number> =>
  deleteReleased(ctx, photos, productIds.flatMap(cardKeys));
