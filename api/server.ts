import { statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openBot } from '../bot/open.ts';
import {
  connect,
  type Database,
  damagedAdvice,
  forJobs,
  isDamage,
  migrateDatabase,
  type Target,
} from '../db/client.ts';
import { DataFolderInUse, lockDataFolder } from '../db/datafolder.ts';
import { keepRunning } from '../db/embedded/keep.ts';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { refuseSharedConnections, requireWayAround } from '../db/pooler.ts';
import { type JobHost, jobContext, startJobs } from '../jobs/run.ts';
import { createApp } from './app.ts';
import { hasOneKey } from './backup/oneKey.ts';
import { prepareAdmin } from './demo/admin.ts';
import { knownHosts } from './http/host.ts';
import { openMarket } from './market.ts';
import { logUncaught, redirectConsole } from './ops/console.ts';
import { BadEnvironment, type Env, readEnv } from './ops/env.ts';
import { createLog, repeatSeconds } from './ops/log.ts';
import { sharedSecret } from './ops/secret.ts';
import { createPulse } from './outages/pulse.ts';
import { createDelivery } from './outbox/delivery.ts';
import { type Assets, loadAssets } from './pages/assets.ts';
import { buildSite } from './pages/build.ts';
import type { Pages } from './pages/pages.ts';
import { alone, nameProcess, refuseStrangers } from './processes.ts';
import { operationOf, serve } from './serve.ts';
import { createServices } from './services.ts';
import { redact } from './shared/redact.ts';
import { loadPages } from './site.ts';

const dist = new URL('../site/dist/', import.meta.url);
const now = () => new Date();

/** For the person who started the server; other console output goes to the log. */
export const terminal = { log: console.log.bind(console), error: console.error.bind(console) };
/** For events outside the market's own log. */
const log = createLog({ everySeconds: repeatSeconds });
redirectConsole(log);
logUncaught(log, () => void stop(1));

/** Aborted when the process is asked to end. */
const leaving = new AbortController();

/** Cleanup steps, run in reverse on stop or a failed start. */
export const undo: ((code: number) => Promise<unknown>)[] = [];

async function start(env: Env): Promise<void> {
  if (!env.roles.has('web') && !env.DATABASE_URL)
    throw new Error(
      'A process without the web stands beside one with it: give both the same DATABASE_URL. On the embedded database, bun start runs all of it.',
    );
  if (env.roles.size === 1 && env.roles.has('bot') && env.networks.length === 0)
    throw new Error('No chat network is configured: docs/chat.md says how.');
  if (hasOneKey(env))
    log.warn(
      'Backups are encrypted to one key alone: if it is lost, nothing comes back. Give BACKUP_RECIPIENTS a second one',
    );
  const folder = await takeFolder(env);
  if (!env.SHARE_PORT) await refuseTakenPort(env);

  const site = env.roles.has('web');
  const [pools] = await Promise.all([openDatabase(env, folder), site && buildSite()]);
  await (site
    ? run(env, pools, await loadPages(dist), await loadAssets(new URL('client/', dist).pathname))
    : run(env, pools));
}

async function takeFolder(env: Env): Promise<string> {
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

async function servicesOn(env: Env, { db }: Database) {
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

/**
 * Runs the parts named in `ROLES` (decision 053) and answers the port. Without built files
 * (dev/api.ts) no page is cached, since the next may differ.
 *
 * @param facing address that browsers reach, if another process forwards their requests
 */
export async function run(
  env: Env,
  { database, ofJobs }: Pools,
  pages?: Pages,
  assets?: Assets,
  facing = env.HOST,
): Promise<number> {
  const services = await servicesOn(env, database);
  const bot = openBot({ ...ofJobs, services, now });
  const host = { db: database.db, sql: database.sql, services, now };
  const name = await nameProcess(database.sql, services);
  const web = env.roles.has('web');
  const pulse = web ? createPulse(jobContext(host, 'pulse')) : undefined;
  // Gives back time lost in an outage before anything is read, ended or served.
  await pulse?.resume();
  const options = { ...(pages ? { pages } : {}), ...(pulse ? { settled: pulse.settled } : {}) };
  const market = await openMarket({ ...host, webhooks: bot.webhooks, ...options });
  undo.push(() => market.close());
  await refuseStrangers(database.sql, name);
  const { app, auth, pageCache } = market;

  const signIn = env.demo
    ? await prepareDemo(host, auth)
    : 'Make the first admin with: bun run admin:create';
  const { reporter } = services;
  const knows = knownHosts(env, facing);
  const server = serve({
    app: web ? app : operationOf(app),
    ...(assets ? { pageCache, assets } : {}),
    hostname: env.HOST,
    port: env.PORT,
    sharePort: env.SHARE_PORT,
    reporter,
    strictTransport: env.publicUrl.startsWith('https:'),
    ...(knows ? { knows } : {}),
  });
  undo.push(() => server.stop());
  pulse?.keep();
  undo.push(async () => pulse?.stop());
  // Stopped first, or draining would wait for streams that never end.
  undo.push(async () => market.broadcast.close());
  const jobHost = { ...host, ...ofJobs };
  if (env.roles.has('jobs')) {
    const jobs = startJobs(jobHost);
    undo.push(() => jobs.stop());
    const delivery = createDelivery(jobContext(jobHost, 'deliver-outbox'));
    undo.push(() => delivery.stop());
    // On every connect too: earlier messages were missed.
    const listener = await database.sql.listen('outbox', delivery.wake, delivery.wake);
    undo.push(() => listener.unlisten());
  }
  if (env.roles.has('bot')) {
    undo.push(() => bot.stop());
    // The market opens whatever is wrong with the bot.
    await bot.start().catch((error) => services.log.error('The bot could not start', { error }));
  }
  // Runs first: a load balancer sees that the process is not ready while it still answers.
  undo.push(async (code) => {
    leaving.abort();
    server.leave();
    if (code === 0) await pause(env.DRAIN_SECONDS * 1000);
  });
  terminal.log(`ready ${env.publicUrl}  ${signIn}`);
  return server.port;
}

type Pools = { database: Database; ofJobs: Database };

async function openDatabase(env: Env, folder: string): Promise<Pools> {
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
function prepareDemo(host: JobHost, auth: ReturnType<typeof createApp>['auth']): Promise<string> {
  return alone(host.sql, 'marche54:demo', async () => {
    const admin = await prepareAdmin({ ...jobContext(host, 'demo'), auth });
    // Only the demo needs its pictures.
    const { seedDemo } = await import('./demo/seed.ts');
    const { sellerEmail, sellerPassword } = await seedDemo(host, auth);
    return `${admin}, seller ${sellerEmail} / ${sellerPassword}, admin page /admin/auth`;
  });
}

function refuseTakenPort(env: Env): Promise<void> {
  return new Promise((fulfil, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `Port ${env.PORT} is already taken. Choose another one, for example PORT=${env.PORT + 1}.`
            : `Port ${env.PORT} cannot be used: ${error.message}`,
        ),
      ),
    );
    probe.listen(env.PORT, env.HOST, () => probe.close(() => fulfil()));
  });
}

let stopping: Promise<void> | undefined;
/** Drains; a second signal does not speed it up. */
export function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    for (const step of undo.reverse())
      await step(code).catch((error) =>
        log.error('A part of the server did not stop cleanly', { error }),
      );
    process.exit(code);
  })();
  return stopping;
}

process.on('SIGTERM', () => void stop(0));
process.on('SIGINT', () => void stop(0));

/** Prints a failure as a sentence and ends the process. */
export async function attempt(begin: (env: Env) => Promise<unknown>): Promise<void> {
  try {
    await begin(readEnv(process.env));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    terminal.error(
      error instanceof BadEnvironment || error instanceof DataFolderInUse
        ? message
        : String(redact(message)),
    );
    if (isDamage(error)) terminal.error(damagedAdvice);
    await stop(1);
  }
}

if (import.meta.main) await attempt(start);
