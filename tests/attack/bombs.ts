import { bombPng, styleBomb } from '../support/photos.ts';

/** A drawing of 60,000 style rules, each of which is tried on each group: quadratic work for whoever draws it. */
export const rulesDrawing = (): Uint8Array<ArrayBuffer> => new Uint8Array(styleBomb(60_000));

/** A picture one pixel wide and 39 million high: within a limit of pixels, and many seconds of work. */
export const tower = (): Uint8Array<ArrayBuffer> => new Uint8Array(bombPng(1, 39_000_000));

/** 5 MB that begin as a JPEG does and are none. */
export function junkPhoto(bytes = 5 * 1024 * 1024 - 1): Uint8Array<ArrayBuffer> {
  const junk = new Uint8Array(bytes);
  junk.set([0xff, 0xd8, 0xff, 0xe0]);
  return junk;
}
