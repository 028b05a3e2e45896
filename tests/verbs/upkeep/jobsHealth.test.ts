import { beforeEach, expect, test } from 'vitest';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { schema } from '../../../db/client.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp();
await actors(market);
beforeEach(() => market.reset());
const { jobRuns } = schema;

/** Finding of the check of jobs. */
async function finding(name: 'jobs') {
  const { checks } = await checkHealth(market.job('check-health'));
  const found = checks.find((check) => check.name === name);
  return { status: found?.status, code: found?.code, params: found?.params };
}
const ran = (name: string, columns: Partial<typeof jobRuns.$inferInsert> = {}) => {
  const now = market.clock.now();
  return market.db
    .insert(jobRuns)
    .values({ name, startedAt: now, finishedAt: now, outcome: 'done', runs: 1, ...columns });
};

test('one that never ran is late once its first run is overdue since the start', async () => {
  const never = ['back-up', 'tell-admins'];
  for (const { name } of schedule) if (!never.includes(name)) await ran(name);
  market.clock.advance({ minutes: 4 });
  expect(await finding('jobs')).toMatchObject({ status: 'healthy' });
  for (const [minutes, names] of [
    [2, 'tell-admins'],
    [3 * 24 * 60, 'back-up, tell-admins'],
  ] as const) {
    market.clock.advance({ minutes });
    await market.db.update(jobRuns).set({ startedAt: market.clock.now() });
    const late = { status: 'error', code: 'admin:health.jobsLate', params: { names } };
    expect(await finding('jobs')).toEqual(late);
  }
});

test('after a start late ones are a warning, until this process has missed a run', async () => {
  const long = new Date(market.clock.now().getTime() - 4 * 86_400_000);
  for (const { name } of schedule) await ran(name, { startedAt: long });
  expect(await finding('jobs')).toMatchObject({ status: 'warning' });
  market.clock.advance({ minutes: 5, seconds: 1 });
  expect(await finding('jobs')).toMatchObject({ status: 'error' });
});

test('every job of the timetable is missed once it stops', async () => {
  for (const { name } of schedule) await ran(name);
  market.clock.advance({ days: 3, seconds: 1 });
  const { params } = await finding('jobs');
  expect(String(params?.names).split(', ').sort()).toEqual(schedule.map((job) => job.name).sort());
});
