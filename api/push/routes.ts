import { Hono } from 'hono';
import { signedIn } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { ownPush } from './reads.ts';
import { subscription } from './schema.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

/** Messages to the browsers of an account (docs/offline.md). */
export const pushRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: signedIn, tag: 'market', summary: 'Key for messages to this browser' }),
    async (c) => c.json(await ownPush(c.get('ctx'))),
  )
  .put(
    '/',
    route({
      who: signedIn,
      tag: 'market',
      summary: 'Subscribe this browser to alerts and favourites',
    }),
    valid('json', subscription),
    async (c) => {
      await subscribe(c.get('ctx'), c.req.valid('json'));
      return c.json(await ownPush(c.get('ctx')));
    },
  )
  .delete(
    '/',
    route({ who: signedIn, tag: 'market', summary: 'End the subscription of this browser' }),
    async (c) => {
      await unsubscribe(c.get('ctx'));
      return c.json(await ownPush(c.get('ctx')));
    },
  );
