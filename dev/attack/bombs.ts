import { bombPng, styleBomb } from '../../tests/support/photos.ts';

/** An SVG of 60,000 style rules, each matched with each group: quadratic work for a renderer. */
export const rulesDrawing = (): Uint8Array<ArrayBuffer> => new Uint8Array(styleBomb(60_000));

/** A PNG one pixel wide and 39 million high: within the pixel limit, yet many seconds of work. */
export const tower = (): Uint8Array<ArrayBuffer> => new Uint8Array(bombPng(1, 39_000_000));

/** 5 MB that begin like a JPEG and are none. */
export function junkPhoto(bytes = 5 * 1024 * 1024 - 1): Uint8Array<ArrayBuffer> {
  const junk = new Uint8Array(bytes);
  junk.set([0xff, 0xd8, 0xff, 0xe0]);
  return junk;
}
