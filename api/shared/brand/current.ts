import { createHash } from 'node:crypto';
import { type Colours, originals, type Palette, paletteOf } from './colours.ts';

/** A stylesheet, and its address, which names its content. */
type Sheet = { path: string; css: string };

let palettes = originals;
let sheet: Sheet | undefined;

export function setColours(colours: Colours): void {
  palettes = {
    light: paletteOf('light', colours.light),
    dark: paletteOf('dark', colours.dark),
  };
  const isOwn = Object.values(colours).some(({ plate, hot }) => plate || hot);
  sheet = isOwn ? sheetOf(properties(palettes.light), properties(palettes.dark)) : undefined;
}

/** The colours by day, in which pictures and mails are drawn. */
export const palette = (): Palette => palettes.light;

/** The operator's colours for pages; undefined without any. */
export const colourSheet = (): Sheet | undefined => sheet;

/** True for the address of such a stylesheet, of any content. */
export const isColourSheet = (path: string): boolean =>
  /^\/_astro\/colours-[\da-f]{12}\.css$/.test(path);

const properties = (colours: Palette) =>
  Object.entries(colours)
    .map(
      ([name, colour]) =>
        `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}:${colour}`,
    )
    .join(';');

/** Its selectors are more specific than those of site/src/styles/tokens.css. */
function sheetOf(day: string, night: string): Sheet {
  const css =
    `html:root{${day}}html:root[data-theme="dark"]{${night}}` +
    `@media (prefers-color-scheme:dark){html:root:not([data-theme]){${night}}}`;
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 12);
  return { path: `/_astro/colours-${hash}.css`, css };
}
