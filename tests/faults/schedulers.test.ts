import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';
import { folderInTmp, inAnotherProcess, killChildren, source } from '../support/processes.ts';

/**
 * Two processes share a timetable; one is frozen mid-run for longer than its lock lasts, like a
 * sleeping machine.
 */
const database = await freshDatabase();
const { sql } = database;
const base = folderInTmp();
beforeAll(() =>
  sql.unsafe(
    'create table lane (id int primary key); insert into lane values (1); create table ticks (moment timestamptz, process text, serial bigserial)',
  ),
);
afterEach(killChildren);
afterAll(async () => (await import('node:fs/promises')).rm(base, { recursive: true, force: true }));

const scheduler = (name: string) =>
  inAnotherProcess(
    base,
    `import { connect } from '${source('db/client.ts')}';
     import { inTransaction } from '${source('api/core/transaction.ts')}';
     import { createLog } from '${source('api/ops/log.ts')}';
     import { createMetrics } from '${source('api/ops/metrics.ts')}';
     import { forJobs } from '${source('db/client.ts')}';
     import { startJobs } from '${source('jobs/run.ts')}';
     import { sql } from '${source('node_modules/drizzle-orm/index.js')}';
     const [{ sql: raw }, { db }] = [{ max: 2 }, { max: 2, idleTransactionSeconds: forJobs.idleTransactionSeconds && 2 }].map((limits) =>
       connect('${urlOf(database.target)}', limits));
     const services = { log: createLog({ level: 'critical' }), metrics: createMetrics(), reporter: { report() {} } };
     const verb = (ctx) => inTransaction(ctx, async (tx) => {
       await tx.db.execute(sql\`select from lane for update\`);
       console.log('within');
       await new Promise((resolve) => setTimeout(resolve, 300));
       const moment = new Date(Math.floor(tx.now().getTime() / 1000) * 1000).toISOString();
       await tx.db.execute(sql\`insert into ticks (moment, process) values (\${moment}, '${name}')\`);
     });
     startJobs({ db, sql: raw, services, now: () => new Date(), lockSeconds: 2 }, [{ name: 'tick', pattern: '* * * * * *', verb }]);`,
  );
const ticks = () =>
  sql<{ moment: Date; process: string }[]>`select moment, process from ticks order by serial`;
const last = async () => (await ticks()).length;

test('the other goes on a moment later, and each moment is done once, also when the frozen one wakes', async () => {
  const one = scheduler('one');
  await one.line();
  one.child.kill('SIGSTOP');
  scheduler('other');
  // The frozen process's lock expired, so the job is free again.
  await vi.waitFor(
    async () =>
      expect((await ticks()).filter(({ process }) => process === 'other').length).toBeGreaterThan(
        1,
      ),
    20_000,
  );
  const [run] = await sql`select runs, failures_in_a_row from job_runs where name = 'tick'`;
  expect(run?.failures_in_a_row).toBe(0);

  const before = await last();
  one.child.kill('SIGCONT');
  await vi.waitFor(async () => expect(await last()).toBeGreaterThan(before + 3), 20_000);
  const moments = (await ticks()).map(({ moment }) => moment.getTime());
  expect(moments).toEqual([...new Set(moments)]);
  // The frozen process writes nothing late, not even its run's result.
  expect(moments).toEqual(moments.toSorted());
  expect(await sql`select failures_in_a_row from job_runs where name = 'tick'`).toEqual([
    { failures_in_a_row: 0 },
  ]);
});
