import { expect, test } from 'vitest';
import { scaleOf } from '../../site/src/features/analytics/figures.ts';

test('a scale ends with a whole, round figure that holds every bar and leaves at most a third of the height empty', () => {
  expect([0, 1, 2, 3, 7, 12, 13, 99, 101, 1024].map(scaleOf)).toEqual([
    1, 1, 2, 3, 8, 12, 15, 100, 120, 1200,
  ]);
  for (let most = 1; most < 3000; most++) {
    expect(Number.isInteger(scaleOf(most))).toBe(true);
    expect(scaleOf(most)).toBeGreaterThanOrEqual(most);
    expect(most / scaleOf(most), String(most)).toBeGreaterThan(0.66);
  }
});
