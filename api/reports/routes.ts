import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { bySlug } from '../shops/schema.ts';
import { reportListing } from './report.ts';
import { reportShop } from './reportShop.ts';
import { reportInput } from './schema.ts';

/** Route for reports about a listing (product R27). */
export const reportRoutes = new Hono<AppEnv>().post(
  '/:id/report',
  route({
    who: everyone,
    tag: 'market',
    summary: 'Report a listing to the admins, without an account',
    status: 201,
  }),
  valid('param', productId),
  valid('json', reportInput),
  async (c) => {
    await ensureVisitor(c);
    return c.json(
      await reportListing(c.get('ctx'), c.req.valid('param').id, c.req.valid('json')),
      201,
    );
  },
);

/** Route for reports about a shop (product R50). */
export const shopReportRoutes = new Hono<AppEnv>().post(
  '/:slug/report',
  route({
    who: everyone,
    tag: 'market',
    summary: 'Report a shop to the admins, without an account',
    status: 201,
  }),
  valid('param', bySlug),
  valid('json', reportInput),
  async (c) => {
    await ensureVisitor(c);
    return c.json(
      await reportShop(c.get('ctx'), c.req.valid('param').slug, c.req.valid('json')),
      201,
    );
  },
);
