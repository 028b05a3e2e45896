import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { SettingName } from '../../api/settings/schema.ts';
import { clientTranslator } from '../../locales/client.ts';
import { languages } from '../../locales/languages.ts';

/**
 * A setting takes three edits: its line in api/settings/schema.ts (mocked here) and its words in
 * each language.
 */
vi.mock('../../api/settings/schema.ts', async (original) => {
  const real = await original<typeof import('../../api/settings/schema.ts')>();
  const toys = {
    toys: { group: 'limits', schema: z.int().check(z.minimum(1)), initial: 3 },
    toysAllowed: { group: 'limits', schema: z.boolean(), initial: true },
  };
  const withToys = { ...real.settingSchemas, ...toys };
  return { ...real, settingSchemas: withToys, settingNames: Object.keys(withToys) };
});
// Test files share modules (decision 014): reload them with the fake settings, then drop them.
vi.resetModules();
afterAll(() => vi.resetModules());
const { readSettings } = await import('../../api/settings/values.ts');
const { settingNames, settingSchemas } = await import('../../api/settings/schema.ts');
const { SettingField } = await import('../../site/src/features/settings/SettingField.tsx');
const { typedOf } = await import('../../site/src/features/settings/values.ts');
const { settingWords } = await import('../../site/src/features/settings/words.ts');
const { actors } = await import('../support/actors.ts');
const { testApp } = await import('../support/app.ts');

const toyWords = {
  toys: { label: 'Toys in a stall', hint: 'Three are many.' },
  toysAllowed: { label: 'Toys are allowed' },
};

const market = await testApp();
const { admin } = await actors(market);
beforeEach(() => market.reset());

describe('a setting that is defined', () => {
  test('is read, judged and kept by the API', async () => {
    const { body } = await market.call<{ settings: { name: string; value: unknown }[] }>(
      '/api/admin/settings',
      { as: admin },
    );
    expect(body.settings).toContainEqual(
      expect.objectContaining({ name: 'toys', value: 3, initial: 3, isSet: false }),
    );
    expect(
      (
        await market.call('/api/admin/settings/toys', {
          method: 'PUT',
          json: { value: 0 },
          as: admin,
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await market.call('/api/admin/settings/toys', {
          method: 'PUT',
          json: { value: 5 },
          as: admin,
        })
      ).status,
    ).toBe(200);
    expect(await readSettings(market.job('x'), ['toys' as SettingName])).toEqual({ toys: 5 });
  });

  test.each([...languages])('is a field of its form, with its words, in %s', (language) => {
    const real = settingWords(language);
    const words = { ...real, fields: { ...real.fields, ...toyWords } };
    const drawn = (name: SettingName) =>
      renderToStaticMarkup(
        createElement(SettingField, {
          name,
          words,
          t: clientTranslator(language, words),
          typed: (of) => typedOf(settingSchemas[of].initial),
          set: () => () => {},
          error: () => undefined,
          busy: false,
        }),
      );
    expect(drawn('toys' as SettingName)).toMatch(
      /Toys in a stall.*value="3"|value="3".*Toys in a stall/,
    );
    expect(drawn('toys' as SettingName)).toContain('Three are many.');
    expect(drawn('toysAllowed' as SettingName)).toMatch(/type="checkbox"[^>]*checked/);
    for (const name of settingNames) expect(drawn(name), name).toMatch(/<label|<fieldset/);
  });
});
