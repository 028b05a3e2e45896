import { describe, expect, test } from 'vitest';
import { feeReferenceOf, laneOf, listingFee } from '../../api/listings/rules.ts';
import { type CompletenessInput, missingFields, splitLocation } from '../../api/products/rules.ts';
import { defaultDurationHours, durationHours, limits } from '../../api/products/schema.ts';
import { codeInSlug, productCode } from '../../api/shared/slugs/productCode.ts';
import { slugOf } from '../../api/shared/slugs/slug.ts';
import { inLanguage } from '../../api/shared/text.ts';
import { categories } from '../../db/vocabularies.ts';

describe('the listing fee (product §9)', () => {
  const table = [
    [24, 1000, 2500],
    [48, 2000, 5000],
    [72, 3000, 7500],
    [96, 4000, 8000],
    [120, 4500, 9000],
  ] as const;

  for (const [hours, standard, featured] of table) {
    test(`is ${standard} XAF for ${hours} hours standard and ${featured} featured`, () => {
      expect(listingFee(hours, 'standard')).toBe(standard);
      expect(listingFee(hours, 'featured')).toBe(featured);
    });
  }

  test('counts every begun day as a whole one', () => {
    expect(listingFee(1, 'standard')).toBe(1000);
    expect(listingFee(25, 'standard')).toBe(2000);
    expect(listingFee(49, 'featured')).toBe(7500);
    expect(listingFee(96.5, 'standard')).toBe(4500);
  });

  test('has no price for a span that cannot be chosen', () => {
    expect(() => listingFee(121, 'standard')).toThrow(RangeError);
    expect(() => listingFee(0, 'standard')).toThrow(RangeError);
    expect(() => listingFee(-24, 'featured')).toThrow(RangeError);
  });

  test('has a cell for every duration that the wizard offers', () => {
    expect(table.map(([hours]) => hours)).toEqual([...durationHours]);
    expect(defaultDurationHours).toBe(72);
  });
});

describe('a location', () => {
  test('is split at its first comma into city and region', () => {
    expect(splitLocation('Douala, Littoral')).toEqual({ city: 'Douala', region: 'Littoral' });
    expect(splitLocation('  Kribi ,South ')).toEqual({ city: 'Kribi', region: 'South' });
    expect(splitLocation('Buea, South-West, Cameroon')).toEqual({
      city: 'Buea',
      region: 'South-West, Cameroon',
    });
  });

  test('without a comma is a city alone', () => {
    expect(splitLocation(' Yaoundé ')).toEqual({ city: 'Yaoundé', region: '' });
    expect(splitLocation('Garoua,')).toEqual({ city: 'Garoua', region: '' });
  });
});

describe('a slug', () => {
  const id = '3f9c1d2e-0000-4000-8000-000000000000';

  test('writes accents and ligatures as plain letters', () => {
    expect(slugOf('Téléphone à Ébène', null, id)).toBe('telephone-a-ebene-3f9c1d2e');
    expect(slugOf('ŒUVRE d’Ægée Ç', null, id)).toBe('oeuvre-d-aegee-c-3f9c1d2e');
  });

  test.each([
    '𝗜𝗣𝗛𝗢𝗡𝗘 𝟭𝟯',
    '𝓘𝓹𝓱𝓸𝓷𝓮 𝟏𝟑',
    '𝕴𝖕𝖍𝖔𝖓𝖊 𝟙𝟛',
    '𝕀𝕡𝕙𝕠𝕟𝕖 𝟷𝟹',
    'Ｉｐｈｏｎｅ １３',
    'ⓘⓟⓗⓞⓝⓔ ①③',
    '🅘🅟🅗🅞🅝🅔 ❶❸',
    '🄸🄿🄷🄾🄽🄴 ➀➂',
    '🅸🅿🅷🅾🅽🅴 ١٣',
    'ɪᴘʜᴏɴᴇ ₁₃',
    'ᴵᵖʰᵒⁿᵉ ¹³',
    'i̶p̶h̶o̶n̶e̶ 1̶3̶',
  ])('writes %s as iphone 13', (name) => expect(slugOf(name, null, id)).toBe('iphone-13-3f9c1d2e'));

  test('is never the reserved word "details"', () => {
    expect(slugOf('details', null, id)).toBe('details-3f9c1d2e');
    expect(slugOf('', null, id)).toBe('3f9c1d2e');
  });

  test('falls back to the category or the id when no letter is left', () => {
    expect(slugOf('🔥🔥 ---', null, id)).toBe('3f9c1d2e');
    expect(slugOf('手机', null, id)).toBe('3f9c1d2e');
    expect(slugOf('手机', 'home_garden', id)).toBe('home-garden-3f9c1d2e');
  });

  test('keeps to what the database accepts, however long or odd the name is', () => {
    for (const name of [
      'a'.repeat(500),
      `${'word '.repeat(12)}x`,
      '--A--',
      'Prix: 1 000 XAF!!',
      '<b>x</b>',
    ]) {
      const slug = slugOf(name, null, id);
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(33);
    }
  });

  test('ends with a whole word where it can, and with the code that tells the product', () => {
    expect(slugOf('Smartphone 128 GB, green, with a year-old battery', null, id)).toBe(
      'smartphone-128-gb-green-3f9c1d2e',
    );
    expect(slugOf('abcdefghijklmnopqrstuvwx yz', null, id)).toBe(
      'abcdefghijklmnopqrstuvwx-3f9c1d2e',
    );
    expect(slugOf('a'.repeat(30), null, id)).toBe(`${'a'.repeat(24)}-3f9c1d2e`);
    for (const name of ['Radio', '', 'Smartphone 128 GB, green, with a year-old battery'])
      expect(codeInSlug(slugOf(name, null, id))).toBe(productCode(id));
    for (const slug of ['details', 'radio', 'radio-3f9c1d2', ''])
      expect(codeInSlug(slug)).toBeUndefined();
  });
});

describe('a fee reference', () => {
  test('has eight letters and figures that cannot be confused when read aloud', () => {
    expect(feeReferenceOf('3f9c1d2e-4b5a-4000-8000-000000000000')).toMatch(
      /^M54-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/,
    );
  });

  test('differs between products and is always the same for one', () => {
    const ids = Array.from(
      { length: 200 },
      (_, n) =>
        `${n.toString(16).padStart(8, '0')}-${(n * 7).toString(16).padStart(4, '0')}-4000-8000-000000000000`,
    );
    expect(new Set(ids.map(feeReferenceOf)).size).toBe(200);
    expect(feeReferenceOf(ids[3] as string)).toBe(feeReferenceOf(ids[3] as string));
  });
});

describe('the text of a product', () => {
  test('is read in the language of the page', () => {
    expect(inLanguage({ en: 'Chair', fr: 'Chaise' }, 'en')).toBe('Chair');
    expect(inLanguage({ en: 'Chair', fr: 'Chaise' }, 'fr')).toBe('Chaise');
  });

  test('falls back to the other language, and to nothing', () => {
    expect(inLanguage({ en: 'Chair' }, 'fr')).toBe('Chair');
    expect(inLanguage({ en: '   ', fr: ' Chaise ' }, 'en')).toBe('Chaise');
    expect(inLanguage({}, 'en')).toBeUndefined();
    expect(inLanguage({ en: ' ', fr: '' }, 'fr')).toBeUndefined();
    expect(inLanguage(null, 'en')).toBeUndefined();
  });

  test('may be one plain string for both', () => {
    expect(inLanguage(' Chair ', 'fr')).toBe('Chair');
    expect(inLanguage('  ', 'en')).toBeUndefined();
  });
});

test('a featured product waits in queue:featured and a standard one in queue:regular', () => {
  expect(laneOf('featured')).toBe('queue:featured');
  expect(laneOf('standard')).toBe('queue:regular');
});

describe('the missing fields of the integrity report', () => {
  const whole: CompletenessInput = {
    name: { en: 'Chair' },
    description: { en: 'A wooden chair.' },
    images: [{}],
    price: 5000,
    durationSeconds: 86_400,
    category: 'home_garden',
    sellerName: 'Ngono',
    sellerWhatsapp: '+237699001234',
    sellerLocation: 'Douala, Littoral',
    city: 'Douala',
    paymentMethod: 'cash',
  };

  test('are none for a whole product', () => {
    expect(missingFields(whole)).toEqual([]);
    expect(missingFields({ ...whole, name: 'Chair', description: 'A wooden chair.' })).toEqual([]);
  });

  const cases: [string, Partial<CompletenessInput>][] = [
    ['name', { name: null }],
    ['name', { name: { fr: 'Chaise' } }],
    ['name', { name: { en: ' ab ' } }],
    ['description', { description: null }],
    ['description', { description: { en: 'too short' } }],
    ['images', { images: [] }],
    ['price', { price: null }],
    ['price', { price: 99 }],
    ['duration_seconds', { durationSeconds: null }],
    ['category', { category: null }],
    ['seller_name', { sellerName: '  ' }],
    ['seller_whatsapp', { sellerWhatsapp: null }],
    ['seller_location', { sellerLocation: null, city: ' ' }],
    ['payment_method', { paymentMethod: null }],
  ];
  for (const [field, change] of cases) {
    test(`name ${field} when it is ${JSON.stringify(change)}`, () => {
      expect(missingFields({ ...whole, ...change })).toEqual([field]);
    });
  }

  test('take a city for a location', () => {
    expect(missingFields({ ...whole, sellerLocation: null })).toEqual([]);
  });

  test('are all named at once', () => {
    const nothing = {
      name: null,
      description: null,
      images: [],
      price: null,
      durationSeconds: null,
      category: null,
      sellerName: null,
      sellerWhatsapp: null,
      sellerLocation: null,
      city: null,
      paymentMethod: null,
    };
    expect(missingFields(nothing)).toHaveLength(10);
  });
});

test('there are ten categories, and the form has the limits of the specification', () => {
  expect(categories).toHaveLength(10);
  expect(limits).toMatchObject({
    name: { min: 3, max: 200 },
    description: { min: 10, max: 2000 },
    price: { min: 100, max: 10_000_000 },
    images: { min: 1, max: 5 },
  });
});
