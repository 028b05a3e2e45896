import { describe, expect, test } from 'vitest';
import { whatsappLink } from '../../api/contact/rules.ts';
import {
  fallbackDurationSeconds,
  manualDurationSeconds,
  slotState,
} from '../../api/listings/rules.ts';
import { isPremium, premiumCount, slotCount, slotNumber } from '../../api/shared/slots.ts';
import { assign, type Waiting } from '../../api/slots/rules.ts';

const featured = (
  productId: string,
  preferredFeaturedSlot: number | null = null,
  durationSeconds: number | null = 86_400,
): Waiting => ({
  productId,
  queueName: 'queue:featured',
  preferredFeaturedSlot,
  durationSeconds,
});
const regular = (productId: string, durationSeconds: number | null = 86_400): Waiting => ({
  productId,
  queueName: 'queue:regular',
  preferredFeaturedSlot: null,
  durationSeconds,
});
const places = (empty: number[], waiting: Waiting[]) =>
  Object.fromEntries(assign(empty, waiting).map(({ productId, slotId }) => [productId, slotId]));

describe('the slots (product §9)', () => {
  test('are 54, of which 1 to 10 are premium', () => {
    expect(slotCount).toBe(54);
    expect(premiumCount).toBe(10);
    expect(Array.from({ length: slotCount }, (_, n) => n + 1).filter(isPremium)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(isPremium(10)).toBe(true);
    expect(isPremium(11)).toBe(false);
    expect(isPremium(0)).toBe(false);
  });

  test('are written with two digits', () => {
    expect([1, 9, 10, 54].map(slotNumber)).toEqual(['01', '09', '10', '54']);
  });

  test('run 72 hours when assigned by hand and 6 hours without a duration', () => {
    expect(manualDurationSeconds).toBe(259_200);
    expect(fallbackDurationSeconds).toBe(21_600);
  });
});

describe('the assignment of empty slots (product R5)', () => {
  test('fills 1-10 from the featured lane and 11-54 from the regular one', () => {
    expect(
      places([9, 10, 11, 12], [featured('f1'), featured('f2'), regular('r1'), regular('r2')]),
    ).toEqual({ f1: 9, f2: 10, r1: 11, r2: 12 });
  });

  test('never lets one lane use the other lane’s slots', () => {
    expect(places([11, 12], [featured('f1')])).toEqual({});
    expect(places([1, 10], [regular('r1')])).toEqual({});
  });

  test('takes the lowest number first, in whatever order the empty slots are named', () => {
    expect(places([30, 12, 20], [regular('r1'), regular('r2')])).toEqual({ r1: 12, r2: 20 });
  });

  test('tries a preferred slot first', () => {
    expect(places([2, 5, 7], [featured('f1', 7)])).toEqual({ f1: 7 });
  });

  test('gives another premium slot when the preferred one is taken', () => {
    expect(places([2, 5], [featured('f1', 7)])).toEqual({ f1: 2 });
  });

  test('gives a slot that two prefer to the one who is ahead', () => {
    expect(places([2, 5], [featured('first', 5), featured('second', 5)])).toEqual({
      first: 5,
      second: 2,
    });
  });

  test('leaves a wished-for slot to the one behind as long as another is free', () => {
    expect(places([1, 2], [featured('no preference'), featured('prefers 1', 1)])).toEqual({
      'no preference': 2,
      'prefers 1': 1,
    });
  });

  test('overtakes nobody for the sake of a preference', () => {
    expect(places([3], [featured('first'), featured('second', 3)])).toEqual({ first: 3 });
  });

  test('passes on the duration that the seller chose, or six hours without one', () => {
    expect(assign([11, 12], [regular('chosen', 172_800), regular('none', null)])).toEqual([
      { productId: 'chosen', slotId: 11, seconds: 172_800 },
      { productId: 'none', slotId: 12, seconds: 21_600 },
    ]);
  });

  test('gives nobody two slots and no slot twice', () => {
    const waiting = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0 ? featured(`p${n}`, n % 2 ? 4 : null) : regular(`p${n}`),
    );
    const result = assign(
      Array.from({ length: 54 }, (_, n) => n + 1),
      waiting,
    );
    expect(new Set(result.map((a) => a.slotId)).size).toBe(result.length);
    expect(new Set(result.map((a) => a.productId)).size).toBe(result.length);
    expect(result).toHaveLength(10 + 40);
  });
});

describe('the state of a slot', () => {
  const now = new Date('2026-11-23T08:00:00Z');
  const at = (ms: number) => new Date(now.getTime() + ms);

  test('is live until its very last millisecond and expired from zero', () => {
    expect(slotState({ active: true, endTime: at(1), pausedAt: null }, now)).toBe('live');
    expect(slotState({ active: true, endTime: at(0), pausedAt: null }, now)).toBe('expired');
    expect(slotState({ active: true, endTime: at(-1), pausedAt: null }, now)).toBe('expired');
  });

  test('is paused whatever its end says', () => {
    expect(slotState({ active: true, endTime: at(1000), pausedAt: at(-5) }, now)).toBe('paused');
    expect(slotState({ active: true, endTime: at(-1000), pausedAt: at(-5) }, now)).toBe('paused');
  });

  test('is empty when it is inactive or has no end', () => {
    expect(slotState({ active: false, endTime: null, pausedAt: null }, now)).toBe('empty');
    expect(slotState({ active: true, endTime: null, pausedAt: null }, now)).toBe('empty');
  });
});

test('the messaging-app link carries the number without its plus and the greeting encoded', () => {
  expect(whatsappLink('+237699001234', 'Hello, “Chair” & co (slot #07)?')).toBe(
    'https://wa.me/237699001234?text=Hello%2C%20%E2%80%9CChair%E2%80%9D%20%26%20co%20(slot%20%2307)%3F',
  );
});
