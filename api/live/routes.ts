import { type Context, Hono } from 'hono';
import { admins, everyone } from '../core/access.ts';
import { Refusal } from '../core/errors.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import type { Broadcast } from './broadcast.ts';
import { takePlace } from './places.ts';
import { lineOpened } from './schema.ts';

/** The stream to open pages: server-sent events named `change`, with what changed (`slot:7`, `product:…`, `all:`); what a page missed since its own version first. */
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

/** The same stream for the feed of Connect: new posts, by category and reference (`post:repairs.abcd2345`). */
export const connectLiveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({ who: everyone, tag: 'connect', summary: 'Server-sent events: new posts' }),
    valid('query', lineOpened),
    (c) => stream(c, broadcast, c.req.valid('query').since),
  );

/**
 * The same stream for the admin's screens, which also hear of the queue and of what waits for review. It names things, never shows them, and ends
 * with the session (sessions.ts).
 */
export const adminLiveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({ who: admins, tag: 'admin', summary: 'Server-sent events: what changed, for admins' }),
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
  // The browser takes up a stream by itself under the address of the first time: its page then looks at everything anyway.
  const again = c.req.header('last-event-id') !== undefined;
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  // Nobody would ever read the stream of a HEAD, and nobody would close it.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const onEnd = takePlace(c.get('ctx'));
  return c.body(broadcast.open(again ? undefined : since, { owner, onEnd }), 200, headers);
}
