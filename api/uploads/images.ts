import sharp, { type Metadata } from 'sharp';
import { Refusal } from '../core/errors.ts';

/** Limits of a photo (marketplace §5, §9; the pixel limit stops decompression bombs). */
export const photoLimits = { bytes: 5 * 1024 * 1024, pixels: 40_000_000 } as const;
/** The widths that pages use: card, hero, full. */
export const photoWidths = [320, 720, 1280] as const;

export type Prepared = { width: number; height: number; colour: string; files: { width: number; bytes: Buffer }[] };

const formats = new Set(['jpeg', 'png', 'webp']);

/** Photos that are decoded at the same time: 40 megapixels take 120 MB each, and a market day must not take the server down. */
const atOnce = 2;
let decoding = 0;
const waiting: (() => void)[] = [];

/** Lets a few in at a time, in their order. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (decoding >= atOnce) await new Promise<void>((enter) => waiting.push(enter));
  else decoding++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else decoding--;
  }
}

/**
 * Judges a photo by its content, never by its name, and re-encodes it in the widths that pages use; EXIF, GPS and colour profile
 * stay behind. Refuses `uploads.tooBig`, `uploads.notImage`, `uploads.tooManyPixels`, naming the file.
 * @param name what the person calls the file, for the sentence
 */
export async function preparePhoto(bytes: Uint8Array, name: string): Promise<Prepared> {
  if (bytes.byteLength > photoLimits.bytes) throw new Refusal('uploads.tooBig', { name, max: 5 });
  const source = () => sharp(bytes, { limitInputPixels: photoLimits.pixels, failOn: 'error' });
  let meta: Metadata;
  try {
    meta = await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw new Refusal('uploads.notImage', { name });
  }
  if (!meta.format || !formats.has(meta.format) || !meta.width || !meta.height) throw new Refusal('uploads.notImage', { name });
  if (meta.width * meta.height * (meta.pages ?? 1) > photoLimits.pixels) throw new Refusal('uploads.tooManyPixels', { name });
  try {
    return await inTurn(async () => {
      // Decoded once: the smaller widths are made from the largest, already upright one.
      const largest = photoWidths[photoWidths.length - 1] as number;
      const { data, info } = await source()
        .autoOrient()
        .flatten({ background: '#ffffff' })
        .resize({ width: largest, height: largest * 2, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const decoded = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
      const widths = photoWidths.filter((width) => width < info.width);
      const files = await Promise.all(
        [...widths, info.width].map(async (width) => ({ width, bytes: await decoded().resize({ width }).webp({ quality: 74, effort: 3 }).toBuffer() })),
      );
      const { dominant } = await decoded().resize(32, 32, { fit: 'fill' }).stats();
      const hex = (channel: number) => channel.toString(16).padStart(2, '0');
      return { width: info.width, height: info.height, colour: `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`, files };
    });
  } catch (error) {
    const refusal = new Refusal('uploads.notImage', { name });
    refusal.cause = error;
    throw refusal;
  }
}
