import { expect, test } from 'vitest';
import { judge, type Sample } from '../../dev/testbed/flat.ts';

/** Thirty samples of an idle market, each with changes. */
const samples = (change: (n: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: 30 }, (_, n) => ({
    ...{ megabytes: 200, connections: 30, files: 170, ms: 20 },
    ...change(n),
  }));
const risen = (given: readonly Sample[]) =>
  judge(given).flatMap(({ measure, flat }) => (flat ? [] : [measure]));

test('a watch names what rises after the warming, and nothing else', () => {
  expect(risen(samples())).toEqual([]);
  expect(risen(samples((n) => ({ megabytes: n < 5 ? 60 + 28 * n : 200 })))).toEqual([]);
  expect(risen(samples((n) => ({ megabytes: 200 + 4 * n })))).toEqual(['megabytes']);
  expect(risen(samples((n) => ({ connections: 30 + Math.floor(n / 3) })))).toEqual(['connections']);
  expect(risen(samples((n) => ({ files: 170 + 3 * n })))).toEqual(['files']);
  expect(risen(samples((n) => ({ ms: 20 + 2 * n })))).toEqual(['ms']);
  expect(risen(samples((n) => ({ ms: n % 3 ? 20 : Number.NaN })))).toEqual([]);
});
