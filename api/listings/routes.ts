import { Hono } from 'hono';
import * as z from 'zod/mini';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { pageQuery } from '../shared/paging.ts';
import { fees, markFee } from './fees.ts';
import { feeMark, feeState, listingId } from './schema.ts';

const feeSearch = pageQuery({ state: z._default(feeState, 'due') });

/** Admin routes of listing fees (product R31). */
export const adminFeeRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Listings by the state of their fee; due unless told',
    }),
    valid('query', feeSearch),
    async (c) => c.json(await fees(c.get('ctx'), c.req.valid('query'))),
  )
  .put(
    '/:id',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Mark the fee of a listing as paid, waived, refunded, or due again',
    }),
    valid('param', listingId),
    valid('json', feeMark),
    async (c) => {
      const { state, seen } = c.req.valid('json');
      return c.json(await markFee(c.get('ctx'), c.req.valid('param').id, state, seen));
    },
  );
