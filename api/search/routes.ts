import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { searchResults } from './found.ts';
import { marketQuery, suggestionQuery } from './schema.ts';
import { suggest } from './suggest.ts';

/** Search and filters of the market (product R49, decision 070). */
export const marketSearchRoutes = new Hono<AppEnv>()
  .get(
    '/search',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Search the market by words and filters, with a count for each choice',
    }),
    valid('query', marketQuery),
    async (c) => c.json(await searchResults(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/suggestions',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Names of listings that fit what is being typed, from two letters on',
    }),
    valid('query', suggestionQuery),
    async (c) => c.json(await suggest(c.get('ctx'), c.req.valid('query').q)),
  );
