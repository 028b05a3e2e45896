/** By theme; hexadecimal, empty for the original colour. */
export type Colours = Record<'light' | 'dark', { plate: string; hot: string }>;
export type Theme = keyof Colours;
export type Palette = {
  plate: string;
  onPlate: string;
  hot: string;
  onHot: string;
  hotInk: string;
};

/** Copied from site/src/styles/tokens.css; tests/site/contrast.test.ts keeps the two equal. */
export const originals: Record<Theme, Palette> = {
  light: {
    plate: '#1f2d7c',
    onPlate: '#fcf7e8',
    hot: '#d53615',
    onHot: '#fffdfa',
    hotInk: '#be260b',
  },
  dark: {
    plate: '#f0dcb0',
    onPlate: '#141b4c',
    hot: '#fb7645',
    onHot: '#0c102e',
    hotInk: '#ff8e60',
  },
};
/** Paper, card and sunk. */
export const grounds: Record<Theme, readonly [string, string, string]> = {
  light: ['#f8f2e4', '#fefcf7', '#efe5d1'],
  dark: ['#0e1228', '#171c37', '#222746'],
};

/** WCAG 2.2: plates and buttons as parts of a page, and text. */
const partRatio = 3;
const textRatio = 4.5;

/** A colour as it is stored: small letters; `abc` and `#abc` as `#aabbcc`. */
export function asHex(given: string): string {
  const digits = given.trim().toLowerCase().replace(/^#/, '');
  const long = digits.length === 3 ? digits.replaceAll(/./gu, '$&$&') : digits;
  return long && `#${long}`;
}

const channelsOf = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** WCAG relative luminance of an opaque sRGB colour, `#rrggbb`. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast ratio, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const standsOut = (colour: string, theme: Theme, ratio: number): boolean =>
  grounds[theme].every((ground) => contrast(colour, ground) >= ratio);

/** True for a colour that stands out from every ground of the theme. */
export const isVisible = (colour: string, theme: Theme): boolean =>
  standsOut(colour, theme, partRatio);

/** Light or dark text on a colour: the market's own if it can be read there. */
const textOn = (colour: string, own: readonly string[]): string =>
  own.find((text) => contrast(text, colour) >= textRatio) ??
  (contrast('#ffffff', colour) >= contrast('#000000', colour) ? '#ffffff' : '#000000');

/** The colour as text: darker by day and lighter by night, until it can be read. */
function asText(colour: string, theme: Theme): string {
  const end = theme === 'light' ? 0 : 255;
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = `#${channelsOf(colour)
      .map((channel) => Math.round(channel + (end - channel) * share))
      .map((channel) => channel.toString(16).padStart(2, '0'))
      .join('')}`;
    if (standsOut(mixed, theme, textRatio)) return mixed;
  }
  return theme === 'light' ? '#000000' : '#ffffff';
}

/** The colours of a theme, with those that follow from the operator's. */
export function paletteOf(theme: Theme, { plate, hot }: Colours[Theme]): Palette {
  const came = originals[theme];
  const { onPlate, onHot } = came;
  const texts = Object.values(originals).flatMap((palette) => [palette.onPlate, palette.onHot]);
  return {
    ...came,
    ...(plate && { plate, onPlate: textOn(plate, [onPlate, ...texts]) }),
    ...(hot && { hot, onHot: textOn(hot, [onHot, ...texts]), hotInk: asText(hot, theme) }),
  };
}
