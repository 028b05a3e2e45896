import { describe, expect, test } from 'vitest';
import { ageOf } from '../../api/connect/rules.ts';
import { newPost, newUpdate } from '../../api/connect/schema.ts';
import { normalized, searchWords } from '../../api/shared/search.ts';

const post = { title: 'Plumber', description: 'My tap leaks', category: 'repairs' };
/** First error code of each field. */
const codesOf = (given: object) => {
  const issues = newPost.safeParse({ ...post, ...given }).error?.issues ?? [];
  return [...new Map(issues.toReversed().map(({ path, message }) => [path.join('.'), message]))]
    .toReversed()
    .map(([path, message]) => `${path}: ${message}`);
};
const parsed = (given: object) => newPost.parse({ ...post, ...given });

describe('how old a post is', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  test.each([
    [0, 0, 'minutes'],
    [59.9, 59, 'minutes'],
    [60, 1, 'hours'],
    [23 * 60 + 59, 23, 'hours'],
    [24 * 60, 1, 'days'],
    [10 * 24 * 60 + 5, 10, 'days'],
    [-5, 0, 'minutes'],
  ] as const)('%s minutes: %s %s', (minutes, count, unit) => {
    expect(ageOf(new Date(now.getTime() - minutes * 60_000), now)).toEqual({ count, unit });
  });
});

describe('words that are searched', () => {
  test('have no accents, capitals or signs, and are said once', () => {
    expect(normalized('  Électricien à l’œuvre: «Dépannage» n° 12! ')).toBe(
      'electricien a l oeuvre depannage n 12',
    );
    expect(searchWords('Eau eau EAU, éau')).toEqual(['eau']);
    expect(searchWords('a b c d e f g h i j')).toHaveLength(8);
    expect(searchWords(' .,! ')).toEqual([]);
  });
});

describe('a new service request', () => {
  test('wants a title, a description and a category', () => {
    expect(codesOf({ title: ' ', description: '', category: '' })).toEqual([
      'title: required',
      'description: required',
      'category: required',
    ]);
    expect(codesOf({ title: 'x'.repeat(101) })).toHaveLength(1);
    expect(codesOf({ description: 'x'.repeat(501) })).toHaveLength(1);
    expect(codesOf({ title: 'x'.repeat(100), description: 'x'.repeat(500) })).toEqual([]);
  });

  test('takes budgets of two decimals, the lower one first', () => {
    expect(parsed({ budgetMin: 0, budgetMax: 9_999_999_999.99 })).toMatchObject({
      budgetMin: 0,
      budgetMax: 9_999_999_999.99,
    });
    expect(codesOf({ budgetMin: 10.01, budgetMax: 10 })).toEqual(['budgetMax: budgetOrder']);
    expect(codesOf({ budgetMin: 0.001 })).toEqual(['budgetMin: decimals']);
    expect(codesOf({ budgetMin: -0.01 })).toHaveLength(1);
    expect(codesOf({ budgetMax: 10_000_000_000 })).toHaveLength(1);
    expect(codesOf({ budgetMin: Number.NaN })).toHaveLength(1);
    expect(codesOf({ budgetMin: null, budgetMax: null })).toEqual([]);
  });

  test('trims its tags and keeps each once', () => {
    expect(parsed({ tags: [' tap ', 'Tap', 'leak', 'tap'] }).tags).toEqual(['tap', 'leak']);
    expect(codesOf({ tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) })).toHaveLength(1);
    expect(codesOf({ tags: ['x'.repeat(31)] })).toHaveLength(1);
  });

  test('takes WhatsApp numbers of any country, Cameroon without its code', () => {
    expect(parsed({ contactWhatsapp: '699 00 10 00' }).contactWhatsapp).toBe('+237699001000');
    expect(parsed({ contactWhatsapp: '+33 6 12 34 56 78' }).contactWhatsapp).toBe('+33612345678');
    expect(parsed({ contactWhatsapp: '237699001234' }).contactWhatsapp).toBe('+237699001234');
    expect(parsed({ contactWhatsapp: '0033612345678' }).contactWhatsapp).toBe('+33612345678');
    expect(parsed({ contactWhatsapp: ' ' }).contactWhatsapp).toBeUndefined();
    for (const wrong of [
      '12',
      '+0123456789',
      '+237 123',
      '0612345678',
      '+12345678901234567',
      'call me',
    ])
      expect(codesOf({ contactWhatsapp: wrong }), wrong).toEqual(['contactWhatsapp: worldPhone']);
  });

  test('is asked to move a number into its field', () => {
    expect(codesOf({ title: 'Call 699001000' })).toEqual(['title: phoneInText']);
    expect(codesOf({ description: 'Call 699001000' })).toEqual(['description: phoneInText']);
    expect(codesOf({ tags: ['699001000'] })).toEqual(['tags.0: phoneInText']);
    expect(newUpdate.safeParse({ message: 'Call 699001000' }).success).toBe(false);
  });
});
