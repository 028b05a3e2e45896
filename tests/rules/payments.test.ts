import { describe, expect, test } from 'vitest';
import { prices } from '../../api/credits/rules.ts';
import { pack, priceInXaf, weeklyLimit, weekStart } from '../../api/payments/rules.ts';

describe('the week of the purchase limit (product R37)', () => {
  const start = (moment: string) => weekStart(new Date(moment)).toISOString();

  test('begins on Monday at midnight in Douala, an hour before it does in UTC', () => {
    expect(start('2026-11-22T22:59:59.999Z')).toBe('2026-11-15T23:00:00.000Z');
    expect(start('2026-11-22T23:00:00.000Z')).toBe('2026-11-22T23:00:00.000Z');
    expect(start('2026-11-23T08:00:00.000Z')).toBe('2026-11-22T23:00:00.000Z');
    expect(start('2026-11-29T22:59:59.000Z')).toBe('2026-11-22T23:00:00.000Z');
    expect(start('2027-01-01T12:00:00.000Z')).toBe('2026-12-27T23:00:00.000Z');
  });

  test('counts what was bought in it, and says in how many days it is over', () => {
    const now = new Date('2026-11-25T10:00:00.000Z');
    expect(weeklyLimit({ limit: 20, spent: 10, now })).toEqual({
      can_purchase: true,
      weekly_limit: 20,
      remaining_limit: 10,
      week_start: '2026-11-22T23:00:00.000Z',
      days_left: 5,
    });
    expect(weeklyLimit({ limit: 20, spent: 20, now })).toMatchObject({
      can_purchase: false,
      remaining_limit: 0,
    });
    expect(weeklyLimit({ limit: 15, spent: 10, now })).toMatchObject({
      can_purchase: false,
      remaining_limit: 5,
    });
    expect(weeklyLimit({ limit: 15, spent: 10, amount: 5, now })).toMatchObject({
      can_purchase: true,
    });
    // A limit lowered after the purchases leaves nothing to spend or owe.
    expect(weeklyLimit({ limit: 0, spent: 20, now })).toMatchObject({
      can_purchase: false,
      remaining_limit: 0,
    });
    expect(
      weeklyLimit({ limit: 20, spent: 20, now: new Date('2026-11-29T22:59:59.999Z') }),
    ).toMatchObject({ days_left: 1 });
    expect(
      weeklyLimit({ limit: 20, spent: 0, now: new Date('2026-11-22T23:00:00.000Z') }),
    ).toMatchObject({ days_left: 7 });
  });
});

test('a price in XAF holds from its day on', () => {
  const rate = { rate: 610, from: '2026-11-23' };
  expect(priceInXaf(10, rate, '2026-11-22')).toBeNull();
  expect(priceInXaf(10, rate, '2026-11-23')).toEqual({ amount: 6100, ...rate });
  expect(priceInXaf(10, { ...rate, rate: 0 }, '2026-11-23')).toBeNull();
  expect(priceInXaf(10, { ...rate, from: '' }, '2026-11-23')).toBeNull();
  for (const [given, amount] of [
    [605.5, 6055],
    [605.51, 6060],
    [655.957, 6560],
    [600.01, 6005],
    [0.01, 5],
  ] as const)
    expect(priceInXaf(10, { ...rate, rate: given }, '2026-11-23')?.amount).toBe(amount);
});

test('credits cost and pay what product §9 says', () => {
  expect(prices).toEqual({ post: 2, response: 1, post_update: 2 });
  expect([pack, pack.usd / pack.credits]).toEqual([{ credits: 25, usd: 10 }, 0.4]);
});
