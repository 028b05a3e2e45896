import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx } from '../core/context.ts';
import { filesOf } from './receive.ts';

/** Old enough for the hourly cleaning: should the files not go now, it tries again. */
const dueAfterMs = 2 * 86_400_000;

/**
 * Lets go of every photo of products, also of those that only a waiting change shows, as abandoned uploads that are due already. What
 * another product shows is not touched. Part of the transaction that takes the photos off the products or deletes them; the files go
 * after its commit ({@link deleteAbandoned}). Answers the photos.
 */
export async function abandonPhotos(tx: Ctx, productIds: readonly string[], images: readonly StoredImage[]): Promise<StoredImage[]> {
  if (productIds.length === 0) return [];
  const { uploads } = schema;
  const ofThese = inArray(uploads.productId, [...productIds]);
  const uploaded = await tx.db.select({ key: uploads.key }).from(uploads).where(ofThese);
  const keys = [...new Set([...images, ...uploaded].map(({ key }) => key))];
  if (keys.length === 0) return [];
  const shared = await shownElsewhere(tx, productIds, keys);
  for (const [key, productId] of shared) await tx.db.update(uploads).set({ productId }).where(eq(uploads.key, key));
  const own = keys.filter((key) => !shared.has(key));
  if (own.length === 0) return [];
  const due = { productId: null, ownerId: null, createdAt: new Date(tx.now().getTime() - dueAfterMs) };
  const released = await tx.db
    .update(uploads)
    .set(due)
    .where(and(inArray(uploads.key, own), or(ofThese, isNull(uploads.productId))))
    .returning({ image: uploads.image });
  const known = new Set(released.map(({ image }) => image.key));
  // An import's photos have no row of their own.
  const others = images.filter((image) => own.includes(image.key) && !known.has(image.key) && known.add(image.key));
  for (const image of others) {
    await tx.db
      .insert(uploads)
      .values({ key: image.key, image, bytes: 0, ...due })
      .onConflictDoNothing();
  }
  return [...released.map(({ image }) => image), ...others];
}

/** Which of these photos another product shows, and which one. */
async function shownElsewhere(tx: Ctx, productIds: readonly string[], keys: readonly string[]): Promise<Map<string, string>> {
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
export async function deleteAbandoned(ctx: Ctx, images: readonly StoredImage[], others: readonly string[] = []): Promise<number> {
  const { storage, log } = ctx.services;
  const { uploads } = schema;
  let gone = 0;
  try {
    await storage.delete([...others]);
    for (const image of images) {
      await storage.delete(filesOf(image));
      await ctx.db.delete(uploads).where(and(eq(uploads.key, image.key), isNull(uploads.productId)));
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
