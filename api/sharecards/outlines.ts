import { readFileSync } from 'node:fs';
import opentype, { type Font } from 'opentype.js';

export type Weight = 'medium' | 'bold';
/**
 * A letter in 1/1000 em: its advance, an SVG path with y down from the baseline, and how the path is
 * turned.
 */
export type Glyph = { advance: number; path: string; turn: string };

export const em = 1000;

/** The latin and extended parts of a weight (font/README.md), read when first needed. */
const fonts = new Map<Weight, Font[]>();
function fontsOf(weight: Weight): [Font, ...Font[]] {
  const read = (part: string): Font => {
    const file = readFileSync(new URL(`font/${part}-${weight}.woff`, import.meta.url));
    return opentype.parse(
      file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
    );
  };
  const known = fonts.get(weight) ?? ['latin', 'latin-ext'].map(read);
  fonts.set(weight, known);
  return known as [Font, ...Font[]];
}

const heightsOf = (weight: Weight): { sCapHeight: number; sxHeight: number } =>
  fontsOf(weight)[0].tables.os2 as unknown as { sCapHeight: number; sxHeight: number };
export const capHeightOf = (weight: Weight): number => heightsOf(weight).sCapHeight;

/** Letters of Cameroon's languages that the font lacks, made of others: c and C turned, a mirrored 3. */
const made: Record<string, { from: string; by: 'half' | 'mirror'; small?: true }> = {
  ɔ: { from: 'c', by: 'half', small: true },
  Ɔ: { from: 'C', by: 'half' },
  ɛ: { from: '3', by: 'mirror', small: true },
  Ɛ: { from: '3', by: 'mirror' },
};
const narrowSpace = '\u202F';

const known = new Map<string, Glyph | undefined>();
/** Undefined for what the font lacks. Combining marks are left out: accented letters are whole. */
export function glyphOf(character: string, weight: Weight): Glyph | undefined {
  const key = weight + character;
  if (!known.has(key)) known.set(key, drawn(character, weight));
  return known.get(key);
}

function drawn(character: string, weight: Weight): Glyph | undefined {
  if (character === narrowSpace) {
    const space = drawn(' ', weight);
    return space && { ...space, advance: 0.7 * space.advance };
  }
  const making = made[character];
  if (making) return makeOf(making, weight);
  const font = fontsOf(weight).find((one) => one.hasChar(character));
  if (!font || /[\p{M}\p{C}]/u.test(character)) return undefined;
  const glyph = font.charToGlyph(character);
  const path = glyph.getPath(0, 0, em);
  // opentype.js writes a number between -0.5 and 0 without the space before it.
  for (const command of path.commands as Record<string, unknown>[])
    for (const [name, value] of Object.entries(command))
      if (typeof value === 'number') command[name] = Math.round(value) + 0;
  return { advance: glyph.advanceWidth ?? 0, path: path.toPathData(0), turn: '' };
}

function makeOf({ from, by, small }: (typeof made)[string], weight: Weight): Glyph | undefined {
  const glyph = drawn(from, weight);
  if (!glyph) return undefined;
  const { sCapHeight, sxHeight } = heightsOf(weight);
  if (by === 'half') {
    const height = small ? sxHeight : sCapHeight;
    return { ...glyph, turn: ` matrix(-1 0 0 -1 ${glyph.advance} ${-height})` };
  }
  const scale = small ? sxHeight / sCapHeight : 1;
  const advance = glyph.advance * scale;
  return { ...glyph, advance, turn: ` matrix(${-scale} 0 0 ${scale} ${advance} 0)` };
}

const kernings = new Map<string, number>();
/** Kerning of two letters without accents, in 1/1000 em. */
export function kerningOf(one: string, other: string, weight: Weight): number {
  const key = weight + one + other;
  const kerning = kernings.get(key) ?? kerned(one, other, fontsOf(weight)[0]);
  kernings.set(key, kerning);
  return kerning;
}

const kerned = (one: string, other: string, font: Font): number =>
  font.hasChar(one) && font.hasChar(other)
    ? font.getKerningValue(font.charToGlyph(one), font.charToGlyph(other))
    : 0;
