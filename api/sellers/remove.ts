import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { type Ended, endListings } from '../listings/end.ts';
import { isApproved } from '../listings/rules.ts';
import { emailsLeftBy } from '../people/leftEmails.ts';
import { mailbox } from '../people/mailbox.ts';
import { notify } from '../people/notify.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { normalEmail } from '../shared/email.ts';
import { deleteReleased, releaseDrafts, releasePhotos } from '../uploads/release.ts';
import { lockWithProducts, type SellerRow } from './locks.ts';
import { leaveShopSlug } from './slugs.ts';

export type Removed = { id: string; products: number; images: number };

/**
 * Deletes a seller (product §4, product R20): ends sessions, frees slots and queue places, deletes
 * products, bars the addresses until {@link unbar}, notifies. The account stays. Refuses
 * `sellers.notFound`.
 */
export async function removeSeller(ctx: Ctx, sellerId: string): Promise<Removed> {
  requireAdmin(ctx);
  const dropped = await inTransaction(ctx, async (tx) => {
    const { seller, slots, queued, ...gone } = await dropProducts(tx, sellerId);
    if (seller.userId)
      await tx.db.delete(schema.session).where(eq(schema.session.userId, seller.userId));
    const barred = await barSeller(tx, seller);
    await audit(tx, {
      action: 'seller.delete',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: {
        name: seller.name,
        email: seller.email,
        suspended: seller.suspended,
        verified: seller.verified,
        products: gone.productIds.length,
        slots: slots.map(({ id }) => id),
        queued,
      },
      after: { barred },
    });
    await notify(tx, { sellerId }, 'sellerDeleted', {});
    await tx.db.delete(schema.sellers).where(eq(schema.sellers.id, sellerId));
    return gone;
  });
  await deleteDropped(ctx, dropped);
  return { id: sellerId, products: dropped.productIds.length, images: dropped.photos.length };
}

export type Dropped = { productIds: string[]; photos: StoredImage[] };

/**
 * Deletes a seller's products and drafts after freeing slots and queue places, and takes the shop's
 * page away; the seller stays locked. Refuses `sellers.notFound`.
 */
export async function dropProducts(
  tx: Ctx,
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

/** Bars a seller's addresses and proven number until {@link unbar}; returns them. */
export async function barSeller(tx: Ctx, seller: SellerRow): Promise<string[]> {
  const addresses = await addressesOf(tx, seller);
  if (addresses.length === 0) return addresses;
  await tx.db
    .insert(schema.barredEmails)
    .values(addresses.map((email) => ({ email, barredAt: tx.now(), barredBy: userIdOf(tx.actor) })))
    .onConflictDoNothing();
  return addresses;
}

/**
 * Addresses of the seller and the account, those left lately, and the proven number, which may be
 * all that an account from a chat has. A number only typed may be a stranger's.
 */
async function addressesOf(tx: Ctx, seller: SellerRow): Promise<string[]> {
  const { user } = schema;
  const [account] = seller.userId
    ? await tx.db.select({ email: mailbox }).from(user).where(eq(user.id, seller.userId))
    : [];
  const left = seller.userId ? await emailsLeftBy(tx, seller.userId) : [];
  const all = [seller.email, account?.email, ...left, seller.verifiedWhatsapp].filter(
    (one) => typeof one === 'string',
  );
  return [...new Set(all.map(normalEmail))];
}
