import { Hono } from 'hono';
import * as z from 'zod/mini';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import { pageNumber } from '../sellers/schema.ts';
import { fees, markFee } from './fees.ts';
import { approveAnyway, incompleteProducts, recheck } from './integrity.ts';
import { productId } from './schema.ts';

const page = z.strictObject({ page: pageNumber });
const feeState = z.enum(['due', 'paid', 'waived']);
const feeSearch = z.strictObject({ page: pageNumber, state: z._default(feeState, 'due') });
const feeMark = z.strictObject({ state: feeState, seen: z.optional(z.strictObject({ state: feeState, reference: z.nullable(z.string()) })) });

/** The doors of the Data Integrity tab (product §2, §7). */
export const adminIntegrityRoutes = new Hono<AppEnv>()
  .get('/', route({ who: admins, tag: 'admin', summary: 'get_incomplete_products: products that lack something' }), valid('query', page), async (c) =>
    c.json(await incompleteProducts(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/:id/recheck',
    route({ who: admins, tag: 'admin', summary: 'revalidate_product_completeness: approve and queue a product that is complete now' }),
    valid('param', productId),
    async (c) => c.json(await recheck(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/approve',
    route({ who: admins, tag: 'admin', summary: 'Approve Anyway: approve and queue a pending product as it is' }),
    valid('param', productId),
    async (c) => c.json(await approveAnyway(c.get('ctx'), c.req.valid('param').id)),
  );

/** The doors of the listing fees (product R31). */
export const adminFeeRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Products by the state of their listing fee; due unless told' }),
    valid('query', feeSearch),
    async (c) => c.json(await fees(c.get('ctx'), c.req.valid('query'))),
  )
  .put(
    '/:id',
    route({ who: admins, tag: 'admin', summary: 'Mark a listing fee as paid, waived, or due again' }),
    valid('param', productId),
    valid('json', feeMark),
    async (c) => {
      const { state, seen } = c.req.valid('json');
      return c.json(await markFee(c.get('ctx'), c.req.valid('param').id, state, seen));
    },
  );
