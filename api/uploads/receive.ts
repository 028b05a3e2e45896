import { and, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { StoredImage } from '../../db/schema/products.ts';
import { admit } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { type PreparedPhoto, preparePhoto } from './images.ts';
import { photoKey } from './names.ts';
import { type PublicImage, presentImage } from './present.ts';

export type Received = { id: string; image: PublicImage };

/** Photos without a product per person: a few drafts of five. */
const waitingLimit = 25;

/**
 * Stores a photo (product §7), which waits 24 hours for a product. The row precedes the files, so
 * after a crash the cleanup still knows every file.
 */
export async function receivePhoto(ctx: Ctx, bytes: Uint8Array, name: string): Promise<Received> {
  admit(ctx.actor, ['seller', 'admin']);
  const ownerId = userIdOf(ctx.actor);
  if (!ownerId) throw new Refusal('signInRequired');
  await expectRoom(ctx, ownerId);
  const prepared = await preparePhoto(ctx.services, bytes, name, ownerId);
  const image = imageOf(ctx, prepared);
  const id = await inTransaction(ctx, async (tx) => {
    // Counted again under a lock, so parallel uploads cannot pass the limit.
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
    // The id was never returned. If this fails too, the cleanup removes the row.
    await ctx.db
      .delete(schema.uploads)
      .where(eq(schema.uploads.id, id))
      .catch(() => {});
    throw error;
  }
  return { id, image: presentImage(image) };
}

/** Refuses `uploads.tooMany` if a person has too many photos without a product. */
export async function expectRoom(ctx: Pick<Ctx, 'db'>, ownerId: string): Promise<void> {
  const { uploads } = schema;
  const [held] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.productId)));
  if ((held?.count ?? 0) >= waitingLimit)
    throw new Refusal('uploads.tooMany', { max: waitingLimit });
}

function imageOf(
  { now }: Pick<Ctx, 'now'>,
  { width, height, colour, files }: PreparedPhoto,
): StoredImage {
  return { key: photoKey(now()), width, height, widths: files.map((file) => file.width), colour };
}

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

/** Stores a photo without a row: the demo's own pictures. */
export async function storePhoto(
  ctx: Pick<Ctx, 'now' | 'services'>,
  prepared: PreparedPhoto,
): Promise<{ image: StoredImage }> {
  const image = imageOf(ctx, prepared);
  await writeFiles(ctx, image, prepared);
  return { image };
}

export const fileKey = (key: string, width: number, format: 'webp' | 'avif' = 'webp'): string =>
  `${key}-${width}.${format}`;

export const filesOf = (image: StoredImage): string[] => [
  ...image.widths.map((width) => fileKey(image.key, width)),
  ...(image.avif ?? []).map((width) => fileKey(image.key, width, 'avif')),
];

export async function removeFiles({ services }: Ctx, image: StoredImage): Promise<void> {
  try {
    await services.storage.delete(filesOf(image));
  } catch (error) {
    const refusal = new Refusal('uploads.storageUnavailable');
    refusal.cause = error;
    throw refusal;
  }
}
