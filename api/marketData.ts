import { statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect, type Database, forJobs, migrateDatabase, type Target } from '../db/client.ts';
import { lockDataFolder } from '../db/datafolder.ts';
import { keepRunning } from '../db/embedded/keep.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { refuseSharedConnections, requireWayAround } from '../db/pooler.ts';
import { createApp } from './app.ts';
import { type JobHost, jobContext } from './core/jobContext.ts';
import { prepareAdmin } from './demo/admin.ts';
import { leaving, log, stop, undo } from './lifecycle.ts';
import type { Env } from './ops/env.ts';
import { sharedSecret } from './ops/secret.ts';
import { alone } from './processes.ts';
import { createServices } from './services.ts';

const now = () => new Date();

/**
 * Database, seeded if it is an empty demo, and services, without a web server; for terminal tools.
 */
export async function openMarketData(env: Env): Promise<JobHost> {
  const { database } = await openDatabase(env, await takeFolder(env));
  const host = {
    db: database.db,
    sql: database.sql,
    services: await servicesOn(env, database),
    now,
  };
  if (env.demo) await prepareDemo(host, createApp(host).auth);
  return host;
}

/** Locks the data folder, and closes it to other accounts. */
export async function takeFolder(env: Env): Promise<string> {
  const folder = resolve(env.DATA_DIR);
  const lock = await lockDataFolder(folder, { embedded: !env.DATABASE_URL });
  undo.push(() => lock.release());
  const { changed, foreign } = lock.tightened;
  if (changed > 0)
    log.info('What other accounts could read in the data folder is closed to them', {
      folder,
      changed,
    });
  if (foreign.length > 0)
    log.warn('These belong to another account and stay as they are: others may read them', {
      folder,
      paths: foreign.slice(0, 20),
    });
  return folder;
}

export async function servicesOn(env: Env, { db }: Database) {
  const services = createServices(
    env,
    await sharedSecret(db, env.AUTH_SECRET, now()),
    leaving.signal,
  );
  undo.push(async () => services.mailer.close());
  undo.push(() => services.pictures.close());
  undo.push(async () => services.demoProvider?.close());
  return services;
}

export type Pools = { database: Database; ofJobs: Database };

/** The database of the environment: the embedded one, or that at `DATABASE_URL`. */
export async function openDatabase(env: Env, folder: string): Promise<Pools> {
  let target: Target;
  if (env.DATABASE_URL) {
    target = env.DATABASE_URL;
    await judgeAddresses(env.DATABASE_URL, env.DATABASE_DIRECT_URL);
  } else {
    const run = () => startEmbeddedPostgres({ folder: join(folder, 'postgres') });
    const embedded = await run();
    const kept = keepRunning(embedded, {
      start: run,
      say: (line) => console.error(line),
      giveUp: endWithoutDatabase,
      hasRoom: () => hasRoom(folder),
    });
    undo.push(() => kept.stop());
    target = embedded.connect();
  }
  return openPools(env, target, env.DATABASE_URL ? 'at DATABASE_URL' : `in ${folder}`);
}

/** Postgres's log grows by 16 MB files: one to start with, one to continue. */
function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 32 * 2 ** 20;
}

/** Refuses a pooler that cannot serve the market. */
async function judgeAddresses(address: string, direct: string | undefined): Promise<void> {
  if (!direct) return refuseSharedConnections(address);
  const { limited } = await requireWayAround(address, direct);
  if (!limited)
    log.warn(
      'The pooler at DATABASE_URL lets a statement take as long as it likes: docs/scaling.md says how it is given a limit',
    );
}

export async function openPools(env: Env, target: Target, name?: string): Promise<Pools> {
  const direct = env.DATABASE_DIRECT_URL;
  await migrateDatabase(direct ?? target, name);
  const patience = env.REQUEST_DEADLINE_SECONDS;
  // Shorter than the request's deadline, so that a timeout's answer is certain that nothing
  // changed.
  const database = connect(target, {
    statementSeconds: patience * 0.8,
    idleTransactionSeconds: patience * 2,
    direct,
  });
  // Past the pooler: jobs hold transactions for minutes, and are few.
  const ofJobs = connect(direct ?? target, forJobs);
  undo.push(async () => void (await Promise.all([database.close(), ofJobs.close()])));
  return { database, ofJobs };
}

/** A supervisor can do more about a lost database. */
function endWithoutDatabase(error: unknown): void {
  console.error(
    `The database cannot be kept running, so the server ends. ${error instanceof Error ? error.message : error}`,
  );
  void stop(1);
}

/** Seeds an empty demo and answers how to sign in (product R0). */
export function prepareDemo(
  host: JobHost,
  auth: ReturnType<typeof createApp>['auth'],
): Promise<string> {
  return alone(host.sql, 'marche54:demo', async () => {
    const admin = await prepareAdmin({ ...jobContext(host, 'demo'), auth });
    // Only the demo needs its pictures.
    const { seedDemo } = await import('./demo/seed.ts');
    const { sellerEmail, sellerPassword } = await seedDemo(host, auth);
    return `${admin}, seller ${sellerEmail} / ${sellerPassword}, admin page /admin/auth`;
  });
}
