import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx } from '../core/context.ts';
import { photosMayGo } from '../core/transaction.ts';
import { filesOf } from './receive.ts';

/** What makes a photo nobody's: the hourly cleaning takes its files a day after `since`. */
const released = (since: Date) => ({ productId: null, ownerId: null, createdAt: since });

/** The same for the files that go with the commit: should they not, the next cleaning tries again. */
const releasedAndDue = (tx: Ctx) => released(new Date(tx.now().getTime() - 2 * 86_400_000));

/**
 * Lets go of photos that neither a product nor its waiting change shows any more: nobody can use them again, and the hourly cleaning
 * takes their files a day later, when no stored page names them. Part of a transaction that changed the photos.
 */
export async function releaseUnshown(tx: Ctx, productId: string): Promise<void> {
  const { uploads, products, productEdits } = schema;
  await tx.db
    .update(uploads)
    .set(released(tx.now()))
    .where(
      and(
        eq(uploads.productId, productId),
        // Named columns: a bare `image` would be the one of the photo's own row.
        sql`not exists (select 1 from ${products}, jsonb_array_elements(${products.images}) as shown(photo)
          where ${products.id} = ${productId} and shown.photo ->> 'key' = ${uploads.key})`,
        sql`not exists (select 1 from ${productEdits}, jsonb_array_elements_text(${productEdits.changes} -> 'images') as wanted(id)
          where ${productEdits.productId} = ${productId} and wanted.id = ${uploads.id}::text)`,
      ),
    );
}

/**
 * Lets go of every photo of products, also of those that only a waiting change shows, as abandoned uploads that are due already. What
 * another product shows is not touched. Part of the transaction that takes the photos off the products or deletes them; the files go
 * after its commit ({@link deleteReleased}). Answers the photos.
 */
export async function releasePhotos(
  tx: Ctx,
  productIds: readonly string[],
  images: readonly StoredImage[],
): Promise<StoredImage[]> {
  if (productIds.length === 0) return [];
  const { uploads } = schema;
  const ofThese = inArray(uploads.productId, [...productIds]);
  const uploaded = await tx.db.select({ key: uploads.key }).from(uploads).where(ofThese);
  const keys = [...new Set([...images, ...uploaded].map(({ key }) => key))];
  if (keys.length === 0) return [];
  const shared = await shownElsewhere(tx, productIds, keys);
  for (const [key, productId] of shared)
    await tx.db.update(uploads).set({ productId }).where(eq(uploads.key, key));
  const own = keys.filter((key) => !shared.has(key));
  if (own.length === 0) return [];
  const due = releasedAndDue(tx);
  const gone = await tx.db
    .update(uploads)
    .set(due)
    .where(and(inArray(uploads.key, own), or(ofThese, isNull(uploads.productId))))
    .returning({ image: uploads.image });
  const known = new Set(gone.map(({ image }) => image.key));
  // An import's photos have no row of their own.
  const others = images.filter(
    (image) => own.includes(image.key) && !known.has(image.key) && known.add(image.key),
  );
  for (const image of others) {
    await tx.db
      .insert(uploads)
      .values({ key: image.key, image, bytes: 0, ...due })
      .onConflictDoNothing();
  }
  return [...gone.map(({ image }) => image), ...others];
}

/** The same of photos that an account uploaded for no product yet. */
export async function releaseDrafts(tx: Ctx, userId: string): Promise<StoredImage[]> {
  const { uploads, productDrafts } = schema;
  const drafts = and(eq(uploads.ownerId, userId), isNull(uploads.productId));
  await tx.db.delete(productDrafts).where(eq(productDrafts.userId, userId));
  const gone = await tx.db
    .update(uploads)
    .set(releasedAndDue(tx))
    .where(drafts)
    .returning({ image: uploads.image });
  return gone.map(({ image }) => image);
}

/** Which of these photos another product shows, and which one. */
async function shownElsewhere(
  tx: Ctx,
  productIds: readonly string[],
  keys: readonly string[],
): Promise<Map<string, string>> {
  const { products } = schema;
  const rows = await tx.db.execute<{ key: string; id: string }>(sql`
    select image ->> 'key' as key, ${products.id} as id from ${products}, jsonb_array_elements(${products.images}) as image
    where ${products.id} not in (${list(productIds)}) and image ->> 'key' in (${list(keys)})`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/**
 * Deletes the files of photos that were let go, and other files of theirs, once that is committed. While the storage is away they stay
 * for the hourly cleaning. Answers how many photos went.
 * @param others keys of further files, such as share cards
 */
export async function deleteReleased(
  ctx: Ctx,
  images: readonly StoredImage[],
  others: readonly string[] = [],
): Promise<number> {
  const { storage, log } = ctx.services;
  const { uploads } = schema;
  let gone = 0;
  if (!(await photosMayGo(ctx))) return gone;
  try {
    await storage.delete([...others]);
    for (const image of images) {
      await storage.delete(filesOf(image));
      await ctx.db
        .delete(uploads)
        .where(and(eq(uploads.key, image.key), isNull(uploads.productId)));
      gone++;
    }
  } catch (error) {
    log.warn('Files are left for the hourly cleaning', { photos: images.length - gone, error });
  }
  return gone;
}

const list = (values: readonly string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );
