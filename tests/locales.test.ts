import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { premiumCount, slotCount } from '../db/slots.ts';
import { clientTranslator } from '../locales/client.ts';
import { withFigures } from '../locales/figures.ts';
import { dictionaries, translator } from '../locales/index.ts';
import type { Key } from '../locales/keys.ts';
import { languages } from '../locales/languages.ts';
import { awaited, later, specified, specifiedOfConnect, unreached } from './support/specified.ts';

type Sentences = Map<string, string>;
function sentences(node: object, path = '', found: Sentences = new Map()): Sentences {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'string') found.set(`${path}${key}`, value);
    else sentences(value as object, `${path}${key}.`, found);
  }
  return found;
}
const namespaces = Object.keys(dictionaries.en) as (keyof typeof dictionaries.en)[];
const english = new Map(namespaces.map((name) => [name, sentences(dictionaries.en[name])]));
const french = new Map(namespaces.map((name) => [name, sentences(dictionaries.fr[name])]));
const placeholders = (sentence: string) =>
  [...sentence.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name).sort();
/** 54 without the market's name before it, or the number of a stall. */
const sized = /(?<!March[ée][\s\u00a0\u202f])\b54\b|#(?!01)\d\d\b/g;
const suffix = /_(zero|one|two|few|many|other)$/;

for (const namespace of namespaces) {
  const en = english.get(namespace) as Sentences;
  const fr = french.get(namespace) as Sentences;

  describe(`the sentences of ${namespace}`, () => {
    test('has the same keys in English and French, in the same order', () => {
      expect([...fr.keys()]).toEqual([...en.keys()]);
    });

    test('has the same placeholders in both languages', () => {
      const different = [...en]
        .filter(
          ([key, sentence]) => `${placeholders(sentence)}` !== `${placeholders(fr.get(key) ?? '')}`,
        )
        .map(([key]) => key);
      expect(different).toEqual([]);
    });

    test('has every plural form that either language needs', () => {
      const bases = [
        ...new Set(
          [...en.keys()].filter((key) => suffix.test(key)).map((key) => key.replace(suffix, '')),
        ),
      ];
      for (const language of languages) {
        const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        const own = language === 'en' ? en : fr;
        for (const base of bases)
          for (const category of needed)
            expect(own.has(`${base}_${category}`), `${language} ${base}_${category}`).toBe(true);
      }
    });

    test('has no empty sentence, no broken braces and no markup', () => {
      for (const [key, sentence] of [...en, ...fr]) {
        expect(sentence.trim(), key).toBe(sentence);
        expect(sentence, key).not.toBe('');
        expect(sentence.replaceAll(/\{\{\w+\}\}/g, ''), key).not.toMatch(/[{}]|<\/?[a-z]/i);
      }
    });

    test('groups the digits of its quantities', () => {
      const bare =
        /(?<![\d+#:/.-])\d{4,}(?=[\s\u00a0\u202f](?:ms|MB|Mo|XAF|characters|caractères)\b)/;
      expect(
        [...en, ...fr].filter(([, sentence]) => bare.test(sentence)).map(([key]) => key),
      ).toEqual([]);
    });

    test('writes French as French: spaces that do not break before ; : ! ? and within « »', () => {
      const wrong = [...fr]
        .filter(([, sentence]) =>
          /[^\s\u00a0\u202f][;!?»](\s|$)|« |«[^\u00a0\u202f]| [;:!?»]/.test(
            sentence.replaceAll(/https?:\/\//g, ''),
          ),
        )
        .map(([key]) => key);
      expect(wrong).toEqual([]);
    });

    test('never breaks “e‑mail” at the end of a line in French', () => {
      expect(
        [...fr].filter(([, sentence]) => /\be-mail/i.test(sentence)).map(([key]) => key),
      ).toEqual([]);
    });
  });
}

/** Words and sentences of people, which the bot alone reads. */
const ofPeople = new Set(['intents.json', 'examples.json']);

test.each([...languages])('every file of %s is read, at its place', async (language) => {
  const folder = new URL(`../locales/${language}/`, import.meta.url);
  for (const name of (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith('.json'),
  )) {
    if (ofPeople.has(name)) continue;
    const [namespace = '', part] = name.replace('.json', '').split('/');
    const there = (dictionaries[language] as Record<string, Record<string, unknown>>)[namespace];
    expect(part ? there?.[part] : there, name).toEqual(
      withFigures(JSON.parse(await readFile(new URL(name, folder), 'utf8')), {
        market: 'Marché 54',
        marketAndTown: 'Marché 54',
      }),
    );
  }
});

describe('the size and the name of the market', () => {
  const two = (slotId: number) => String(slotId).padStart(2, '0');

  test.each([...languages])('is written into the sentences of %s', (language) => {
    expect(translator(language, 'common')('lane.featured')).toContain(`#${two(premiumCount)})`);
    const standard = translator(language, 'common')('lane.regular');
    expect(standard).toContain(`(#${two(premiumCount + 1)}`);
    expect(standard).toContain(`#${two(slotCount)})`);
    expect(translator(language, 'home')('hero.text')).toMatch(new RegExp(`^${slotCount} `));
    expect(JSON.stringify(dictionaries[language])).not.toMatch(/\{\{(?:slotCount|last|first)/);
  });

  test('leaves the placeholders that a caller fills', () => {
    expect(
      withFigures(
        { a: { b: '#{{lastSlot}} {{name}} {{market}}, {{marketAndTown}}' } },
        {
          market: 'Foire',
          marketAndTown: 'Foire, Douala',
        },
      ),
    ).toEqual({
      a: { b: `#${slotCount} {{name}} Foire, Foire, Douala` },
    });
  });

  test('are in no sentence as they are, and in none that a script reads from its file', async () => {
    for (const language of languages) {
      const folder = new URL(`../locales/${language}/`, import.meta.url);
      const read = (name: string) => readFile(new URL(`${name}.json`, folder), 'utf8');
      for (const name of await readdir(folder, { recursive: true }))
        if (name.endsWith('.json') && !ofPeople.has(name))
          expect((await readFile(new URL(name, folder), 'utf8')).match(sized), name).toBeNull();
      const { actions, states, errorScreen } = JSON.parse(await read('common'));
      const inScripts = [await read('connect'), await read('shop'), await read('validation')];
      for (const text of [...inScripts, JSON.stringify([actions, states, errorScreen])])
        expect(text).not.toMatch(/\{\{(?:slotCount|last|first)/);
      // Scripts take no name from these files: greetings and titles come from the server.
      const { greeting: _, ...connect } = JSON.parse(await read('connect'));
      const { contact, questionForm } = JSON.parse(await read('shop'));
      const { marketName: __, ...validation } = JSON.parse(await read('validation'));
      const parts = [connect, contact, questionForm, validation, actions, states, errorScreen];
      expect(JSON.stringify(parts)).not.toContain('{{market');
    }
  });
});

describe('a specified sentence (product §8)', () => {
  for (const [namespace, key, sentence] of [...specified, ...specifiedOfConnect]) {
    test(`${namespace}:${key} is “${sentence}”`, () => {
      expect(english.get(namespace)?.get(key)).toBe(sentence);
      expect(french.get(namespace)?.get(key)).toBeTruthy();
      expect(french.get(namespace)?.get(key)).not.toBe(sentence);
    });
  }

  test('of a failed contact is, in French, the specified one', () => {
    expect(french.get('shop')?.get('contact.failed')).toBe(
      'Impossible de contacter le vendeur pour le moment. Veuillez réessayer plus tard.',
    );
  });

  test('is reached by a test, or belongs to a screen that comes later', () => {
    const open = unreached().filter(
      (name) => !later.some((pattern) => pattern.test(name)) && !awaited.includes(name),
    );
    expect(open).toEqual([]);
  });

  test('is on the list of later screens only as long as no test reaches it', () => {
    const names = specified
      .map(([namespace, key]) => `${namespace}:${key}`)
      .filter((name) => later.some((pattern) => pattern.test(name)));
    const waiting = new Set(unreached());
    expect(names.filter((name) => !waiting.has(name))).toEqual([]);
  });

  test('that nobody reaches is found by the search', () => {
    const made = [['seller', 'auth.failed', 'Some words that stand nowhere else'] as const];
    expect(unreached('', made)).toEqual(['seller:auth.failed']);
    expect(unreached("getByText('Some words that stand nowhere else')", made)).toEqual([]);
    expect(unreached('say.seller.auth.failed', made)).toEqual([]);
    expect(unreached("refused(x, 'auth.failed')", made)).toEqual(['seller:auth.failed']);
  });
});

describe('the translators', () => {
  const shown = (language: 'en' | 'fr', count: number) =>
    translator(language, 'common')('product.products', { count });
  test('choose the plural of each language', () => {
    expect([0, 1, 2].map((count) => shown('en', count))).toEqual([
      '0 products',
      '1 product',
      '2 products',
    ]);
    expect([0, 1, 2].map((count) => shown('fr', count))).toEqual([
      '0 produit',
      '1 produit',
      '2 produits',
    ]);
  });

  test('say the same on the server and in an island', () => {
    for (const language of languages) {
      const island = clientTranslator(language, dictionaries[language].common);
      for (const count of [0, 1, 2, 1_000_000])
        expect(island('product.products', { count })).toBe(shown(language, count));
      expect(island('brand.title', { page: 'X' })).toBe(
        translator(language, 'common')('brand.title', { page: 'X' }),
      );
    }
  });

  test('group the digits of a quantity as the language does, and leave what is text as it was given', () => {
    const said = {
      en: 'Must be no more than 10,000,000',
      fr: 'Ne doit pas dépasser 10\u202f000\u202f000',
    };
    for (const language of languages) {
      const island = clientTranslator(language, dictionaries[language].validation);
      for (const say of [island, translator(language, 'validation')]) {
        expect(say('tooBig', { max: 10_000_000 })).toBe(said[language]);
        expect(say('tooBig', { max: '2026' })).toMatch(/ 2026$/);
      }
    }
    expect(translator('fr', 'common')('product.products', { count: 2_000_000 })).toBe(
      '2\u202f000\u202f000 de produits',
    );
  });

  test('never show a dotted key: a missing sentence is an error', () => {
    expect(() => translator('fr', 'common')('no.such.key' as Key<'common'>)).toThrow(
      'No sentence for common:no.such.key',
    );
    expect(() => clientTranslator('fr', dictionaries.fr.common)('no.such.key' as never)).toThrow(
      'No sentence for no.such.key',
    );
  });

  test('write what people typed as it is, without HTML entities and without reading it as a key', () => {
    expect(
      translator('en', 'shop')('states.ended.text', {
        name: '<b>$t(common:nav.admin)</b> {{slot}}',
      }),
    ).toContain('<b>$t(common:nav.admin)</b> {{slot}}');
  });
});
