import { createHash } from 'node:crypto';
import { nameParts } from '../../locales/market.ts';
import { grounds } from '../shared/brand/colours.ts';
import { colourSheet, palette } from '../shared/brand/current.ts';
import { mark } from '../shared/brand/mark.ts';
import { capHeight, letters, widthOf, writable } from './lettering.ts';

const [paper, card, sunk] = grounds.light;

/** Day colours of site/src/styles/tokens.css, in sRGB; the operator's own among them. */
export const colour = {
  paper,
  card,
  sunk,
  line: '#dbceb5',
  edge: '#8b775a',
  ink: '#171d45',
  soft: '#49516f',
  get hot() {
    return palette().hot;
  },
  get hotInk() {
    return palette().hotInk;
  },
  get plate() {
    return palette().plate;
  },
  get onPlate() {
    return palette().onPlate;
  },
  weave: '#151939',
  thread: '#eaaa40',
  stitch: '#f7eed8',
} as const;

/** Names what a card shows, and in which colours; `design` is raised when the drawing changes. */
export const cardVersion = (design: number, shown: object): string =>
  createHash('sha256')
    .update(JSON.stringify([design, shown, colourSheet()?.css, mark()?.hash]))
    .digest('hex')
    .slice(0, 12);

/** Enamel plate with keyline and two rivets (site/src/ui/plate.css). */
export function plate(
  text: string,
  x: number,
  y: number,
  size: number,
): { svg: string; width: number; height: number } {
  const height = Math.round(size * 1.18);
  const padding = Math.round(size * 0.44);
  const width = Math.round(widthOf(text, 'bold', size)) + 2 * padding;
  const unit = size / 56;
  const inset = 4 * unit;
  const baseline = y + (height + capHeight('bold', size)) / 2;
  const rivet = (at: number) =>
    `<circle cx="${at}" cy="${y + height / 2}" r="${3.4 * unit}" fill="${colour.onPlate}"/>`;
  const svg =
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${9 * unit}" fill="${colour.plate}"/>` +
    `<rect x="${x + inset}" y="${y + inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${6 * unit}" fill="none" stroke="${colour.onPlate}" stroke-width="${2 * unit}"/>` +
    rivet(x + 13 * unit) +
    rivet(x + width - 13 * unit) +
    letters(text, { x: x + padding, y: baseline, size, weight: 'bold', fill: colour.onPlate });
  return { svg, width, height };
}

/** The operator's mark, upright in a square of `size` pixels. */
const markAt = (x: number, y: number, size: number): string => {
  const bytes = mark()?.files['192'];
  return bytes
    ? `<image x="${x}" y="${y}" width="${size}" height="${size}" href="data:image/png;base64,${Buffer.from(bytes).toString('base64')}"/>`
    : '';
};

/**
 * The operator's mark and the market's name, its number on a plate; `x` is the edge named by `from`.
 * A long name is smaller.
 * @param most pixels across
 */
export function logo(
  market: string,
  x: number,
  middle: number,
  size: number,
  from: 'left' | 'right',
  most = 480,
): string {
  const { words, number } = nameParts(writable(market));
  const layOut = (size: number) => {
    const plated = number ? plate(number, 0, 0, size * 0.84) : undefined;
    const wordWidth = widthOf(words, 'bold', size);
    const gap = plated ? size * 0.26 : 0;
    const ahead = mark() ? size * 1.3 : 0;
    const width = ahead + wordWidth + gap + (plated?.width ?? 0);
    return { size, plated, ahead, wordWidth, gap, width };
  };
  const wanted = layOut(size);
  const laid = wanted.width > most ? layOut(size * (most / wanted.width)) : wanted;
  const left = from === 'left' ? x : x - laid.width;
  const start = left + laid.ahead;
  return (
    markAt(left, middle - laid.size / 2, laid.size) +
    letters(words, {
      x: start,
      y: middle + capHeight('bold', laid.size) / 2,
      size: laid.size,
      weight: 'bold',
      fill: colour.ink,
    }) +
    (laid.plated
      ? `<g transform="translate(${start + laid.wordWidth + laid.gap} ${middle - laid.plated.height / 2})">${laid.plated.svg}</g>`
      : '')
  );
}
