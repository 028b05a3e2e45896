import { expect, test } from 'vitest';
import { side, stallMap } from '../../site/src/features/selling/stallMap.ts';
import { rowsOf } from '../../site/src/lib/rows.ts';

test('the stall map shows every stall whole, once and in order, for any count', () => {
  for (let count = 1; count <= 200; count++) {
    const { width, height, stalls } = stallMap(count);
    expect(stalls.map(({ slot }) => slot)).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    expect(new Set(stalls.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
    const cut = stalls.filter(
      ({ x, y }) => x < 0 || y < 0 || x + side > width || y + side > height,
    );
    expect(cut, `of ${count}`).toEqual([]);
  }
});

test.each([
  [10, 12, [10]],
  [44, 12, [11, 11, 11, 11]],
  [48, 12, [12, 12, 12, 12]],
  [45, 12, [12, 11, 11, 11]],
  [54, 18, [18, 18, 18]],
  [60, 18, [15, 15, 15, 15]],
  [0, 18, []],
])('%i stalls in rows of at most %i', (count, longest, lengths) => {
  const list = Array.from({ length: count }, (_, n) => n);
  const rows = rowsOf(list, longest);
  expect(rows.map((row) => row.length)).toEqual(lengths);
  expect(rows.flat()).toEqual(list);
});
