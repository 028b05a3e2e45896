import { beforeAll, expect, test } from 'vitest';
import { type Day, runDay } from '../../dev/day/day.ts';
import { kinds } from '../../dev/day/order.ts';
import { dayInWords, secondsUntilQuiet, verdictsOf } from '../../dev/day/report.ts';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';

/** A day of some seconds; `bun run day` runs an hour and judges its times. */
const database = await freshDatabase();
let day: Day;
beforeAll(async () => {
  const sizes = {
    seconds: 8,
    visits: 30,
    uploads: 3,
    chats: 2,
    members: 2,
    photos: 4,
    drainSeconds: 1,
    seed: 54,
  };
  day = await runDay({
    url: urlOf(database.target),
    front: 'own',
    ...sizes,
    everyone: true,
    say: () => {},
  });
}, 600_000);

test('a market day loses nothing that was acknowledged, and answers nothing with an error', () => {
  expect([day.lost, day.violations]).toEqual([[], []]);
  const { kill: _ofTheKill, ...faults } = day.report.faults;
  expect(faults).toEqual({});
  expect(day.acknowledged).toBeGreaterThan(50);
});

test('everything that belongs to a day has happened', () => {
  expect(day.troubles.done).toEqual({ backups: 1, restored: 0, checks: 1, restarts: 3, kills: 1 });
  const asked = new Set(Object.values(day.report.firstByte).flatMap((of) => Object.keys(of)));
  expect(kinds.filter((kind) => !asked.has(kind))).toEqual([]);
  expect(Object.keys(day.report.written).sort()).toEqual([
    'admin',
    'contact',
    'event',
    'message',
    'sign in',
    'upload',
  ]);
  expect(day.report.visits).toBeGreaterThan(30);
  expect(dayInWords(day)).toContain('acknowledged writes lost');
});

/** 500 answers of so many ms. */
const answers = (ms: number) => Array<number>(500).fill(ms);

test('a day in which something is missed says so', () => {
  const quick = Object.fromEntries(kinds.map((kind) => [kind, answers(20)]));
  const calm: Day = {
    ...day,
    ...{ lost: [], violations: [], peak: { from: 0, to: 10, times: 10 } },
    seen: Array.from({ length: 30 }, () => ({ ...(day.seen[0] as Day['seen'][number]) })),
    report: { ...day.report, faults: {}, firstByte: { quiet: quick, peak: quick }, bySecond: {} },
  };
  const missed = (changed: Partial<Day>, report: Partial<Day['report']> = {}) =>
    verdictsOf({ ...calm, ...changed, report: { ...calm.report, ...report } }).flatMap(
      ({ name, met }) => (met ? [] : [name]),
    );
  const slow = (kind: string, ms: number) => ({
    firstByte: { ...calm.report.firstByte, work: { [kind]: answers(ms) } },
  });
  expect(missed({})).toEqual([]);
  expect(missed({ lost: ['upload 7'] })).toEqual(['acknowledged writes lost']);
  expect(missed({ violations: ['a backup hung: '] })).toEqual([
    'rules broken, processes ended, backups failed',
  ]);
  expect(missed({}, { faults: { kill: { 'home: 502 /': 9 } } })).toEqual([]);
  expect(missed({}, { faults: { peak: { 'home: 502 /': 2 } } })).toEqual([
    '5xx other than 503 with Retry-After, and no answer: peak',
  ]);
  expect(missed({}, slow('home', 130))).toEqual(['first byte, p99, worst phase: home']);
  expect([
    missed({}, slow('list', 90)),
    missed({}, slow('list', 130)),
    missed({}, slow('list', 600)),
  ]).toEqual([[], ...Array(2).fill(['first byte, p99, worst phase: list'])]);
  const files = calm.seen.map((seen, n) => ({ ...seen, files: 300 + 10 * n }));
  expect(missed({ seen: files })).toEqual([expect.stringContaining('flat: files')]);
});

test('a market is back to quiet when two windows in a row are', () => {
  const of = (slow: number) => {
    const bySecond = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [n, answers(n < 10 + slow ? 900 : 20)]),
    );
    const report = { ...day.report, bySecond, firstByte: { quiet: { home: answers(20) } } };
    return secondsUntilQuiet({ report, peak: { from: 0, to: 10, times: 10 } });
  };
  expect([of(0), of(12), of(400)]).toEqual([0, 12, undefined]);
});
