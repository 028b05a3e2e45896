import { readdirSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';

const colours = ['#d02020', '#20a020', '#2020d0', '#d0c020'];

const built = new URL('../../site/dist/client/_astro/', import.meta.url);
/** A photo in each of EXIF's eight orientations, wider than the market shows, in base64. */
export async function orientedPhotos(): Promise<string[]> {
  const quarter = (background: string) =>
    sharp({ create: { width: 1000, height: 750, channels: 3, background } })
      .png()
      .toBuffer();
  const quarters = await Promise.all(colours.map(quarter));
  const whole = await sharp({
    create: { width: 2000, height: 1500, channels: 3, background: '#ffffff' },
  })
    .composite(quarters.map((input, n) => ({ input, left: (n % 2) * 1000, top: n < 2 ? 0 : 750 })))
    .png()
    .toBuffer();
  return Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(async (orientation) =>
      (await sharp(whole).jpeg().withMetadata({ orientation }).toBuffer()).toString('base64'),
    ),
  );
}

const shrink = async ([module, photos]: readonly [string, readonly string[]]) => {
  const found: Record<string, unknown> = await import(module);
  const lighten = Object.values(found).find((value) => typeof value === 'function') as (
    file: Blob,
  ) => Promise<Blob | string>;
  const sent: string[] = [];
  for (const photo of photos) {
    const bytes = Uint8Array.from(atob(photo), (byte) => byte.charCodeAt(0));
    const light = await lighten(new File([bytes], 'photo.jpg', { type: 'image/jpeg' }));
    if (typeof light === 'string') sent.push(light);
    else {
      const binary = Array.from(new Uint8Array(await light.arrayBuffer()), (byte) =>
        String.fromCharCode(byte),
      );
      sent.push(btoa(binary.join('')));
    }
  }
  return sent;
};

/** Returns a script for a page: it shrinks each photo as the wizard does, to base64 or a refusal. */
export const shrinking = (photos: readonly string[]): string => {
  const module = readdirSync(built).find((file) => /^lighten\..*\.js$/.test(file));
  // Vitest puts its own name for `import()`.
  const source = String(shrink).replaceAll('__vite_ssr_dynamic_import__', 'import');
  return `(${source})(${JSON.stringify([`/_astro/${module}`, photos])})`;
};

const corners = async (photo: Sharp): Promise<number[][]> => {
  const { data } = await photo
    .rotate()
    .resize(8, 8, { fit: 'fill', kernel: 'nearest' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [9, 14, 49, 54].map((at) => [...data.subarray(at * 3, at * 3 + 3)].map((v) => v >> 6));
};

/** Each photo is smaller, and stands as its original does. */
export async function expectUpright(
  sent: readonly string[],
  photos: readonly string[],
): Promise<void> {
  expect(sent).toHaveLength(photos.length);
  for (const [n, photo] of photos.entries()) {
    const [small, original] = [sent[n] ?? '', photo].map((text) => Buffer.from(text, 'base64'));
    const { width = 0, height = 0 } = await sharp(small).metadata();
    expect(Math.max(width, height)).toBeLessThanOrEqual(1707);
    expect([n + 1, await corners(sharp(small))]).toEqual([n + 1, await corners(sharp(original))]);
  }
}
