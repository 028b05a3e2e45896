import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { refusedMails } from '../mail/bounces.ts';
import { senderRecords } from '../mail/records.ts';
import { checkHealth } from './check.ts';
import { cleanUp } from './cleanup.ts';
import { cleanupStats, storageFigures } from './figures.ts';
import { dashboard, healthReport, presentRun } from './reads.ts';
import { statsWindow } from './schema.ts';

/** Dashboard, System Health and storage cleanup (product §2, §4, §7). */
export const upkeepRoutes = new Hono<AppEnv>()
  .get(
    '/dashboard',
    route({
      who: admins,
      tag: 'admin',
      summary: 'The stat cards, the first five slots, and the badges of real checks',
    }),
    async (c) => c.json(await dashboard(c.get('ctx'))),
  )
  .get(
    '/health',
    route({
      who: admins,
      tag: 'admin',
      summary: 'The newest health checks, and the worst of each of the last 24 hours',
    }),
    async (c) => c.json(await healthReport(c.get('ctx'))),
  )
  .post(
    '/health',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Run every health check now, and keep what was found',
    }),
    async (c) => {
      const ctx = c.get('ctx');
      return c.json(presentRun(await checkHealth(ctx), ctx.language));
    },
  )
  .get(
    '/mail',
    route({
      who: admins,
      tag: 'admin',
      summary: 'SPF, DKIM and DMARC of the sender, and letters that were refused',
    }),
    async (c) => {
      const ctx = c.get('ctx');
      const [sender, refused] = await Promise.all([senderRecords(ctx), refusedMails(ctx)]);
      return c.json({ sender, refused });
    },
  )
  .post(
    '/cleanup',
    route({
      who: admins,
      tag: 'admin',
      summary: 'cleanup-expired-products: delete what is due now',
    }),
    async (c) => c.json(await cleanUp(c.get('ctx'))),
  )
  .get(
    '/cleanup/stats',
    route({
      who: admins,
      tag: 'admin',
      summary: 'get_cleanup_stats: what the runs of the last days did, and what is due now',
    }),
    valid('query', statsWindow),
    async (c) =>
      c.json(await cleanupStats(c.get('ctx'), { daysBack: c.req.valid('query').days_back })),
  )
  .get(
    '/cleanup/storage',
    route({ who: admins, tag: 'admin', summary: 'The storage: estimated and measured' }),
    async (c) => c.json(await storageFigures(c.get('ctx'))),
  );
