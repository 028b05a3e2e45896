import { describe, expect, test } from 'vitest';
import { newPost } from '../../api/connect/schema.ts';
import { addressWith, askedIn } from '../../site/src/features/connect/address.ts';
import {
  emptyAnswers,
  isEmpty,
  readDraft,
  toPost,
  withoutNumber,
  withTag,
} from '../../site/src/features/connect/create/draft.ts';
import { makeStorage } from '../../site/src/lib/storage.ts';

const place = 'marche54.draft.connect.7';
const now = Date.parse('2026-11-23T08:00:00Z');
const kept = (text: string) => {
  const storage = makeStorage(() => undefined);
  storage.set(place, text);
  return readDraft(storage, place, now);
};

describe('a draft of a post', () => {
  test('comes back with its key, without what is not of its kind', () => {
    const answers = {
      ...emptyAnswers,
      title: 'Paint a room',
      tags: ['paint', 4],
      category: 9,
      unknown: 'x',
    };
    const draft = kept(JSON.stringify({ answers, key: 'key', at: now }));
    expect(draft).toEqual({
      answers: { ...emptyAnswers, title: 'Paint a room', tags: ['paint'] },
      key: 'key',
      at: now,
    });
  });

  test('is forgotten after a month, and where it cannot be read', () => {
    for (const text of [
      '{',
      'null',
      '[]',
      '{"answers":null,"key":"k","at":1}',
      JSON.stringify({ answers: {}, key: 'k', at: now - 31 * 86_400_000 }),
    ])
      expect(kept(text)).toBeNull();
  });

  test('is what the API takes: amounts as numbers, the tag that was not added yet, nothing for what was left empty', () => {
    const post = toPost({
      ...emptyAnswers,
      title: 'Paint',
      description: 'A room',
      category: 'repairs',
      budgetMin: '0',
      tag: ' Walls ',
      tags: ['paint'],
    });
    expect(newPost.parse(post)).toMatchObject({
      budgetMin: 0,
      budgetMax: null,
      tags: ['paint', 'Walls'],
      contactWhatsapp: undefined,
      city: undefined,
    });
    expect([
      isEmpty(emptyAnswers),
      isEmpty({ ...emptyAnswers, tags: ['x'] }),
      isEmpty({ ...emptyAnswers, city: ' ' }),
    ]).toEqual([true, false, true]);
  });

  test('has each tag once, trimmed, however it is written', () => {
    expect(withTag(['Paint'], '  paint ')).toEqual(['Paint']);
    expect(withTag(['Paint'], ' spray   can ')).toEqual(['Paint', 'spray can']);
    expect(withTag(['Paint'], '   ')).toEqual(['Paint']);
  });
});

describe('a number in a text', () => {
  test.each([
    ['Call me on 6 99 00 12 34 today', 'Call me on today', '+237699001234'],
    ['237 699 00 12 34', '', '+237699001234'],
    ['+33 6 12 34 56 78, evenings', ', evenings', '+33612345678'],
    ['Mary (+237) 699-00-12-34.', 'Mary .', '+237699001234'],
    ['Mary (699 00 12 34) at 14h00', 'Mary at 14h00', '+237699001234'],
    ['On 8/12/2026 at 14h00: 6️⃣9️⃣9️⃣0️⃣0️⃣1️⃣2️⃣3️⃣4️⃣', 'On 8/12/2026 at 14h00:', '+237699001234'],
    ['6\u200b99\u00ad001\ufe0f234', '', '+237699001234'],
  ])('moves out of %j as its field takes it', (text, rest, number) => {
    expect(withoutNumber(text)).toEqual({ text: rest, number });
    expect(newPost.shape.contactWhatsapp.parse(number)).toBe(number);
  });

  test.each([
    'I pay 699 001 234 XAF',
    'Le 8/12/2026 14h00',
    '6/12/2026 - 15 people',
    'Landline 222 23 45 67',
  ])('is not offered to the field from %j', (text) => expect(withoutNumber(text)).toBeUndefined());
});

test('an address asks for one dialog, and keeps what else it was asked for', () => {
  expect([askedIn('?new'), askedIn('?search=a&buy='), askedIn('?newer'), askedIn('')]).toEqual([
    'new',
    'buy',
    undefined,
    undefined,
  ]);
  const here = (search: string) => ({ pathname: '/connect', search });
  expect(addressWith(here(''), 'new')).toBe('/connect?new');
  expect(addressWith(here('?search=taxi&new'), 'buy')).toBe('/connect?search=taxi&buy');
  expect(addressWith(here('?new&search=taxi'))).toBe('/connect?search=taxi');
  expect(addressWith(here('?buy='))).toBe('/connect');
});
