import { describe, expect, test } from 'vitest';
import { submission } from '../../api/products/schema.ts';
import {
  asKept,
  type EditedProduct,
  emptyAnswers,
  keptAnswers,
  readDraft,
  rememberSubmitted,
  stillThere,
  toCorrection,
  toSubmission,
  wasSubmitted,
} from '../../site/src/features/selling/wizard/draft.ts';
import { countPixels, hasTooManyPixels } from '../../site/src/features/selling/wizard/pixels.ts';
import { stepsFor } from '../../site/src/features/selling/wizard/steps.ts';
import { makeStorage } from '../../site/src/lib/storage.ts';
import { awkwardNames, rightToLeft } from '../support/names.ts';
import * as photos from '../support/photos.ts';

const place = 'marche54.draft.seller.x';
const hour = 3_600_000;
type Asks = NonNullable<EditedProduct['correction']>['asks'];
const now = Date.parse('2026-11-23T08:00:00Z');
const kept = (draft: object) => {
  const storage = makeStorage(() => undefined);
  storage.set(
    place,
    JSON.stringify({ answers: {}, step: 2, photos: [], key: 'key', at: now, ...draft }),
  );
  return readDraft(storage, place, now);
};
const photo = { key: 'a', name: 'a.jpg', size: 10, was: 20 };
const copy = { id: '1', src: '/media/a.webp' };

describe('a draft that is read back', () => {
  test('has its answers, its step and its photos in their order', () => {
    const draft = kept({
      answers: { 'name.en': 'Basket', price: '500', durationHours: 24 },
      photos: [
        { ...photo, ...copy, sentAt: now - hour },
        { ...photo, key: 'b' },
      ],
    });
    expect(draft).toMatchObject({
      answers: { 'name.en': 'Basket', price: '500', durationHours: 24 },
      step: 2,
      key: 'key',
    });
    expect(draft?.photos.map(({ key, id }) => [key, id])).toEqual([
      ['a', '1'],
      ['b', undefined],
    ]);
  });

  test('takes a photo that the server has thrown away for one that must be sent again', () => {
    expect(kept({ photos: [{ ...photo, ...copy, sentAt: now - 24 * hour }] })?.photos).toEqual([
      photo,
    ]);
  });

  test('keeps the photos of a draft that the account has: they stay with it', () => {
    const old = { ...photo, ...copy, sentAt: now - 24 * hour };
    expect(
      kept({ photos: [old], synced: { seen: '2026-11-22T08:00:00Z', sent: '' } })?.photos,
    ).toEqual([old]);
  });

  test('is what differs from an empty form, and what it was found with', () => {
    const chosen = { ...emptyAnswers, price: '500' };
    expect(keptAnswers(chosen, emptyAnswers, {})).toEqual({ price: '500' });
    expect(
      keptAnswers(chosen, emptyAnswers, { listingType: 'standard', category: 'other' }),
    ).toEqual({ price: '500', listingType: 'standard' });
  });

  test('leaves out answers of the wrong kind, and is none after thirty days or when it cannot be read', () => {
    expect(
      kept({ answers: { 'name.en': 5, durationHours: '24', stranger: 'x', price: '500' } })
        ?.answers,
    ).toEqual({ price: '500' });
    expect(kept({ at: now - 31 * 24 * hour })).toBeNull();
    expect(kept({ photos: [{ name: 'no key' }] })).toBeNull();
    expect(Object.keys(emptyAnswers)).toContain('sellerId');
  });

  test('of a change drops the photos that the product itself has lost', () => {
    const own = { ...photo, id: 'gone', src: '/x', sentAt: Number.MAX_SAFE_INTEGER };
    expect(
      stillThere([own, photo], { id: 'p', listed: true, answers: {}, photos: [], fee: null }),
    ).toEqual([photo]);
  });

  test('is known as submitted, as are the nineteen before it', () => {
    const storage = makeStorage(() => undefined);
    for (let n = 1; n <= 21; n++) rememberSubmitted(storage, `key ${n}`);
    expect([
      wasSubmitted(storage, 'key 1'),
      wasSubmitted(storage, 'key 2'),
      wasSubmitted(storage, 'key 21'),
    ]).toEqual([false, true, true]);
  });
});

describe('what the review shows', () => {
  const texts = [
    '  <b>Radio</b>  a\n b ',
    'JavaScript:go onclick = x',
    'Samsung\u202e41A',
    'two\n\nparagraphs',
    rightToLeft,
    ...awkwardNames,
  ];

  test('is what the API will keep, field by field', () => {
    for (const text of texts) {
      const name = `Name ${text}`;
      const answers = {
        ...emptyAnswers,
        ...{
          'name.en': name,
          'name.fr': text,
          'description.en': `A long text: ${text}`,
          'description.fr': text,
        },
        ...{
          category: 'other',
          price: '5 000',
          sellerName: name,
          sellerWhatsapp: ' 6 99 00 12 34 ',
          sellerLocation: name,
          businessName: text,
        },
        paymentMethod: 'cash',
      };
      const images = ['00000000-0000-4000-8000-000000000000'];
      const kept = submission.parse(toSubmission(answers, images));
      const shown = asKept(answers);
      expect({
        name: { en: shown['name.en'], fr: shown['name.fr'] },
        description: { en: shown['description.en'], fr: shown['description.fr'] },
      }).toEqual({ name: kept.name, description: kept.description });
      for (const field of [
        'sellerName',
        'sellerWhatsapp',
        'sellerLocation',
        'businessName',
      ] as const)
        expect(shown[field]).toBe(kept[field]);
    }
  });

  test('leaves a number that is none as it was typed', () => {
    expect(asKept({ ...emptyAnswers, sellerWhatsapp: ' 12 34' }).sellerWhatsapp).toBe('12 34');
  });
});

describe('the pixels of a picture, by its header', () => {
  for (const [kind, make] of [
    ['JPEG', photos.jpeg],
    ['PNG', photos.png],
    ['WebP', photos.webp],
  ] as const) {
    test(`are those of a ${kind}`, async () =>
      expect(await countPixels(new Blob([new Uint8Array(await make(120))]))).toBe(120 * 80));
  }

  test('of a phone’s JPEG are found behind its EXIF', async () => {
    expect(await countPixels(new Blob([new Uint8Array(await photos.phonePhoto(900))]))).toBe(
      900 * 600,
    );
  });

  test('are none of a text, nor of a header that breaks off', async () => {
    expect(await countPixels(new Blob([new Uint8Array(photos.textFile())]))).toBe(0);
    expect(await countPixels(new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])]))).toBe(0);
    expect(await countPixels(new Blob([]))).toBe(0);
  });

  test('are too many above 120 megapixels, whatever the file weighs', async () => {
    const isRefused = (width: number, height: number) =>
      hasTooManyPixels(new Blob([new Uint8Array(photos.bombPng(width, height))]));
    expect(await isRefused(8160, 6144)).toBe(false);
    expect(await isRefused(12_000, 9_000)).toBe(false);
    expect(await isRefused(16_000, 8_000)).toBe(true);
  });
});

describe('what an admin fills in of a product (decision 038)', () => {
  const asks = (overrides: Partial<Asks> = {}): Asks => ({
    duration: false,
    payment: false,
    photos: true,
    ...overrides,
  });
  const answers = {
    ...emptyAnswers,
    'name.en': 'Chair',
    'description.en': 'A chair with four legs',
    category: 'other',
    price: '5 000',
    paymentMethod: 'cash',
  };

  test('has the steps for what is asked, and no more', () => {
    expect(stepsFor()).toEqual(['basic', 'pricing', 'images', 'seller', 'payment', 'review']);
    expect(stepsFor({})).toEqual(['basic', 'pricing', 'images', 'seller', 'review']);
    expect(
      stepsFor({ correction: { seen: '', asks: asks({ payment: true, photos: false }) } }),
    ).toEqual(['basic', 'pricing', 'seller', 'payment', 'review']);
  });

  test('leaves out what its seller chose, and photos that nobody can name', () => {
    const seen = '2026-11-22T08:00:00.000Z';
    const whole = toCorrection(answers, ['photo'], {
      seen,
      asks: asks({ duration: true, payment: true }),
    });
    expect(whole).toMatchObject({
      seen,
      images: ['photo'],
      durationHours: 72,
      paymentMethod: 'cash',
      price: 5000,
    });
    expect(Object.keys(whole)).not.toContain('listingType');
    const little = toCorrection(answers, [], { seen, asks: asks({ photos: false }) });
    for (const name of ['images', 'durationHours', 'paymentMethod', 'sellerId'])
      expect(little).not.toHaveProperty(name);
  });
});
