import { describe, expect, test } from 'vitest';
import {
  alternates,
  detailsPath,
  path,
  productPath,
  slotPath,
  unprefixed,
} from '../../site/src/lib/paths.ts';

describe('paths', () => {
  test('carry the language only where the reader’s own address does', () => {
    expect(path('/shop/slot/3', { language: 'fr', prefixed: false })).toBe('/shop/slot/3');
    expect(path('/shop/3/pagne', { language: 'fr', prefixed: true })).toBe('/fr/shop/3/pagne');
    expect(path('/', { language: 'en', prefixed: true })).toBe('/en');
    expect(path('/?q=1#grid', { language: 'fr', prefixed: true })).toBe('/fr?q=1#grid');
  });

  test('change their language instead of piling prefixes up', () => {
    expect(path('/en/shop/3/pagne', { language: 'fr', prefixed: true })).toBe('/fr/shop/3/pagne');
    expect(path('/fr', { language: 'en', prefixed: false })).toBe('/');
  });

  test('know a language from a page that only begins like one', () => {
    expect(unprefixed('/french-press')).toEqual({ path: '/french-press', language: null });
    expect(unprefixed('/de/shop')).toEqual({ path: '/de/shop', language: null });
    expect(unprefixed('/fr?x=1')).toEqual({ path: '/?x=1', language: 'fr' });
  });

  test('lead to a slot, a product and its details', () => {
    expect(slotPath(3)).toBe('/shop/slot/3');
    expect(productPath(3, 'sac-de-haricots')).toBe('/shop/3/sac-de-haricots');
    expect(detailsPath(3)).toBe('/shop/3/details');
  });

  test('have alternates in both languages and one without', () => {
    expect(alternates('/fr/shop/3/pagne', 'https://marche54.cm')).toEqual({
      en: 'https://marche54.cm/en/shop/3/pagne',
      fr: 'https://marche54.cm/fr/shop/3/pagne',
      'x-default': 'https://marche54.cm/shop/3/pagne',
    });
  });
});
