import { Cron } from 'croner';
import { and, sql as drizzleSql, eq } from 'drizzle-orm';
import { type JobHost, jobContext } from '../api/core/jobContext.ts';
import { schema } from '../db/client.ts';
import { type Job, schedule } from './schedule.ts';

export type Outcome = { outcome: 'done' | 'failed' | 'elsewhere'; detail?: unknown };

/**
 * Runs one job now, under a lock across processes that ends with the connection: a killed process
 * blocks no one, a frozen one a minute at most. Failures are recorded and logged, never thrown.
 *
 * @param due scheduled time; skipped if a run has begun since
 */
export async function runJob(host: JobHost, job: Job, due?: Date): Promise<Outcome> {
  const lost = new AbortController();
  const { lockSeconds = 60, signal } = host;
  try {
    return (await host.sql.begin(async (tx) => {
      const [lock] = await tx<
        { taken: boolean }[]
      >`select pg_try_advisory_xact_lock(hashtextextended(${`job:${job.name}`}, 54)) as taken,
        set_config('idle_in_transaction_session_timeout', ${`${lockSeconds}s`}, true)`;
      if (!lock?.taken || (due && (await begunSince(host, job, due))))
        return { outcome: 'elsewhere' };
      // On a lost transaction, postgres.js throws at once instead of rejecting.
      const hold = async () => void (await tx`select`);
      const held = setInterval(
        () => void hold().catch(() => lost.abort()),
        (lockSeconds * 1000) / 4,
      );
      try {
        return await recorded(
          { ...host, signal: signal ? AbortSignal.any([signal, lost.signal]) : lost.signal },
          job,
        );
      } finally {
        clearInterval(held);
      }
    })) as Outcome;
  } catch (error) {
    lost.abort();
    host.services.log.error('A job could not run', { job: job.name, error });
    countFailure(host, job, error);
    return { outcome: 'failed' };
  }
}

/** A process asked to end ends its jobs; that is no failure. */
function countFailure({ services, signal }: JobHost, { name }: Job, error: unknown): void {
  if (signal?.aborted) return;
  services.metrics.jobsFailed.inc({ job: name });
  services.reporter.report({
    source: 'server',
    kind: 'job',
    message: `The job ${name} failed`,
    extra: { error },
  });
}

/** Clocks may differ this much. A run begun later came from a clock corrected since. */
const clocksApartMs = 60_000;

async function begunSince({ db, now }: JobHost, { name }: Job, due: Date): Promise<boolean> {
  const { jobRuns } = schema;
  const [last] = await db
    .select({ startedAt: jobRuns.startedAt })
    .from(jobRuns)
    .where(eq(jobRuns.name, name));
  return (
    last !== undefined &&
    last.startedAt >= due &&
    last.startedAt.getTime() <= now().getTime() + clocksApartMs
  );
}

async function recorded(host: JobHost, job: Job): Promise<Outcome> {
  const { jobRuns } = schema;
  const startedAt = host.now();
  const begun = { startedAt, finishedAt: null, outcome: 'running' as const };
  await host.db
    .insert(jobRuns)
    .values({ name: job.name, ...begun })
    .onConflictDoUpdate({ target: jobRuns.name, set: begun });
  const finish = (outcome: 'done' | 'failed', detail: unknown) =>
    host.db
      .update(jobRuns)
      .set({
        outcome,
        finishedAt: host.now(),
        detail: detail ?? null,
        runs: drizzleSql`${jobRuns.runs} + 1`,
        failuresInARow: outcome === 'done' ? 0 : drizzleSql`${jobRuns.failuresInARow} + 1`,
      })
      // A process that lost the lock must not overwrite the run that another began.
      .where(and(eq(jobRuns.name, job.name), eq(jobRuns.startedAt, startedAt)));
  const clock = host.services.metrics.jobSeconds.startTimer({ job: job.name });
  try {
    const detail = await job.verb(jobContext(host, job.name));
    await finish('done', detail);
    clock({ outcome: 'done' });
    host.services.metrics.jobSucceeded.set({ job: job.name }, host.now().getTime() / 1000);
    return { outcome: 'done', detail };
  } catch (error) {
    host.services.log.error('A job failed', { job: job.name, error });
    clock({ outcome: 'failed' });
    countFailure(host, job, error);
    await finish('failed', { message: error instanceof Error ? error.message : String(error) });
    return { outcome: 'failed' };
  }
}

/** `stop` asks long work to end and waits for running jobs. */
export function startJobs(
  host: JobHost,
  jobs: readonly Job[] = schedule,
): { stop(): Promise<void>; runNow(name: string): Promise<Outcome> } {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const track = (job: Job, due?: Date) => {
    const run = runJob({ ...host, signal: stopping.signal }, job, due);
    running.add(run);
    void run.finally(() => running.delete(run));
    return run;
  };
  const timers = jobs.map(
    (job) =>
      new Cron(job.pattern, { timezone: 'Africa/Douala', protect: true }, async (timer) => {
        // Not the present time: other processes must compute the same.
        const [due] = timer.previousRuns(1, new Date(Date.now() + 1));
        await track(job, due);
      }),
  );
  for (const job of jobs) if (job.atStart) void track(job);
  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) timer.stop();
      await Promise.all(running);
    },
    async runNow(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job) throw new Error(`There is no job ${name}`);
      return track(job);
    },
  };
}
