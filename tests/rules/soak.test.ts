import { expect, test } from 'vitest';
import { judge, type Sample } from '../../dev/soak/judge.ts';

/** Thirty samples of an idle market, each with changes. */
const samples = (change: (n: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: 30 }, (_, n) => {
    const still = {
      megabytes: 200,
      connections: 30,
      files: 170,
      p50: 20,
      p95: 150,
      ruler50: 5,
      ruler95: 8,
      answers: 500,
      failed: 0,
    };
    return { second: 30 * (n + 1), ...still, ...change(n) };
  });
const risen = (given: readonly Sample[]) =>
  judge(given).flatMap(({ measure, flat }) => (flat ? [] : [measure]));

test('a soak names what rises after the warming, and nothing else', () => {
  expect(risen(samples())).toEqual([]);
  expect(risen(samples((n) => ({ megabytes: n < 5 ? 60 + 28 * n : 200 })))).toEqual([]);
  expect(risen(samples((n) => ({ megabytes: 200 + 4 * n })))).toEqual(['megabytes']);
  expect(risen(samples((n) => ({ connections: 30 + Math.floor(n / 3) })))).toEqual(['connections']);
  expect(risen(samples((n) => ({ files: 170 + 3 * n })))).toEqual(['files']);
  expect(risen(samples((n) => ({ p50: 20 + 3 * n, p95: 150 + 20 * n })))).toEqual(['p50', 'p95']);
});

test('a machine that others make slow is no market that becomes slow', () => {
  expect(
    risen(samples((n) => (n < 15 ? {} : { p50: 60, p95: 450, ruler50: 15, ruler95: 24 }))),
  ).toEqual([]);
});
