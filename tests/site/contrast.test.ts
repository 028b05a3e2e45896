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

/** Converts `oklch(L C H)` to linear sRGB with Björn Ottosson's Oklab matrices. */
function linearRgb(oklch: string): [number, number, number] {
  const found = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(oklch);
  if (!found) throw new Error(`Not an opaque oklch colour: ${oklch}`);
  const [lightness, chroma, hue] = found.slice(1).map(Number) as [number, number, number];
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** WCAG relative luminance, clipped to sRGB as screens do. */
function luminance(oklch: string): number {
  const [r, g, b] = linearRgb(oklch).map((channel) => Math.min(1, Math.max(0, channel))) as [
    number,
    number,
    number,
  ];
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
    expect(contrast('oklch(0 0 0)', 'oklch(1 0 0)')).toBeCloseTo(21, 1);
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
