import { describe, expect, test } from 'vitest';
import { fold } from '../../../api/search/fold.ts';
import { askedIn, markedIn, queryOf, regionKey } from '../../../api/search/rules.ts';
import { slipsBetween, vocabularyOf } from '../../../api/search/slips.ts';
import { normalized } from '../../../api/shared/search.ts';
import { listings } from '../../../db/seed/listings.ts';
import kept from './kept.json';
import tuned from './tuned.json';

/** Misspelt words as people write them, and the word meant. Only `tuned` was looked at for the fold. */
const pairs = { tuned, kept } as Record<string, string[][]>;

const words = new Map<string, number>();
for (const [, meant = ''] of [...tuned, ...kept]) words.set(meant, 2);
for (const word of normalized(JSON.stringify(listings)).split(' '))
  if (/^[a-z]+$/.test(word)) words.set(word, (words.get(word) ?? 0) + 1);
const vocabulary = vocabularyOf(words);

describe('slips are forgiven', () => {
  test.each([
    ['tuned', 0.85],
    ['kept', 0.8],
  ])('in the list %s: at least a share of %d', (name, share) => {
    const given = (pairs[name] ?? []).filter(([slip = '']) => !words.has(normalized(slip)));
    const right = given.filter(
      ([slip = '', meant]) => vocabulary.nearest(normalized(slip)) === meant,
    );
    expect(given.length).toBeGreaterThan(75);
    expect(right.length / given.length).toBeGreaterThan(share);
  });

  test('by sound, then within one slip from four letters and two from eight', () => {
    const known = vocabularyOf(
      new Map([
        ['iphone', 1],
        ['lit', 1],
        ['pagne', 1],
        ['ventilateur', 1],
      ]),
    );
    expect(known.nearest('ifone')).toBe('iphone');
    expect(known.nearest('lot')).toBeUndefined();
    expect(known.nearest('pange')).toBe('pagne');
    expect(known.nearest('pxyne')).toBeUndefined();
    expect(known.nearest('vantlateur')).toBe('ventilateur');
    expect(known.nearest('12345')).toBeUndefined();
  });

  test('with a distance that counts swapped letters once and stops early', () => {
    expect(slipsBetween('pange', 'pagne', 2)).toBe(1);
    expect(slipsBetween('kitten', 'sitting', 3)).toBe(3);
    expect(slipsBetween('kitten', 'sitting', 2)).toBe(3);
    expect(slipsBetween('', 'ab', 2)).toBe(2);
    expect(slipsBetween('same', 'same', 0)).toBe(0);
  });

  test('with a fold that ends for any word', () => {
    expect(fold('')).toBe('');
    expect(fold('e'.repeat(10_000))).toBe('i');
    expect(fold('tissu')).toBe(fold('tisu'));
  });
});

describe('a search', () => {
  test('goes into an address and comes back', () => {
    const { asked } = askedIn({
      q: ' Télé  phone ',
      category: 'toys',
      min: '5 000',
      soon: 'on',
      page: '2',
    });
    const again = askedIn(Object.fromEntries(new URLSearchParams(queryOf(asked))));
    expect(again).toEqual({ asked, notes: [] });
    expect(queryOf(askedIn({}).asked)).toBe('');
    expect(regionKey(' Nord-Ouest ')).toBe('north-west');
    expect(regionKey('Pays Bamiléké')).toBe('pays-bamileke');
  });

  test('marks its words in any form, whatever their accents', () => {
    const hits = (text: string, ...given: string[]) =>
      markedIn(text, given).flatMap(({ text: part, hit }) => (hit ? [part] : []));
    expect(hits('Téléphones et télé', 'telephone')).toEqual(['Téléphones']);
    expect(hits('Un pagne, deux pagnes', 'pagnes')).toEqual(['pagne', 'pagnes']);
    expect(
      markedIn('<b>a & b</b>', [])
        .map(({ text }) => text)
        .join(''),
    ).toBe('<b>a & b</b>');
  });
});
