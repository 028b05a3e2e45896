import { describe, expect, test } from 'vitest';
import { createBuckets } from '../../api/http/pace.ts';
import { standingClock } from '../support/clock.ts';

const take = (
  buckets: ReturnType<typeof createBuckets>,
  clock: ReturnType<typeof standingClock>,
  times: number,
  key = 'a',
) => Array.from({ length: times }, () => buckets.take(key, clock.now()));

describe('a pace', () => {
  test('lets so many pass at once and says how long the next one waits', () => {
    const clock = standingClock();
    expect(take(createBuckets({ burst: 3, seconds: 30 }, 10), clock, 5)).toEqual([
      0, 0, 0, 10_000, 10_000,
    ]);
  });

  test('gives back evenly, and never more than its burst', () => {
    const clock = standingClock();
    const buckets = createBuckets({ burst: 3, seconds: 30 }, 10);
    take(buckets, clock, 3);
    clock.advance({ seconds: 9 });
    expect(take(buckets, clock, 1)).toEqual([1000]);
    clock.advance({ seconds: 1 });
    expect(take(buckets, clock, 2)).toEqual([0, 10_000]);
    clock.advance({ days: 2 });
    expect(take(buckets, clock, 4).filter((wait) => wait === 0)).toHaveLength(3);
  });

  test('says how long the next one would wait, and takes nothing for that', () => {
    const clock = standingClock();
    const buckets = createBuckets({ burst: 1, seconds: 10 }, 10);
    expect([buckets.wait('a', clock.now()), buckets.wait('a', clock.now()), buckets.size]).toEqual([
      0, 0, 0,
    ]);
    take(buckets, clock, 1);
    clock.advance({ seconds: 4 });
    expect([buckets.wait('a', clock.now()), buckets.wait('b', clock.now())]).toEqual([6000, 0]);
    clock.advance({ seconds: 6 });
    expect([buckets.wait('a', clock.now()), ...take(buckets, clock, 2)]).toEqual([0, 0, 10_000]);
  });

  test('is each key’s own', () => {
    const clock = standingClock();
    const buckets = createBuckets({ burst: 1, seconds: 10 }, 10);
    expect([...take(buckets, clock, 2, 'a'), ...take(buckets, clock, 2, 'b')]).toEqual([
      0, 10_000, 0, 10_000,
    ]);
  });

  test('neither gives nor takes when the clock is set back', () => {
    const clock = standingClock();
    const buckets = createBuckets({ burst: 2, seconds: 20 }, 10);
    take(buckets, clock, 2);
    clock.advance({ hours: -1 });
    expect(take(buckets, clock, 1)).toEqual([10_000]);
    clock.advance({ seconds: 10 });
    expect(take(buckets, clock, 1)).toEqual([0]);
  });

  test('remembers so many keys and forgets the one not asked for longest', () => {
    const clock = standingClock();
    const buckets = createBuckets({ burst: 1, seconds: 10 }, 3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) buckets.take(key, clock.now());
    expect(buckets.size).toBe(3);
    expect(buckets.take('a', clock.now())).toBeGreaterThan(0);
    expect(buckets.take('b', clock.now())).toBe(0);
    for (let n = 0; n < 1000; n++) buckets.take(`made up ${n}`, clock.now());
    expect(buckets.size).toBe(3);
  });
});
