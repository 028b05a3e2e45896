import { Hono } from 'hono';
import * as z from 'zod/mini';
import { reportReasons } from '../../db/vocabularies.ts';
import { moderators } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { sellerId } from '../sellers/schema.ts';
import { pageQuery } from '../shared/paging.ts';
import { closedReports, openReports } from './reads.ts';
import { removeReported } from './remove.ts';
import { resolveReports } from './resolve.ts';
import { resolveShopReports } from './resolveShopReports.ts';
import { removalNote, resolution } from './schema.ts';
import { openShopReports } from './shopReads.ts';

const search = pageQuery({ reason: z.optional(z.enum(reportReasons)) });

/** Routes of /admin/reports (product R27). */
export const adminReportRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Products with open reports, by reason, the most reported first',
    }),
    valid('query', search),
    async (c) => c.json(await openReports(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/closed',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Closed reports by product, the last closed first, with what was done',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await closedReports(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/shops',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Shops with open reports, by reason, the most reported first',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await openShopReports(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/shops/:id/resolve',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Close the open reports of a shop with what was done',
    }),
    valid('param', sellerId),
    valid('json', resolution),
    async (c) => {
      const { resolution: done, seen } = c.req.valid('json');
      return c.json(await resolveShopReports(c.get('ctx'), c.req.valid('param').id, done, seen));
    },
  )
  .post(
    '/:id/remove',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Remove a reported product: its listing ends, it is hidden, its reports are closed',
    }),
    valid('param', productId),
    valid('json', removalNote),
    async (c) =>
      c.json(
        await removeReported(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').resolution),
      ),
  )
  .post(
    '/:id/resolve',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Close the open reports of a product with what was done',
    }),
    valid('param', productId),
    valid('json', resolution),
    async (c) => {
      const { resolution: done, seen } = c.req.valid('json');
      return c.json(await resolveReports(c.get('ctx'), c.req.valid('param').id, done, seen));
    },
  );
