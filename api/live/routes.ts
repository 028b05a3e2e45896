import { type Context, Hono } from 'hono';
import { everyone, moderators } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import type { Broadcast } from './broadcast.ts';
import { takePlace } from './places.ts';
import { lineOpened } from './schema.ts';

/** Stream of `change` events to open pages (`slot:7`, `product:…`, `all:`), missed ones first. */
export const liveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Server-sent events: what changed in the market',
    }),
    valid('query', lineOpened),
    (c) => stream(c, broadcast, c.req.valid('query').since),
  );

/** The same for the Connect feed (`post:repairs.abcd2345`). */
export const connectLiveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({ who: everyone, tag: 'connect', summary: 'Server-sent events: new posts' }),
    valid('query', lineOpened),
    (c) => stream(c, broadcast, c.req.valid('query').since),
  );

/** The same for admin pages. Carries ids only, and ends with the session (sessions.ts). */
export const adminLiveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Server-sent events: what changed, for the team',
    }),
    valid('query', lineOpened),
    (c) => {
      const { actor } = c.get('ctx');
      return stream(
        c,
        broadcast,
        c.req.valid('query').since,
        'sessionId' in actor ? (actor.sessionId ?? undefined) : undefined,
      );
    },
  );

function stream(
  c: Context<AppEnv>,
  broadcast: Broadcast | undefined,
  since: string | undefined,
  owner?: string,
) {
  if (!broadcast) throw new Refusal('unavailable');
  // A browser reconnects with the old URL, so `since` is stale; its page reloads anyway.
  const again = c.req.header('last-event-id') !== undefined;
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  // A HEAD request would leave a stream that is never read or closed.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const onEnd = takePlace(c.get('ctx'));
  return c.body(broadcast.open(again ? undefined : since, { owner, onEnd }), 200, headers);
}
