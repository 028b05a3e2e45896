import { plainLetter } from '../foldLetters.ts';
import { productCode } from './productCode.ts';

/** Readable in a message, and short enough for a link per slot on a page. */
const longestWords = 24;

/** Small Latin letters and digits of a name, with hyphens between words; may be empty. */
export function slugWords(name: string, longest: number): string {
  const all = Array.from(name, plainLetter)
    .join('')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/œ/gi, 'oe')
    .replaceAll(/æ/gi, 'ae')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  // Cut at a word's end if possible.
  return all.length > longest
    ? all
        .slice(0, longest + 1)
        .replace(/-[^-]*$/, '')
        .slice(0, longest)
    : all;
}

/**
 * Slug of a product: its name, or its category if the name has no Latin letter or digit. The
 * {@link productCode} keeps it unique and away from reserved words.
 */
export function slugOf(name: string, category: string | null, id: string): string {
  const words = slugWords(name, longestWords) || slugWords(category ?? '', longestWords);
  const tail = productCode(id);
  return words ? `${words}-${tail}` : tail;
}
