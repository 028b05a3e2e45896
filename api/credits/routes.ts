import { Hono } from 'hono';
import { signedIn } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { statementCsv } from './present.ts';
import { statement, wholeStatement } from './reads.ts';
import { statementPage } from './schema.ts';

/** Routes to one's own credits (product R36). */
export const creditRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: signedIn,
      tag: 'connect',
      summary:
        'One’s own balance, prices and entries, newest first; `next` begins the following page',
    }),
    valid('query', statementPage),
    async (c) => c.json(await statement(c.get('ctx'), c.req.valid('query').before)),
  )
  .get(
    '/statement.csv',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'The same as CSV, oldest first, with the hashes that prove each entry',
    }),
    async (c) =>
      c.body(statementCsv(await wholeStatement(c.get('ctx')), c.get('ctx').language), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="marche54-credits.csv"',
      }),
  );
