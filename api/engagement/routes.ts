import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { presentCsv } from './present.ts';
import { analytics, analyticsRows } from './reads.ts';
import { analyticsRange } from './schema.ts';

/** Routes of the analytics (product §2 /admin/analytics). */
export const analyticsRoutes = new Hono<AppEnv>()
  .get(
    '/analytics',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Measured figures of 7, 30 or 90 days: totals, top five slots, every day',
    }),
    valid('query', analyticsRange),
    async (c) => c.json(await analytics(c.get('ctx'), c.req.valid('query').range)),
  )
  .get(
    '/analytics.csv',
    route({
      who: admins,
      tag: 'admin',
      summary: 'The same figures as CSV, a line for each day, slot and product',
    }),
    valid('query', analyticsRange),
    async (c) => {
      const ctx = c.get('ctx');
      const { range } = c.req.valid('query');
      return c.body(presentCsv(await analyticsRows(ctx, range), ctx.language), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="marche54-analytics-${range}.csv"`,
      });
    },
  );
