import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { decideOutage } from './decide.ts';
import { lastOutages } from './reads.ts';
import { outageDecision, outageId } from './schema.ts';

/** Routes of the outages on the health tab (decision 055). */
export const outageRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'The last outages, and what was given back for them',
    }),
    async (c) => c.json(await lastOutages(c.get('ctx'))),
  )
  .post(
    '/:id',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Give back what an outage took beyond seven days, or not',
    }),
    valid('param', outageId),
    valid('json', outageDecision),
    async (c) =>
      c.json(
        await decideOutage(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').giveBack),
      ),
  );
