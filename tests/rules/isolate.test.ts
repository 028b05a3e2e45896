import { describe, expect, test } from 'vitest';
import { clientTranslator } from '../../locales/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { isolate } from '../../locales/isolate.ts';
import { languages } from '../../locales/languages.ts';
import { awkwardNames, rightToLeft } from '../support/names.ts';

const between = (text: string) => `\u2068${text}\u2069`;

describe('a text in the middle of another (decision 029)', () => {
  test('stays as it is, whatever it holds, as long as it runs from left to right', () => {
    for (const text of ['Sac à main', '10 000 XAF', 'ɛ̀wɔ́ ŋ', '日本', ...awkwardNames])
      expect(isolate(text)).toBe(text);
  });

  test('keeps a direction of its own to itself', () => {
    for (const text of [
      rightToLeft,
      'Radio שלום',
      'ߒߞߏ',
      '\u{1e900}\u{1e901}',
      'LTR then \u200f mark',
    ])
      expect(isolate(text)).toBe(between(text));
  });

  test('loses what would turn its surroundings around, as an old row may have it', () => {
    expect(isolate('Samsung\u202e41A yxalaG')).toBe(between('Samsung41A yxalaG'));
    expect(isolate('ends early\u2069 and')).toBe(between('ends early and'));
    expect(isolate('never ends \u2066\u2067')).toBe(between('never ends '));
  });

  test('may itself hold texts that are kept apart', () => {
    const place = `${isolate(rightToLeft)}, Littoral`;
    expect(isolate(place)).toBe(between(place));
  });
});

describe.each([...languages])('a sentence with a name in it, in %s', (language) => {
  const ways = {
    server: translator(language, 'shop'),
    island: clientTranslator(language, dictionaries[language].shop),
  };
  const sentence = dictionaries[language].shop.whatsapp.greeting;
  const [before = '', after = ''] = sentence
    .split('{{name}}')
    .map((part) => part.replace('{{slot}}', '07'));

  test.each(Object.entries(ways))('by the translator of the %s says the name as it is', (_, t) => {
    for (const name of awkwardNames)
      expect(t('whatsapp.greeting', { name, slot: '07' })).toBe(before + name + after);
  });

  test.each(Object.entries(ways))(
    'by the translator of the %s is not turned around by it',
    (_, t) => {
      expect(t('whatsapp.greeting', { name: rightToLeft, slot: '07' })).toBe(
        before + between(rightToLeft) + after,
      );
    },
  );
});
