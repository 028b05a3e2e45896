import type { Folded } from './foldDigits.ts';

/** `gap` is the text up to the next group, undefined where the two cannot belong together. */
export type Group = {
  digits: string;
  from: number;
  to: number;
  letters: number;
  plus: boolean;
  glued: boolean;
  gap: string | undefined;
};

export const digitsOf = (window: readonly Group[] | undefined): string =>
  (window ?? []).map(({ digits }) => digits).join('');
/** `699 00 12 34` is `3222`; ten digits in a row are `A`. */
export const shapeOf = (window: readonly Group[]): string =>
  window.map(({ digits }) => digits.length.toString(16).toUpperCase()).join('');
export const kindsOf = (window: readonly Group[]): string[] =>
  window.slice(0, -1).map(({ gap }) => kindOf(gap ?? ''));
/** The first gap may differ (`6 99-00-12-34`). */
export const isCalm = (window: readonly Group[]): boolean =>
  new Set(kindsOf(window).slice(1)).size < 2;

/** A space for brackets or nothing, one dash for all dashes, a repeated sign once. */
export function kindOf(gap: string): string {
  const signs = [...gap]
    .filter((char) => !/[\s()[\]{}]/.test(char))
    .map((char) => (/[\p{Pd}\u2212]/u.test(char) ? '-' : char));
  return [...new Set(signs)].join('') || ' ';
}

/** Splits a text into digit groups; O, l, I and i within a word of digits count as digits. */
export function groupsOf({ chars }: Folded): Group[] {
  const groups: Group[] = [];
  let gapFrom = 0;
  let at = 0;
  while (at < chars.length) {
    if (!isWord(chars[at])) {
      at += 1;
      continue;
    }
    let end = at;
    while (isWord(chars[end])) end += 1;
    // A chassis number.
    const runs =
      end - at === 17 && /^(?=\D*\d+[A-Z])[A-HJ-NPR-Z\d]{17}$/.test(chars.slice(at, end).join(''))
        ? []
        : runsIn(chars, at, end);
    for (const [from, to, letters] of runs) {
      const previous = groups[groups.length - 1];
      const between = chars.slice(gapFrom, from).join('');
      if (previous && from > gapFrom) previous.gap = joining(between);
      const digits = chars.slice(from, to).map(asDigit).join('');
      groups.push({
        digits,
        from,
        to,
        letters,
        plus: /\+[ (]?$/.test(between.slice(-2)),
        glued: isLetter(chars[from - 1]),
        gap: undefined,
      });
      gapFrom = to;
    }
    at = end;
  }
  return groups;
}

const isDigit = (char: string | undefined): boolean =>
  char !== undefined && char >= '0' && char <= '9';
const isLetter = (char: string | undefined): boolean => char !== undefined && /\p{L}/u.test(char);
const isWord = (char: string | undefined): boolean => isDigit(char) || isLetter(char);
const asDigit = (char: string): string => (isDigit(char) ? char : /o/i.test(char) ? '0' : '1');

/** From, to, and letters read as digits. */
function runsIn(chars: readonly string[], from: number, to: number): [number, number, number][] {
  // Too long for part of a number.
  const word = to - from > 20 ? '' : chars.slice(from, to).join('');
  const letters = [...word].filter((char) => !isDigit(char)).length;
  const alone = /^[oO]{1,2}$/.test(word);
  const mixed =
    letters > 0 && letters < word.length && /^[\doOlIi]{2,9}$/.test(word) && !/\d{8}/.test(word);
  if (alone || mixed) return [[from, to, letters]];
  const runs: [number, number, number][] = [];
  for (let at = from; at < to; at += 1) {
    if (!isDigit(chars[at])) continue;
    let end = at;
    while (end < to && isDigit(chars[end])) end += 1;
    runs.push([at, end, 0]);
    at = end;
  }
  return runs;
}

/** The gap within one number, white space collapsed; undefined where it separates two. */
function joining(between: string): string | undefined {
  if (between.length > 60) return undefined;
  const gap = between.replaceAll(/\s+/gu, ' ');
  return [...gap].length > 4 || /[\p{L}%$€£+"″]| = /u.test(gap) || /^[,;.:!?] /.test(gap)
    ? undefined
    : gap;
}
