import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { settingSchemas } from '../../api/settings/schema.ts';
import {
  contrast,
  grounds,
  isVisible,
  originals,
  paletteOf,
} from '../../api/shared/brand/colours.ts';

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

describe('the operator’s colours', () => {
  const themes = { light, dark: new Map([...light, ...chosenDark]) } as const;

  test.each(['light', 'dark'] as const)(
    'stand beside those of tokens.css, in the %s theme',
    (theme) => {
      const { plate, onPlate, hot, onHot, hotInk } = originals[theme];
      const tokens = (...names: string[]) => names.map((name) => themes[theme].get(name));
      expect([plate, onPlate, hot, onHot, hotInk]).toEqual(
        tokens('plate', 'on-plate', 'hot', 'on-hot', 'hot-ink'),
      );
      expect(grounds[theme]).toEqual(tokens('paper', 'card', 'sunk'));
      expect(paletteOf(theme, { plate: '', hot: '' })).toEqual(originals[theme]);
    },
  );

  test.each(['light', 'dark'] as const)(
    'can be read wherever they are allowed, in the %s theme',
    (theme) => {
      const steps = ['00', '33', '66', '99', 'cc', 'ff'];
      const all = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
      const allowed = all.filter((colour) => isVisible(colour, theme));
      expect(allowed.length).toBeGreaterThan(50);
      expect(allowed.length).toBeLessThan(all.length);
      for (const colour of allowed) {
        const own = paletteOf(theme, { plate: colour, hot: colour });
        expect(contrast(own.onPlate, own.plate), colour).toBeGreaterThanOrEqual(4.5);
        expect(contrast(own.onHot, own.hot), colour).toBeGreaterThanOrEqual(4.5);
        for (const ground of grounds[theme]) {
          expect(contrast(own.plate, ground), colour).toBeGreaterThanOrEqual(3);
          expect(contrast(own.hot, ground), colour).toBeGreaterThanOrEqual(3);
          expect(contrast(own.hotInk, ground), `${colour} as text`).toBeGreaterThanOrEqual(4.5);
        }
      }
    },
  );

  const judged = (theme: 'light' | 'dark', hot: string) => {
    const none = { plate: '', hot: '' };
    const value = { light: none, dark: none, [theme]: { plate: '', hot } };
    const { success, data, error } = settingSchemas.colours.schema.safeParse(value);
    return success ? data[theme].hot : error?.issues.map(({ message }) => message).join();
  };

  test.each([
    ['light', '#0B6E4F', '#0b6e4f'],
    ['light', ' 0b6e4f', '#0b6e4f'],
    ['light', '#a31', '#aa3311'],
    ['dark', '#f5c542', '#f5c542'],
    ['light', '', ''],
    ['light', '#ffd166', 'lightContrast'],
    ['dark', '#3d0c11', 'darkContrast'],
    ['dark', '#1f2d7c', 'darkContrast'],
    ['dark', 'red', 'colour'],
    ['dark', '#12345', 'colour'],
    ['dark', 'rgb(1,2,3)', 'colour'],
    ['light', '#0;}*{color:red}', 'colour'],
    ['light', '#00000}', 'colour'],
  ] as const)('in the %s theme %s is %s', (theme, given, outcome) => {
    expect(judged(theme, given)).toContain(outcome);
  });
});
