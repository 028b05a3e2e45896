import { expect, test } from 'vitest';
import { createLog } from '../../../api/ops/log.ts';
import { createReporter, sameReportMs } from '../../../api/ops/reporter.ts';
import { runJob } from '../../../jobs/run.ts';
import { testApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { losableDatabase } from '../../support/losableDatabase.ts';

const database = await losableDatabase(await freshDatabase());
const market = await testApp({ database });
const sent: { exception: { values: { type: string; value: string }[] }; extra: object }[] = [];
const send = async (_: unknown, { body }: RequestInit = {}) => {
  sent.push(JSON.parse(String(body).split('\n')[2] ?? ''));
  return new Response();
};
// Sampled errors are never sent: `random` is above the sample rate.
const reporter = createReporter({
  log: createLog({ level: 'critical', write: () => {} }),
  dsn: 'https://key@errors.example/42',
  random: () => 0.99,
  now: market.clock.now,
  fetch: send as typeof fetch,
});
const services = { ...market.services, reporter };
const messages = () => sent.splice(0).map(({ exception }) => exception.values[0]?.value);
const failing = (name: string) => ({
  name,
  pattern: '0 0 1 1 *',
  verb: async () => {
    throw new Error('network error: ENOSPC');
  },
});
const run = (name: string, signal?: AbortSignal) =>
  runJob({ ...market.host, services, ...(signal ? { signal } : {}) }, failing(name));

test('every failed job is reported whatever is sampled, the same one once in ten minutes', async () => {
  for (let n = 0; n < 3; n++) await run('back-up');
  await run('check-market');
  expect(messages()).toEqual(['The job back-up failed', 'The job check-market failed']);
  market.clock.advance({ milliseconds: sameReportMs });
  await run('back-up');
  expect(sent[0]).toMatchObject({ extra: { error: { message: 'network error: ENOSPC' } } });
  expect(messages()).toEqual(['The job back-up failed']);
  const figures = await services.metrics.registry.metrics();
  expect(figures).toContain('marche54_job_failures_total{job="back-up"} 4');
  reporter.report({ source: 'server', kind: 'error', message: 'sampled' });
  expect(messages()).toEqual([]);
});

test('a job that ends because the process stops is no failure', async () => {
  const stopped = AbortSignal.abort();
  await run('tell-admins', stopped);
  expect(messages()).toEqual([]);
});

test('alarms are reported each time', () => {
  for (let n = 0; n < 2; n++)
    reporter.report({ source: 'server', kind: 'alarm', message: 'The alarm diskFull began' });
  expect(messages()).toEqual(['The alarm diskFull began', 'The alarm diskFull began']);
});

test('a database that is away is reported by the jobs that cannot run', async () => {
  market.clock.advance({ milliseconds: sameReportMs });
  database.lose();
  try {
    expect(await run('judge-alarms')).toEqual({ outcome: 'failed' });
    expect(messages()).toEqual(['The job judge-alarms failed']);
  } finally {
    await database.bringBack();
  }
});
