import { randomBytes } from 'node:crypto';

/**
 * A photo's name in the storage: when it came and 41 bits of chance (product §7). Nobody guesses it, and it is no longer than that needs:
 * a page of the market carries 54 of them, which no compression makes smaller.
 */
export function photoKey(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const chance = randomBytes(8).readBigUInt64BE() % 36n ** 8n;
  return `products/${stamp}-${chance.toString(36).padStart(8, '0')}`;
}

/** A file of a photo, with the photo's name as its first group; the longer names are those of photos up to November 2026. */
export const photoFile =
  /^(products\/\d{8}T\d{6}Z-(?:[0-9a-f]{16}|[0-9a-z]{8}))-\d+\.(?:webp|avif)(?:\.part)?$/;
