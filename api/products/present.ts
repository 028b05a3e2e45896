import type { StoredImage } from '../../db/schema/products.ts';
import { translator } from '../../locales/index.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import { inLanguage } from './rules.ts';

/** A photo as pages use it: `src` is the largest, `sources` one address a width. All are public URLs. */
export type PublicImage = {
  src: string;
  width: number;
  height: number;
  colour: string;
  sources: { src: string; width: number }[];
  avif: { src: string; width: number }[];
};

/** The public URL of a stored photo in one width. */
export const mediaUrl = (key: string, width: number, format: 'webp' | 'avif' = 'webp'): string => `/media/${key}-${width}.${format}`;

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

/** 'Unnamed Product' / 'Produit sans nom' (product §3). */
export const unnamed = (language: Language): string => translator(language, 'common')('product.unnamed');
/** 'No description available' / 'Aucune description disponible' (product §3). */
export const undescribed = (language: Language): string => translator(language, 'common')('product.noDescription');

export const nameIn = (name: Bilingual | null, language: Language): string => inLanguage(name, language) ?? unnamed(language);
export const descriptionIn = (description: Bilingual | null, language: Language): string => inLanguage(description, language) ?? undescribed(language);
