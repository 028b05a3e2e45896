import type { StoredImage } from '../../db/schema/products.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import type { PreparedPhoto } from './images.ts';
import { photoKey } from './names.ts';

/** Columns of a new photo, under a new key. */
export function imageOf(
  { now }: Pick<Ctx, 'now'>,
  { width, height, colour, files }: PreparedPhoto,
): StoredImage {
  return { key: photoKey(now()), width, height, widths: files.map((file) => file.width), colour };
}

/** Stores all files of a photo, or none. */
export async function writeFiles(
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
