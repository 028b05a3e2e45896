import { cutEnd } from '../shared/cutEnd.ts';
import { plainLetter } from '../shared/foldLetters.ts';
import { capHeightOf, em, glyphOf, kerningOf, type Weight } from './outlines.ts';

export type { Weight };

export const capHeight = (weight: Weight, size: number): number =>
  (capHeightOf(weight) * size) / em;

/** Letters of Cameroon's languages missing in the font, with the nearest it has. */
const nearest: Record<string, string> = {
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ɨ: 'i',
  Ɨ: 'I',
  ʉ: 'u',
  Ʉ: 'U',
  ʼ: '’',
  '′': '’',
  '−': '–',
  '‑': '-',
};

/** Drops accents, emoji and scripts that the font lacks; folds decorative letters. */
export function writable(text: string): string {
  const has = (character: string) => glyphOf(character, 'bold') !== undefined;
  return [...text.normalize('NFC')]
    .flatMap((character) => {
      if (has(character)) return character;
      if (/\s/u.test(character)) return ' ';
      return [...plainLetter(character).normalize('NFD')]
        .map((part) => nearest[part] ?? part)
        .filter(has);
    })
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** `text` as {@link writable}, or `instead` if fewer than half of its letters could be written. */
export function writableOr(text: string, instead: string): string {
  const written = writable(text);
  const kept = lettersIn(written);
  const all = lettersIn(Array.from(text, plainLetter).join(''));
  return kept > 0 && kept * 2 >= all ? written : writable(instead);
}

const base = (character: string): string => character.normalize('NFD')[0] ?? character;

/** Lays out glyphs in 1/1000 em and returns the width. */
function set(
  text: string,
  weight: Weight,
  place: (path: string, at: number, turn: string) => void = () => {},
): number {
  let at = 0;
  let before = '';
  for (const character of text) {
    const glyph = glyphOf(character, weight);
    if (!glyph) continue;
    if (before) at += kerningOf(before, base(character), weight);
    place(glyph.path, at, glyph.turn);
    at += glyph.advance;
    before = base(character);
  }
  return at;
}

export const widthOf = (text: string, weight: Weight, size: number): number =>
  (set(text, weight) * size) / em;

type Line = {
  x: number;
  y: number;
  size: number;
  weight: Weight;
  fill: string;
  align?: 'left' | 'middle' | 'right';
};

/**
 * SVG paths of a writable text, so that no system font is needed. `y` is the baseline in pixels.
 */
export function letters(text: string, { x, y, size, weight, fill, align = 'left' }: Line): string {
  const paths: string[] = [];
  const width =
    (set(
      text,
      weight,
      (path, at, turn) =>
        path && paths.push(`<path transform="translate(${at})${turn}" d="${path}"/>`),
    ) *
      size) /
    em;
  const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
  return `<g fill="${fill}" transform="translate(${left.toFixed(2)} ${y}) scale(${size / em})">${paths.join('')}</g>`;
}

/** Largest size at which a text fits on one line, else the smallest. */
export function fitting(
  text: string,
  weight: Weight,
  width: number,
  sizes: readonly [number, ...number[]],
): number {
  return sizes.find((size) => widthOf(text, weight, size) <= width) ?? Math.min(...sizes);
}

/** Keeps no-break spaces, cuts long words and ends a shortened text with an ellipsis. */
export function wrap(
  text: string,
  weight: Weight,
  size: number,
  width: number,
  most: number,
): { lines: string[]; whole: boolean } {
  const fits = (line: string) => widthOf(line, weight, size) <= width;
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    if (lines.length === most) {
      lines[most - 1] = shortened(lines[most - 1] ?? '', fits);
      return { lines, whole: false };
    }
    const words = rest.split(' ');
    let count = 1;
    while (count < words.length && fits(words.slice(0, count + 1).join(' '))) count++;
    let line = words.slice(0, count).join(' ');
    if (!fits(line)) {
      const characters = [...line];
      while (characters.length > 1 && !fits(characters.join(''))) characters.pop();
      line = characters.join('');
    }
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return { lines, whole: true };
}

function shortened(line: string, fits: (line: string) => boolean): string {
  const characters = [...line];
  const ended = (text = characters.join('')) => `${cutEnd(text, /[\s,;:.–—-]/u)}…`;
  while (characters.length > 1 && !fits(ended())) characters.pop();
  // Cuts at a word's end, unless that drops much.
  const cut = characters.join('');
  const space = cut.lastIndexOf(' ');
  return cut.length < line.length && space > cut.length - 10 && space > 0
    ? ended(cut.slice(0, space))
    : ended();
}
