import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpEveryNight } from '../../api/backup/nightly.ts';
import type { Services } from '../../api/core/context.ts';
import type { Storage } from '../../api/ops/storage.ts';
import { simulation } from '../../api/payments/adapters.ts';
import { connect, type Target } from '../../db/client.ts';
import { runJob } from '../../jobs/run.ts';
import { type Job, schedule } from '../../jobs/schedule.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { live, submitted, uploadPhoto } from '../support/products.ts';

/**
 * Runs every job with a failing disk, bucket, picture process or mail server, and with a database
 * that goes away midway. A failed job is recorded; an error that escapes one fails the test run, as
 * it would end the market.
 */
const nights = mkdtempSync(join(tmpdir(), 'marche54-jobs-'));
afterAll(() => rmSync(nights, { recursive: true, force: true }));
const database = await freshDatabase();
const market = await testApp({ database, now: new Date(), env: { BACKUP_DIR: nights } });
const [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);

/** Work for as many jobs as possible: photos to refine, a card, a file to delete, mails. */
beforeAll(async () => {
  await live(market, seller, admin);
  await submitted(market, seller);
  await uploadPhoto(market, seller);
  market.clock.advance({ days: 2 });
});

/** Services whose outgoing calls all fail, and a record of which were used. */
function broken(error: Error): { services: Services; used: Set<string> } {
  const used = new Set<string>();
  const failing = <T extends object>(name: string, whole: T): T =>
    new Proxy(whole, {
      get: (target, property, receiver) =>
        typeof Reflect.get(target, property, receiver) === 'function'
          ? (...args: unknown[]) => {
              used.add(name);
              if (property === 'close')
                return Reflect.apply(Reflect.get(target, property) as () => unknown, target, args);
              if (name === 'storage' && property === 'list') return failingList(error);
              return Promise.reject(error);
            }
          : Reflect.get(target, property, receiver),
    });
  const { storage, pictures, mailer } = market.services;
  return {
    used,
    services: {
      ...market.services,
      storage: failing<Storage>('storage', storage),
      pictures: failing('pictures', pictures),
      mailer: failing('mailer', mailer),
      payments: [failing('payments', simulation)],
    },
  };
}
// biome-ignore lint/correctness/useYield: it fails before the first file.
async function* failingList(error: Error): AsyncGenerator<never> {
  throw error;
}

/** A file whose disk fails at once, or after some kilobytes. */
const refusingFile = (error: Error, after: number) => () => {
  let left = after;
  const file = new Writable({
    construct: (done) => (after === 0 ? done(error) : done()),
    write(chunk: Buffer, _, done) {
      left -= chunk.byteLength;
      done(left < 0 ? error : null);
    },
  });
  return Object.assign(file, { bytesWritten: 0 });
};

const host = { db: market.db, sql: market.sql, now: market.clock.now };
const failedRun = async ({ name }: Job) =>
  (await market.sql`select outcome, detail from job_runs where name = ${name}`)[0];

describe.each(['ENOSPC', 'EACCES', 'EROFS', 'EPIPE'])('%s', (code) => {
  const error = Object.assign(new Error(`${code}: refused by the test, write`), {
    code,
    syscall: 'write',
  });

  test('fails the jobs that meet it, and nothing else', async () => {
    const met = new Set<string>();
    for (const job of schedule) {
      const { services, used } = broken(error);
      const { outcome } = await runJob({ ...host, services }, job);
      expect(['done', 'failed'], job.name).toContain(outcome);
      if (outcome === 'failed')
        expect(await failedRun(job), job.name).toMatchObject({
          outcome: 'failed',
          detail: { message: expect.any(String) },
        });
      if (used.size > 0) met.add(job.name);
    }
    expect([...met]).toEqual(
      expect.arrayContaining([
        'refine-photos',
        'draw-share-cards',
        'check-health',
        'back-up',
        'clean-abandoned-uploads',
      ]),
    );
  });

  test.each([0, 512, 20_000])(
    'of the backup’s own file, after %i bytes, fails that job with a sentence',
    async (after) => {
      const job: Job = {
        name: 'back-up',
        pattern: '',
        verb: (ctx) => backUpEveryNight(ctx, refusingFile(error, after)),
      };
      expect(await runJob({ ...host, services: market.services }, job)).toEqual({
        outcome: 'failed',
      });
      expect(await failedRun(job)).toMatchObject({
        outcome: 'failed',
        detail: { message: expect.stringMatching(`^The backup could not be written to .*${code}`) },
      });
      expect(readdirSync(nights).filter((name) => name.endsWith('.part'))).toEqual([]);
    },
  );
});

test('a database that goes away in the middle fails the job at most; the next run of every job is done', async () => {
  const target = database.target as Exclude<Target, string>;
  const victims = connect({ ...target, connection: { application_name: 'victim' } }, { max: 4 });
  for (const job of schedule) {
    let over = false;
    const run = runJob(
      { ...host, db: victims.db, sql: victims.sql, services: market.services },
      job,
    ).finally(() => {
      over = true;
    });
    while (!over)
      await market.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`;
    expect(['done', 'failed'], job.name).toContain((await run).outcome);
    expect(await runJob({ ...host, services: market.services }, job), job.name).toMatchObject({
      outcome: 'done',
    });
  }
  await victims.close();
  expect(readdirSync(nights).filter((name) => name.endsWith('.part'))).toEqual([]);
});
