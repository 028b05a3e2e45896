import { and, eq, isNull, lt, not, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { admit } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction, lockNamed, photosMayGo } from '../core/transaction.ts';
import { type PublicImage, presentImage } from '../products/present.ts';
import { type PreparedPhoto, preparePhoto } from './images.ts';
import { photoKey } from './names.ts';

export type Received = { id: string; image: PublicImage };

/** The most photos one person may have waiting for a product: five a draft, and a few drafts. */
const waitingLimit = 25;

/**
 * Stores a photo under `products/` with a timestamp and a random name (product §7) and answers its id and public URLs. It
 * belongs to who sent it and waits for a product for 24 hours. The row comes first, the files after it: wherever this breaks off,
 * also with the power, the cleaning of abandoned photos knows every file that was written.
 */
export async function receivePhoto(ctx: Ctx, bytes: Uint8Array, name: string): Promise<Received> {
  admit(ctx.actor, ['seller', 'admin']);
  const ownerId = userIdOf(ctx.actor);
  if (!ownerId) throw new Refusal('signInRequired');
  await expectRoom(ctx, ownerId);
  const prepared = await preparePhoto(ctx.services, bytes, name, ownerId);
  const image = imageOf(ctx, prepared);
  const id = await inTransaction(ctx, async (tx) => {
    // Counted again, one after the other: many photos that arrive at once are no way around the limit.
    await lockNamed(tx, `photos of ${ownerId}`);
    await expectRoom(tx, ownerId);
    const [row] = await tx.db
      .insert(schema.uploads)
      .values({
        key: image.key,
        ownerId,
        image,
        bytes: prepared.files.reduce((sum, file) => sum + file.bytes.byteLength, 0),
        createdAt: tx.now(),
      })
      .returning({ id: schema.uploads.id });
    if (!row) throw new Refusal('uploads.storageUnavailable');
    return row.id;
  });
  try {
    await writeFiles(ctx, image, prepared);
  } catch (error) {
    // Nobody has heard of this id. Should the database be away as well, the cleaning takes the row.
    await ctx.db
      .delete(schema.uploads)
      .where(eq(schema.uploads.id, id))
      .catch(() => {});
    throw error;
  }
  return { id, image: presentImage(image) };
}

/** Refuses `uploads.tooMany` when a person has as many photos waiting as one may have. */
export async function expectRoom(ctx: Pick<Ctx, 'db'>, ownerId: string): Promise<void> {
  const { uploads } = schema;
  const [held] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.productId)));
  if ((held?.count ?? 0) >= waitingLimit) throw new Refusal('uploads.tooMany', { max: 5 });
}

/** A prepared photo under a name of time and chance, as the database keeps it. */
function imageOf(
  { now }: Pick<Ctx, 'now'>,
  { width, height, colour, files }: PreparedPhoto,
): StoredImage {
  return { key: photoKey(now()), width, height, widths: files.map((file) => file.width), colour };
}

/** Writes the files of a photo; when one fails, those before it go again: nothing is half-stored. */
async function writeFiles(
  { services: { storage } }: Pick<Ctx, 'services'>,
  image: StoredImage,
  prepared: PreparedPhoto,
): Promise<void> {
  const keys: string[] = [];
  try {
    for (const file of prepared.files) {
      keys.push(fileKey(image.key, file.width));
      await storage.put(fileKey(image.key, file.width), file.bytes, 'image/webp');
    }
  } catch (error) {
    await storage.delete(keys).catch(() => {});
    throw error;
  }
}

/** Stores a prepared photo that needs no row: the demo's own pictures. */
export async function storePhoto(
  ctx: Pick<Ctx, 'now' | 'services'>,
  prepared: PreparedPhoto,
): Promise<{ image: StoredImage }> {
  const image = imageOf(ctx, prepared);
  await writeFiles(ctx, image, prepared);
  return { image };
}

/** The storage key of one width of a photo. */
export const fileKey = (key: string, width: number, format: 'webp' | 'avif' = 'webp'): string =>
  `${key}-${width}.${format}`;

/** Every file of a photo: what goes when the photo goes. */
export const filesOf = (image: StoredImage): string[] => [
  ...image.widths.map((width) => fileKey(image.key, width)),
  ...(image.avif ?? []).map((width) => fileKey(image.key, width, 'avif')),
];

/**
 * Takes back a photo that no product uses yet. Somebody else's answers as if it did not exist. While the storage is away it refuses
 * `uploads.storageUnavailable`, and the photo waits for the cleaning.
 */
export async function discardPhoto(ctx: Ctx, id: string): Promise<void> {
  const { uploads } = schema;
  await inTransaction(ctx, async (tx) => {
    const [row] = await tx.db
      .delete(uploads)
      .where(
        and(
          eq(uploads.id, id),
          eq(uploads.ownerId, userIdOf(tx.actor) ?? ''),
          isNull(uploads.productId),
        ),
      )
      .returning();
    if (!row) throw new Refusal('uploads.notFound');
    await removeFiles(tx, row.image);
  });
}

/** Removes photos that waited 24 hours for a product that never came, and that no draft keeps: files first, so that none stays behind without a row. Returns how many went. */
export async function cleanAbandonedUploads(ctx: Ctx): Promise<number> {
  const { uploads, productDrafts } = schema;
  const limit = new Date(ctx.now().getTime() - 86_400_000);
  const inDraft = sql`exists (select from ${productDrafts} where ${productDrafts.userId} = ${uploads.ownerId} and ${productDrafts.photos} ? ${uploads.id}::text)`;
  const abandoned = and(isNull(uploads.productId), lt(uploads.createdAt, limit), not(inDraft));
  let gone = 0;
  for (const { id } of await ctx.db.select({ id: uploads.id }).from(uploads).where(abandoned)) {
    if (ctx.signal?.aborted) break;
    gone += await inTransaction(ctx, async (tx) => {
      if (!(await photosMayGo(tx))) return 0;
      // Judged again: it may have found its product meanwhile.
      const [row] = await tx.db
        .delete(uploads)
        .where(and(eq(uploads.id, id), abandoned))
        .returning();
      if (row) await removeFiles(tx, row.image);
      return row ? 1 : 0;
    });
  }
  return gone;
}

async function removeFiles({ services }: Ctx, image: StoredImage): Promise<void> {
  try {
    await services.storage.delete(filesOf(image));
  } catch (error) {
    const refusal = new Refusal('uploads.storageUnavailable');
    refusal.cause = error;
    throw refusal;
  }
}
