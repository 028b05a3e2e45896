import { describe, expect, test } from 'vitest';
import { requireReadable } from '../../api/http/readable.ts';
import { openingHere } from '../../site/src/features/connect/address.ts';
import { referenceOf } from '../../site/src/features/connect/feed/news.ts';
import { budgetText, placeText } from '../../site/src/features/connect/feed/present.ts';
import { askedFor, feedAddress } from '../../site/src/features/connect/feed/query.ts';

const at = (query: string) => new URL(`http://market.test/connect${query}`);

describe('what a feed is asked for', () => {
  test('stands in the address, and what makes no sense there counts as not asked', () => {
    expect(askedFor(at(''))).toEqual({ category: 'all' });
    expect(askedFor(at('?search=%20tap%20&category=repairs&after=1.a'))).toEqual({
      search: 'tap',
      category: 'repairs',
      after: '1.a',
    });
    expect(
      askedFor(at(`?category=nothing&after=${'1'.repeat(81)}&search=${'a'.repeat(300)}`)),
    ).toEqual({ category: 'all', search: 'a'.repeat(200) });
  });

  test('is text that the API takes: no control characters, no half of a pair at the cut', () => {
    expect(askedFor(at('?search=%00'))).toEqual({ category: 'all' });
    expect(askedFor(at('?search=tap%00fuite'))).toEqual({ category: 'all', search: 'tap fuite' });
    const { search } = askedFor(at(`?search=${encodeURIComponent(`${'a'.repeat(199)}🔧`)}`));
    expect(search).toBe('a'.repeat(199));
    expect(() => requireReadable({ search })).not.toThrow();
  });

  test('makes an address without what goes without saying', () => {
    expect(feedAddress({ category: 'all' })).toBe('/connect');
    expect(feedAddress({ search: 'fuite d’eau', category: 'repairs', after: '1.a' })).toBe(
      '/connect?search=fuite+d%E2%80%99eau&category=repairs&after=1.a',
    );
  });

  test('is kept by the links that open a dialog', () => {
    expect(openingHere(at(''), 'new')).toBe('?new');
    expect(openingHere(at('?search=a%26b&buy'), 'new')).toBe('?search=a%26b&new');
    expect(openingHere(at('?new'), 'buy')).toBe('?buy');
  });
});

describe('a post on the board', () => {
  test.each([
    [null, null, null, null],
    [5000, 12_500, 'XAF 5,000 – XAF 12,500', '5 000 XAF – 12 500 XAF'],
    [5000, 5000, 'XAF 5,000', '5 000 XAF'],
    [5000, null, 'from XAF 5,000', 'à partir de 5 000 XAF'],
    [null, 5000, 'up to XAF 5,000', 'jusqu’à 5 000 XAF'],
    [0, 5000, 'up to XAF 5,000', 'jusqu’à 5 000 XAF'],
    [0, null, null, null],
    [null, 99.5, 'up to XAF 100', 'jusqu’à 100 XAF'],
  ])('says its budget from %s to %s whole, in XAF', (budgetMin, budgetMax, en, fr) => {
    const plain = (text: string | null) => text?.replaceAll(/\s/g, ' ') ?? null;
    expect([
      plain(budgetText({ budgetMin, budgetMax }, 'en')),
      plain(budgetText({ budgetMin, budgetMax }, 'fr')),
    ]).toEqual([en, fr]);
  });

  test('says its place from near to far, each once', () => {
    const molyko = { location: 'Molyko', city: 'Buea', region: null };
    expect(placeText({ ...molyko, regionCode: null }, 'fr')).toBe('Molyko, Buea');
    expect(placeText({ ...molyko, regionCode: 'south-west' }, 'fr')).toBe(
      'Molyko, Buea, Sud-Ouest',
    );
    const twice = { location: 'Bamenda', city: 'Bamenda', region: 'NW' };
    expect(placeText({ ...twice, regionCode: 'north-west' }, 'en')).toBe('Bamenda, North West');
    const none = { location: null, city: null, region: null, regionCode: null };
    expect(placeText(none, 'en')).toBe('');
  });

  test('is news where its category is shown', () => {
    const news = { kind: 'post', id: 'repairs.abcd2345' } as const;
    expect(['all', 'repairs', 'events'].map((category) => referenceOf(news, category))).toEqual([
      'abcd2345',
      'abcd2345',
      undefined,
    ]);
    expect(referenceOf({ kind: 'all', id: '' }, 'all')).toBeUndefined();
  });
});
