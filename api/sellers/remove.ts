import { asc, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { endListings } from '../listings/end.ts';
import { lockLanes } from '../listings/locks.ts';
import { isApproved } from '../listings/rules.ts';
import { notify } from '../people/notify.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { deleteReleased, releaseDrafts, releasePhotos } from '../uploads/release.ts';
import { lockSeller, type SellerRow } from './suspend.ts';

export type Removed = { id: string; products: number; images: number };

/**
 * Deletes a seller for good (product §4, product R20): sessions end, slots and queue places are freed first, then the products go
 * with everything that hangs on them, then the seller, who is told; the address cannot become a seller's again without {@link unbar}.
 * The account itself stays. Files are deleted when that is certain; those that resist go with the hourly cleaning.
 * Refuses `sellers.notFound`.
 */
export async function removeSeller(ctx: Ctx, sellerId: string): Promise<Removed> {
  requireAdmin(ctx);
  const { sellers, products, session, barredEmails } = schema;
  const ofSeller = eq(products.sellerId, sellerId);
  const { productIds, photos } = await inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const lockProducts = () =>
      tx.db
        .select({ id: products.id, images: products.images, status: products.status })
        .from(products)
        .where(ofSeller)
        .orderBy(asc(products.id))
        .for('update');
    // Products ahead of their seller, as an approval locks them, or the two would wait for each other; then those that came meanwhile.
    await lockProducts();
    const seller = await lockSeller(tx, sellerId);
    const owned = await lockProducts();
    const now = tx.now();
    const addresses = await addressesOf(tx, seller);
    if (seller.userId) await tx.db.delete(session).where(eq(session.userId, seller.userId));
    const listed = owned.filter(({ status }) => isApproved(status)).map(({ id }) => id);
    const { slots, queued } = await endListings(tx, listed, 'sellerDeleted');
    // Only the change of a row is announced to open and stored pages (db/migrations), not that it goes.
    await tx.db.update(products).set({ removedAt: now }).where(ofSeller);
    const productIds = owned.map((product) => product.id);
    const shown = owned.flatMap((product) => product.images);
    const photos = [...(await releasePhotos(tx, productIds, shown)), ...(seller.userId ? await releaseDrafts(tx, seller.userId) : [])];
    await tx.db.delete(products).where(ofSeller);
    await audit(tx, {
      action: 'seller.delete',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: {
        name: seller.name,
        email: seller.email,
        suspended: seller.suspended,
        verified: seller.verified,
        products: owned.length,
        slots: slots.map(({ id }) => id),
        queued,
      },
      after: { barred: addresses },
    });
    await tx.db
      .insert(barredEmails)
      .values(addresses.map((email) => ({ email, barredAt: now, barredBy: userIdOf(tx.actor) })))
      .onConflictDoNothing();
    await notify(tx, { sellerId }, 'sellerDeleted', {});
    await tx.db.delete(sellers).where(eq(sellers.id, sellerId));
    return { productIds, photos };
  });
  await deleteReleased(ctx, photos, productIds.flatMap(cardKeys));
  return { id: sellerId, products: productIds.length, images: photos.length };
}

/** Lets an address become a seller's again (product R20). Refuses `notFound` when it is not barred. */
export async function unbar(ctx: Ctx, email: string): Promise<{ email: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { barredEmails } = schema;
    const [gone] = await tx.db.delete(barredEmails).where(eq(barredEmails.email, email.trim().toLowerCase())).returning();
    if (!gone) throw new Refusal('notFound');
    await audit(tx, {
      action: 'seller.unbar',
      subjectKind: 'user',
      subjectId: gone.email,
      before: { barredAt: gone.barredAt, barredBy: gone.barredBy },
      after: { barred: false },
    });
    return { email: gone.email };
  });
}

/** The seller's address, and the account's own when it is another one by now. */
async function addressesOf(tx: Ctx, seller: SellerRow): Promise<string[]> {
  const { user } = schema;
  const [account] = seller.userId ? await tx.db.select({ email: user.email }).from(user).where(eq(user.id, seller.userId)) : [];
  return [...new Set([seller.email, ...(account ? [account.email] : [])].map((email) => email.toLowerCase()))];
}
