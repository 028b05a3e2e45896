import { randomBytes } from 'node:crypto';

/**
 * Timestamp and 41 random bits (product §7): unguessable, yet short, as a market page carries one
 * per stall and they do not compress.
 */
export function photoKey(now: Date): string {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const chance = randomBytes(8).readBigUInt64BE() % 36n ** 8n;
  return `products/${stamp}-${chance.toString(36).padStart(8, '0')}`;
}

/** Group 1 is the photo's name; the longer form was used until November 2026. */
export const photoFile =
  /^(products\/\d{8}T\d{6}Z-(?:[0-9a-f]{16}|[0-9a-z]{8}))-\d+\.(?:webp|avif)(?:\.part)?$/;
