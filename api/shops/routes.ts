import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { Refusal } from '../shared/errors.ts';
import { aroundProduct, shopPage } from './reads.ts';
import { bySlug } from './schema.ts';

/** Routes of a shop's page, and of what a product's page leads to (product R50). */
export const shopRoutes = new Hono<AppEnv>()
  .get(
    '/shops/:slug',
    route({
      who: everyone,
      tag: 'market',
      summary: 'A seller’s shop: what it has in the market and sold lately, or its present slug',
    }),
    valid('param', bySlug),
    async (c) => {
      const shop = await shopPage(c.get('ctx'), c.req.valid('param').slug);
      if (!shop) throw new Refusal('sellers.shopNotFound');
      return c.json(shop);
    },
  )
  .get(
    '/market/around/:id',
    route({
      who: everyone,
      tag: 'market',
      summary: 'The shop of a live product’s seller, and up to three listings like it',
    }),
    valid('param', productId),
    async (c) => {
      const around = await aroundProduct(c.get('ctx'), c.req.valid('param').id);
      if (!around) throw new Refusal('products.notFound');
      return c.json(around);
    },
  );
