import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const sheets = ['styles/tokens', 'styles/status', 'features/connect/categories'].map((name) =>
  readFileSync(new URL(`../../site/src/${name}.css`, import.meta.url), 'utf8').replaceAll('"', "'"),
);

/** Custom properties in the first block of `selector`, over all style sheets. */
function tokensOf(selector: string): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const css of sheets) {
    const start = css.indexOf(`${selector} {`);
    if (start < 0) throw new Error(`No block for ${selector}`);
    const block = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
    for (const [, name = '', value = ''] of block.matchAll(/--([a-z-]+):\s*([^;]+);/g))
      tokens.set(name, value.trim());
  }
  return tokens;
}

/** WCAG relative luminance of an opaque sRGB colour, `#rrggbb`. */
function luminance(colour: string): number {
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new Error(`Not an opaque colour in hex: ${colour}`);
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const light = tokensOf(':root');
const chosenDark = tokensOf(":root[data-theme='dark']");
const systemDark = tokensOf(':root:not([data-theme])');
const pairs = sheets.flatMap((css) =>
  [...(/pairs:([\s\S]*?)\*\//.exec(css)?.[1] ?? '').matchAll(/([a-z-]+)\/([a-z-]+) ([\d.]+)/g)].map(
    ([, front = '', ground = '', ratio = '']) => ({
      front,
      ground,
      ratio: Number(ratio),
    }),
  ),
);

describe('the colours', () => {
  test('of the woven band are those of the cloth, by day and by night', () => {
    const band = readFileSync(new URL('../../site/src/assets/weave.svg', import.meta.url), 'utf8');
    for (const name of ['thread', 'stitch']) {
      expect(band).toContain(light.get(name));
      expect(chosenDark.has(name)).toBe(false);
    }
  });

  test('are measured rightly: black on white is 21', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 1);
  });

  test('are declared in pairs', () => {
    expect(pairs.length).toBeGreaterThan(30);
  });

  test('are the same in a dark that was chosen and a dark that the system asks for', () => {
    expect([...systemDark]).toEqual([...chosenDark]);
  });

  for (const [theme, tokens] of [
    ['light', light],
    ['dark', new Map([...light, ...chosenDark])],
  ] as const) {
    test.each(pairs)(
      `in the ${theme} theme, $front on $ground reaches $ratio`,
      ({ front, ground, ratio }) => {
        const [text, behind] = [tokens.get(front), tokens.get(ground)];
        if (!text || !behind) throw new Error(`No token ${text ? ground : front}`);
        expect(contrast(text, behind)).toBeGreaterThanOrEqual(ratio);
      },
    );
  }
});
