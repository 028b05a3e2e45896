import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { correctCredits } from './correct.ts';
import { memberLedger, members } from './reads.ts';
import { correction, keyed, memberNumber, memberSearch, statementPage } from './schema.ts';

export const adminCreditRoutes = new Hono<AppEnv>()
  .get(
    '/members',
    route({ who: admins, tag: 'admin', summary: 'People by name or address, with their credits' }),
    valid('query', memberSearch),
    async (c) => c.json(await members(c.get('ctx'), c.req.valid('query').search)),
  )
  .get(
    '/members/:number',
    route({ who: admins, tag: 'admin', summary: 'A member’s ledger, newest first' }),
    valid('param', memberNumber),
    valid('query', statementPage),
    async (c) =>
      c.json(
        await memberLedger(c.get('ctx'), c.req.valid('param').number, c.req.valid('query').before),
      ),
  )
  .post(
    '/corrections',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Correct a member’s balance by an entry of its own; the member is told why',
      status: 201,
    }),
    valid('header', keyed),
    valid('json', correction),
    async (c) =>
      c.json(
        await correctCredits(
          c.get('ctx'),
          c.req.valid('json'),
          c.req.valid('header')['idempotency-key'],
        ),
        201,
      ),
  );
