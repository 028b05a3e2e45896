import { setTimeout as pause } from 'node:timers/promises';
import { openBot } from '../bot/open.ts';
import { startJobs } from '../jobs/run.ts';
import { jobContext } from './core/jobContext.ts';
import { knownHosts } from './http/host.ts';
import { operationOf, serve } from './httpServer.ts';
import { leaving, terminal, undo } from './lifecycle.ts';
import { openMarket } from './market.ts';
import { type Pools, prepareDemo, servicesOn } from './marketData.ts';
import type { Env } from './ops/env.ts';
import { createPulse } from './outages/pulse.ts';
import { createDelivery, mailPost } from './outbox/delivery.ts';
import type { BuiltFiles } from './pages/assets.ts';
import { keepRelease } from './pages/keepRelease.ts';
import type { Pages } from './pages/pages.ts';
import { nameProcess, refuseStrangers } from './processes.ts';
import { pushPost } from './push/deliver.ts';

const now = () => new Date();

/**
 * Runs the parts named in `ROLES` (decision 001) and answers the port. Without built files
 * (dev/api.ts) no page is cached, since the next may differ.
 *
 * @param facing address that browsers reach, if another process forwards their requests
 */
export async function run(
  env: Env,
  { database, ofJobs }: Pools,
  pages?: Pages,
  assets?: BuiltFiles,
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
  if (assets) await keepRelease(jobContext(host, 'keep-release'), assets.release);
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
    for (const post of [mailPost, pushPost]) {
      const delivery = createDelivery(jobContext(jobHost, 'deliver-outbox'), post);
      undo.push(() => delivery.stop());
      // On every connect too: earlier messages were missed.
      const listener = await database.sql.listen('outbox', delivery.wake, delivery.wake);
      undo.push(() => listener.unlisten());
    }
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
