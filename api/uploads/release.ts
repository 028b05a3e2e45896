import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { photosMayGo } from '../core/transaction.ts';
import { filesOf } from './files.ts';

/** Columns that mark an upload as orphaned; its files are deleted a day after `since`. */
const released = (since: Date) => ({ productId: null, ownerId: null, createdAt: since });

/** Due at once: if deletion after the commit fails, the next cleanup retries. */
const releasedAndDue = (tx: Tx) => released(new Date(tx.now().getTime() - 2 * 86_400_000));

/**
 * Orphans photos that neither the product nor its pending change shows, in the caller's
 * transaction. Files go a day later, when no cached page names them.
 */
export async function releaseUnshown(tx: Tx, productId: string): Promise<void> {
  const { uploads, products, productEdits } = schema;
  await tx.db
    .update(uploads)
    .set(released(tx.now()))
    .where(
      and(
        eq(uploads.productId, productId),
        // Aliased: a bare `image` would be the column of `uploads`.
        sql`not exists (select 1 from ${products}, jsonb_array_elements(${products.images}) as shown(photo)
          where ${products.id} = ${productId} and shown.photo ->> 'key' = ${uploads.key})`,
        sql`not exists (select 1 from ${productEdits},
            jsonb_array_elements_text(${productEdits.changes} -> 'images') as wanted(id)
          where ${productEdits.productId} = ${productId} and wanted.id = ${uploads.id}::text)`,
      ),
    );
}

/**
 * Orphans all photos of products, including pending changes, except those another product shows.
 * Call it in the transaction that removes them and pass the result to {@link deleteReleased}.
 */
export async function releasePhotos(
  tx: Tx,
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
  // Imported photos have no row.
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

/** Deletes an account's draft and orphans its unused photos. */
export async function releaseDrafts(tx: Tx, userId: string): Promise<StoredImage[]> {
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

/** Photo key to another product that shows it. */
async function shownElsewhere(
  tx: Tx,
  productIds: readonly string[],
  keys: readonly string[],
): Promise<Map<string, string>> {
  const { products } = schema;
  const rows = await tx.db.execute<{ key: string; id: string }>(sql`
    select image ->> 'key' as key, ${products.id} as id
    from ${products}, jsonb_array_elements(${products.images}) as image
    where ${products.id} not in (${list(productIds)}) and image ->> 'key' in (${list(keys)})`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/**
 * Deletes released files after the commit; the hourly cleanup retries. Returns the number of
 * photos.
 * @param others further keys, such as share cards
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
