import { Hono } from 'hono';
import { admins } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { pageQuery } from '../../shared/paging.ts';
import { productId } from '../schema.ts';
import { approveAnyway } from './approveAnyway.ts';
import { incompleteProducts } from './integrity.ts';
import { recheck } from './recheck.ts';

/** Routes of the Data Integrity tab (product §2, §7). */
export const adminIntegrityRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'get_incomplete_products: products that lack something',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await incompleteProducts(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/:id/recheck',
    route({
      who: admins,
      tag: 'admin',
      summary: 'revalidate_product_completeness: approve and queue a product that is complete now',
    }),
    valid('param', productId),
    async (c) => c.json(await recheck(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/approve',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Approve Anyway: approve and queue a pending product as it is',
    }),
    valid('param', productId),
    async (c) => c.json(await approveAnyway(c.get('ctx'), c.req.valid('param').id)),
  );
