import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { admit } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { imageOf, writeFiles } from './files.ts';
import { preparePhoto } from './images.ts';
import { type PublicImage, presentImage } from './present.ts';
import { expectRoom } from './room.ts';

export type Received = { id: string; image: PublicImage };

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
