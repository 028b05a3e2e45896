import { describe, expect, test } from 'vitest';
import { newPost } from '../../api/connect/schema.ts';
import { addressWith, askedIn } from '../../site/src/features/connect/address.ts';
import { emptyAnswers, isEmpty, readDraft, toPost, withoutNumber, withTag } from '../../site/src/features/connect/create/draft.ts';
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
    const answers = { ...emptyAnswers, title: 'Paint a room', tags: ['paint', 4], category: 9, unknown: 'x' };
    const draft = kept(JSON.stringify({ answers, key: 'key', at: now }));
    expect(draft).toEqual({ answers: { ...emptyAnswers, title: 'Paint a room', tags: ['paint'] }, key: 'key', at: now });
  });

  test('is forgotten after a month, and where it cannot be read', () => {
    for (const text of ['{', 'null', '[]', '{"answers":null,"key":"k","at":1}', JSON.stringify({ answers: {}, key: 'k', at: now - 31 * 86_400_000 })])
      expect(kept(text)).toBeNull();
  });

  test('is what the API takes: amounts as numbers, the tag that was not added yet, nothing for what was left empty', () => {
    const post = toPost({ ...emptyAnswers, title: 'Paint', description: 'A room', category: 'repairs', budgetMin: '0', tag: ' Walls ', tags: ['paint'] });
    expect(newPost.parse(post)).toMatchObject({ budgetMin: 0, budgetMax: null, tags: ['paint', 'Walls'], contactWhatsapp: undefined, city: undefined });
    expect([isEmpty(emptyAnswers), isEmpty({ ...emptyAnswers, tags: ['x'] }), isEmpty({ ...emptyAnswers, city: ' ' })]).toEqual([true, false, true]);
  });

  test('has each tag once, trimmed, however it is written', () => {
    expect(withTag(['Paint'], '  paint ')).toEqual(['Paint']);
    expect(withTag(['Paint'], ' spray   can ')).toEqual(['Paint', 'spray can']);
    expect(withTag(['Paint'], '   ')).toEqual(['Paint']);
  });
});

describe('a number in a text', () => {
  test('moves out of it as its field takes it', () => {
    expect(withoutNumber('Call me on 6 99 00 12 34 today')).toEqual({ text: 'Call me on today', number: '6 99 00 12 34' });
    expect(withoutNumber('237 699 00 12 34')).toEqual({ text: '', number: '+237 699 00 12 34' });
    expect(withoutNumber('+33 6 12 34 56 78, evenings')).toEqual({ text: ', evenings', number: '+33 6 12 34 56 78' });
    expect(withoutNumber('I pay 699 001 234 XAF')).toBeUndefined();
    for (const text of ['Call me on 6 99 00 12 34', '237 699 00 12 34', '+33 6 12 34 56 78'])
      expect(newPost.shape.contactWhatsapp.safeParse(withoutNumber(text)?.number).success, text).toBe(true);
  });
});

test('an address asks for one dialog, and keeps what else it was asked for', () => {
  expect([askedIn('?new'), askedIn('?search=a&buy='), askedIn('?newer'), askedIn('')]).toEqual(['new', 'buy', undefined, undefined]);
  const here = (search: string) => ({ pathname: '/connect', search });
  expect(addressWith(here(''), 'new')).toBe('/connect?new');
  expect(addressWith(here('?search=taxi&new'), 'buy')).toBe('/connect?search=taxi&buy');
  expect(addressWith(here('?new&search=taxi'))).toBe('/connect?search=taxi');
  expect(addressWith(here('?buy='))).toBe('/connect');
});
