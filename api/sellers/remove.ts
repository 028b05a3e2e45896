import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { cardKeys } from '../sharecards/cards.ts';
import { emptySlots } from '../slots/release.ts';
import { filesOf } from '../uploads/receive.ts';
import { lockSeller, type SellerRow, tellSeller, waitForQueueRun } from './suspend.ts';

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
    await waitForQueueRun(tx);
    const lockProducts = () =>
      tx.db.select({ id: products.id, images: products.images }).from(products).where(ofSeller).orderBy(asc(products.id)).for('update');
    // Products ahead of their seller, as an approval locks them, or the two would wait for each other; then those that came meanwhile.
    await lockProducts();
    const seller = await lockSeller(tx, sellerId);
    const owned = await lockProducts();
    const now = tx.now();
    const addresses = await addressesOf(tx, seller);
    if (seller.userId) await tx.db.delete(session).where(eq(session.userId, seller.userId));
    const freed = await freePlaces(tx, sellerId);
    // Only the change of a row is announced to open and stored pages (db/migrations), not that it goes.
    const ended = sql`case when ${products.status} in ('approved', 'active') then coalesce(${products.listingEndedAt}, ${now.toISOString()}::timestamptz) end`;
    await tx.db.update(products).set({ removedAt: now, listingEndedAt: ended }).where(ofSeller);
    const images = await releaseAllPhotos(tx, seller, owned);
    await tx.db.delete(products).where(ofSeller);
    await audit(tx, {
      action: 'seller.delete',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { name: seller.name, email: seller.email, suspended: seller.suspended, verified: seller.verified, products: owned.length, ...freed },
      after: { barred: addresses },
    });
    await tx.db
      .insert(barredEmails)
      .values(addresses.map((email) => ({ email, barredAt: now, barredBy: userIdOf(tx.actor) })))
      .onConflictDoNothing();
    await tellSeller(tx, seller, 'sellerDeleted');
    await tx.db.delete(sellers).where(eq(sellers.id, sellerId));
    return { productIds: owned.map((product) => product.id), photos: images };
  });
  await deleteFiles(ctx, productIds, photos);
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

async function freePlaces(tx: Ctx, sellerId: string): Promise<{ slots: number[]; queued: number }> {
  const { slots, queueItems, products } = schema;
  const own = tx.db.select({ id: products.id }).from(products).where(eq(products.sellerId, sellerId));
  const held = await tx.db.select({ id: slots.id }).from(slots).where(inArray(slots.productId, own)).orderBy(asc(slots.id)).for('update');
  const slotIds = held.map((slot) => slot.id);
  await emptySlots(tx, slotIds);
  const queued = await tx.db.delete(queueItems).where(inArray(queueItems.productId, own)).returning({ id: queueItems.id });
  return { slots: slotIds, queued: queued.length };
}

/**
 * Every photo of the products, of their waiting changes and of drafts, as abandoned uploads that are due already: should their files
 * not go now, the hourly cleaning tries again. Answers them.
 */
async function releaseAllPhotos(tx: Ctx, seller: SellerRow, owned: { images: StoredImage[] }[]): Promise<StoredImage[]> {
  const { uploads, products } = schema;
  const own = tx.db.select({ id: products.id }).from(products).where(eq(products.sellerId, seller.id));
  const due = { productId: null, ownerId: null, createdAt: new Date(tx.now().getTime() - 2 * 86_400_000) };
  const drafts = seller.userId ? and(eq(uploads.ownerId, seller.userId), isNull(uploads.productId)) : undefined;
  const released = await tx.db
    .update(uploads)
    .set(due)
    .where(or(inArray(uploads.productId, own), drafts))
    .returning({ image: uploads.image });
  const known = new Set(released.map(({ image }) => image.key));
  // An import's photos have no row of their own.
  const others = owned.flatMap(({ images }) => images).filter((image) => !known.has(image.key) && known.add(image.key));
  for (const image of others) {
    await tx.db
      .insert(uploads)
      .values({ key: image.key, image, bytes: 0, ...due })
      .onConflictDoNothing();
  }
  return [...released.map(({ image }) => image), ...others];
}

async function deleteFiles(ctx: Ctx, productIds: string[], photos: StoredImage[]): Promise<void> {
  const { storage, log } = ctx.services;
  try {
    await storage.delete([...productIds.flatMap(cardKeys), ...photos.flatMap(filesOf)]);
    for (const { key } of photos) await ctx.db.delete(schema.uploads).where(and(eq(schema.uploads.key, key), isNull(schema.uploads.productId)));
  } catch (error) {
    log.warn('Files of a deleted seller are left for the cleaning', { photos: photos.length, error });
  }
}
