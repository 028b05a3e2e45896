import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { schema } from '../../../db/client.ts';
import { runJob, startJobs } from '../../../jobs/run.ts';
import { type Job, schedule } from '../../../jobs/schedule.ts';
import { testApp } from '../../support/app.ts';

const market = await testApp();
beforeEach(() => market.reset());
const { jobRuns } = schema;
const never = '0 0 1 1 *';
const job = (verb: Job['verb'], overrides: Partial<Job> = {}): Job => ({
  name: 'test-job',
  pattern: never,
  verb,
  ...overrides,
});
const record = async (name = 'test-job') =>
  (await market.db.select().from(jobRuns).where(eq(jobRuns.name, name)))[0];
const secondProcess = () => ({ ...market.host, ...market.database.another({ max: 4 }) });

describe('a job', () => {
  test('acts as the market itself, by the market’s clock', async () => {
    const outcome = await runJob(
      market.host,
      job(async (ctx) => ({
        kind: ctx.actor.kind,
        now: ctx.now().toISOString(),
        visitor: ctx.client.visitor,
      })),
    );
    expect(outcome).toEqual({
      outcome: 'done',
      detail: { kind: 'job', now: market.clock.now().toISOString(), visitor: null },
    });
  });

  test('records when it ran and how it ended', async () => {
    await runJob(
      market.host,
      job(async () => 7),
    );
    await runJob(
      market.host,
      job(async () => ({ count: 8 })),
    );
    expect(await record()).toMatchObject({
      outcome: 'done',
      startedAt: market.clock.now(),
      finishedAt: market.clock.now(),
      detail: { count: 8 },
      runs: 2,
      failuresInARow: 0,
    });
  });

  test('that fails throws nothing, is logged whole and counted, until it works again', async () => {
    const failing = job(async () => {
      throw new Error('the disk is full');
    });
    for (let n = 0; n < 2; n++)
      expect(await runJob(market.host, failing)).toEqual({ outcome: 'failed' });
    expect(await record()).toMatchObject({
      outcome: 'failed',
      detail: { message: 'the disk is full' },
      runs: 2,
      failuresInARow: 2,
    });
    expect(market.logged.filter((line) => line.level === 'error')).toMatchObject([
      { job: 'test-job', error: { message: 'the disk is full' } },
      {},
    ]);
    await runJob(
      market.host,
      job(async () => null),
    );
    expect(await record()).toMatchObject({ outcome: 'done', runs: 3, failuresInARow: 0 });
  });

  test('does not run while another process runs it, and can run afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    let runs = 0;
    const slow = job(async () => {
      runs++;
      started.resolve();
      await gate.promise;
    });
    const first = runJob(market.host, slow);
    await started.promise;
    expect(await record()).toMatchObject({ outcome: 'running', finishedAt: null });
    expect(await runJob(secondProcess(), slow)).toEqual({ outcome: 'elsewhere' });
    gate.resolve();
    expect((await first).outcome).toBe('done');
    expect(await runJob(secondProcess(), slow)).toMatchObject({ outcome: 'done' });
    expect(runs).toBe(2);
  });

  test('runs once for each moment of the timetable, in whichever process begins first', async () => {
    let runs = 0;
    const counting = job(async () => ++runs);
    const due = market.clock.now();
    expect(await runJob(market.host, counting, due)).toMatchObject({ outcome: 'done' });
    market.clock.advance({ seconds: 2 });
    expect(await runJob(secondProcess(), counting, due)).toEqual({ outcome: 'elsewhere' });
    expect(await runJob(secondProcess(), counting, market.clock.now())).toMatchObject({
      outcome: 'done',
      detail: 2,
    });
  });

  test('runs again after a run of a clock that was a year ahead', async () => {
    const host = {
      ...market.host,
      now: () => new Date(market.clock.now().getTime() + 365 * 86_400_000),
    };
    expect(
      await runJob(
        host,
        job(async () => 1),
      ),
    ).toMatchObject({ outcome: 'done' });
    expect(
      await runJob(
        market.host,
        job(async () => 2),
        market.clock.now(),
      ),
    ).toMatchObject({ outcome: 'done', detail: 2 });
  });

  test('keeps its lock for as long as it works, however long that is', async () => {
    const host = { ...market.host, lockSeconds: 0.4 };
    const slow = job(async () => {
      await market.sql`select pg_sleep(1)`;
      return runJob(secondProcess(), slow);
    });
    expect(await runJob(host, slow)).toEqual({ outcome: 'done', detail: { outcome: 'elsewhere' } });
  });

  test('is told when its lock is lost in the middle, and the process lives on', async () => {
    const holders =
      "select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
    let told = false;
    const ended = Promise.withResolvers<void>();
    const host = { ...secondProcess(), lockSeconds: 0.1 };
    await runJob(
      host,
      job(async ({ signal }) => {
        await market.sql.unsafe(
          `select pg_terminate_backend(pid, 5000) from (${holders}) as holder`,
        );
        await market.sql`select pg_sleep(0.3)`;
        told = signal?.aborted ?? false;
        ended.resolve();
      }),
    );
    await ended.promise;
    expect(told).toBe(true);
  });

  test('of another name runs beside it', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const waiting = () => {
      started.resolve();
      return gate.promise;
    };
    const first = runJob(market.host, job(waiting));
    await started.promise;
    expect(
      await runJob(
        market.host,
        job(async () => 1, { name: 'another-job' }),
      ),
    ).toMatchObject({ outcome: 'done' });
    gate.resolve();
    await first;
  });

  test('whose connection is lost in the middle ends, harms nobody, and can run again', async () => {
    const host = secondProcess();
    const holders =
      "select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
    const ending = runJob(
      host,
      job(
        async () =>
          void (await market.sql.unsafe(
            `select pg_terminate_backend(pid, 5000) from (${holders}) as holder`,
          )),
      ),
    );
    await Promise.race([
      ending,
      new Promise((_, reject) => setTimeout(() => reject(new Error('The job never ended')), 5000)),
    ]);
    expect(
      await runJob(
        host,
        job(async () => 'again'),
      ),
    ).toMatchObject({ outcome: 'done', detail: 'again' });
    expect(
      await runJob(
        market.host,
        job(async () => 'elsewhere'),
      ),
    ).toMatchObject({ outcome: 'done' });
  });
});

describe('the timetable', () => {
  test('assigns every five minutes (product §1, §9), delivers, counts and cleans', () => {
    expect(Object.fromEntries(schedule.map((entry) => [entry.name, entry.pattern]))).toMatchObject({
      'process-queue': '*/5 * * * *',
      'deliver-outbox': '*/30 * * * * *',
      'ask-about-payments': '*/10 * * * * *',
      'roll-up-engagement': '*/20 * * * * *',
      'clean-abandoned-uploads': '17 * * * *',
      'forget-drafts': '11 * * * *',
      'forget-idempotency-keys': '23 3 * * *',
      'forget-old-rows': '29 3 * * *',
    });
    expect(new Set(schedule.map((entry) => entry.name)).size).toBe(schedule.length);
  });

  for (const entry of schedule) {
    test(`runs ${entry.name} twice without harm`, async () => {
      expect(await runJob(market.host, entry)).toMatchObject({ outcome: 'done' });
      expect(await runJob(market.host, entry)).toMatchObject({ outcome: 'done' });
    });
  }

  test('starts what is due at the start, and waits for it when it stops', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const waiting = () => {
      started.resolve();
      return gate.promise;
    };
    let ended = false;
    const jobs = startJobs(market.host, [
      job(waiting, { atStart: true }),
      job(async () => 1, { name: 'later' }),
    ]);
    await started.promise;
    const stopped = jobs.stop().then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    gate.resolve();
    await stopped;
    expect(await record()).toMatchObject({ outcome: 'done' });
    expect(await record('later')).toBeUndefined();
  });

  test('runs what is due in one of two processes, each moment once', async () => {
    const began: number[] = [];
    const everySecond = job(async () => began.push(Math.floor(Date.now() / 1000)), {
      pattern: '* * * * * *',
    });
    const both = [
      { ...market.host, now: () => new Date() },
      { ...secondProcess(), now: () => new Date() },
    ].map((host) => startJobs(host, [everySecond]));
    await vi.waitFor(() => expect(new Set(began).size).toBeGreaterThan(2), 10_000);
    await Promise.all(both.map((jobs) => jobs.stop()));
    expect(began).toEqual([...new Set(began)]);
  });

  test('runs a job by its name, and knows no other', async () => {
    const jobs = startJobs(market.host, [job(async () => 54)]);
    expect(await jobs.runNow('test-job')).toEqual({ outcome: 'done', detail: 54 });
    await expect(jobs.runNow('unknown')).rejects.toThrow('There is no job unknown');
    await jobs.stop();
  });
});
