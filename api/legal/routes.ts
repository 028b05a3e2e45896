import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route } from '../http/route.ts';
import { agreementOf } from './agreement.ts';
import { operatorOf } from './operator.ts';

/** Routes of the market's legal pages. */
export const legalRoutes = new Hono<AppEnv>()
  .get(
    '/operator',
    route({ who: everyone, tag: 'market', summary: 'Who runs the market, as its pages say' }),
    async (c) => c.json(await operatorOf(c.get('ctx'))),
  )
  .get(
    '/agreement',
    route({
      who: everyone,
      tag: 'accounts',
      summary: 'The version of the terms that holds, and whether the person is asked to agree',
    }),
    async (c) => c.json(await agreementOf(c.get('ctx'))),
  );
