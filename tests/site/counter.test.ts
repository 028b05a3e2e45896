import { describe, expect, test } from 'vitest';
import { newPost } from '../../api/connect/schema.ts';
import { clean, cleanLine } from '../../api/shared/clean.ts';
import { clientTranslator } from '../../locales/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { counterOf } from '../../site/src/features/forms/counter.ts';

const label = (used: number, limit: number) => `${used} of ${limit}`;
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

describe('the counter of a field', () => {
  test('groups its numbers as the language does', () => {
    expect(counterOf('', 2000, 'en', label)).toEqual({
      over: false,
      shown: '0/2,000',
      label: '0 of 2000',
    });
    expect(plain(counterOf('x'.repeat(1500), 2000, 'fr', label).shown)).toBe('1 500/2 000');
  });

  test.each([
    ['60 emoji', '😀'.repeat(60)],
    ['100 emoji', '😀'.repeat(100)],
    ['101 emoji', '😀'.repeat(101)],
    ['spaces around a hundred letters', ` ${'a'.repeat(100)} `],
    ['a hundred letters and what is taken out', `<${'a'.repeat(100)}>`],
    ['one letter more', 'a'.repeat(101)],
  ])('says of a title with %s what the schema judges', (_, title) => {
    const post = { title, description: 'x', category: 'repairs' };
    expect(counterOf(cleanLine(title), 100, 'en', label).over).toBe(
      !newPost.safeParse(post).success,
    );
  });

  test.each([
    ['fr', '', '0 caractère sur 500'],
    ['fr', 'a', '1 caractère sur 500'],
    ['fr', 'ab', '2 caractères sur 500'],
    ['en', 'a', '1 of 500 characters'],
  ] as const)('says in %s how much of “%s” is typed: %s', (language, text, sentence) => {
    for (const words of [
      dictionaries[language].connect.create,
      dictionaries[language].connect.update,
    ]) {
      const t = clientTranslator<{ counter_other: string }>(language, words);
      expect(
        counterOf(text, 500, language, (count, limit) => t('counter', { count, limit })).label,
      ).toBe(sentence);
    }
  });

  test('counts an emoji as one character', () => {
    expect(counterOf(clean('😀'.repeat(60)), 100, 'en', label).shown).toBe('60/100');
  });
});
