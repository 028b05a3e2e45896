import type { StoredImage } from '../../db/schema/products.ts';

/** Public URLs: `src` is the largest, `sources` has one per width. */
export type PublicImage = {
  src: string;
  width: number;
  height: number;
  colour: string;
  sources: { src: string; width: number }[];
  avif: { src: string; width: number }[];
};

const mediaUrl = (key: string, width: number, format: 'webp' | 'avif' = 'webp'): string =>
  `/media/${key}-${width}.${format}`;

export function presentImage(image: StoredImage): PublicImage {
  const widths = [...image.widths].sort((a, b) => a - b);
  const largest = widths.at(-1) ?? image.width;
  return {
    src: mediaUrl(image.key, largest),
    width: image.width,
    height: image.height,
    colour: image.colour,
    sources: widths.map((width) => ({ src: mediaUrl(image.key, width), width })),
    avif: (image.avif ?? []).map((width) => ({ src: mediaUrl(image.key, width, 'avif'), width })),
  };
}
