import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { publicProduct } from './read.ts';

const bySlug = z.strictObject({ slug: z.string().check(z.maxLength(200)) });

/** Route of a product's canonical page (product R10). */
export const publicProductRoutes = new Hono<AppEnv>().get(
  '/:slug',
  route({
    who: everyone,
    tag: 'market',
    summary: 'A product by its slug: in its slot, paused, or gone from the market since',
  }),
  valid('param', bySlug),
  async (c) => {
    const product = await publicProduct(c.get('ctx'), c.req.valid('param').slug);
    if (!product) throw new Refusal('products.notFound');
    return c.json(product);
  },
);
