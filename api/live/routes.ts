import { type Context, Hono } from 'hono';
import { admins, everyone } from '../core/access.ts';
import { Refusal } from '../core/errors.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import type { Broadcast } from './broadcast.ts';
import { lineOpened } from './schema.ts';

/** The line to open pages: server-sent events named `change`, with what changed (`slot:7`, `product:…`, `all:`); what a page missed since its own version first. */
export const liveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({ who: everyone, tag: 'market', summary: 'Server-sent events: what changed in the market' }),
    valid('query', lineOpened),
    (c) => stream(c, broadcast, c.req.valid('query').since),
  );

/** The same line for the admin's screens, which also hear of the queue and of what waits for review. It names things, never shows them. */
export const adminLiveRoutes = (broadcast: Broadcast | undefined) =>
  new Hono<AppEnv>().get(
    '/live',
    route({ who: admins, tag: 'admin', summary: 'Server-sent events: what changed, for admins' }),
    valid('query', lineOpened),
    (c) => stream(c, broadcast, c.req.valid('query').since),
  );

function stream(c: Context<AppEnv>, broadcast: Broadcast | undefined, since: string | undefined) {
  if (!broadcast) throw new Refusal('unavailable');
  // The browser takes up a line by itself under the address of the first time: its page then looks at everything anyway.
  const again = c.req.header('last-event-id') !== undefined;
  // Nobody would ever read the line of a HEAD, and nobody would close it.
  const line = c.req.method === 'HEAD' ? '' : broadcast.open(again ? undefined : since);
  return c.body(line as ReadableStream, 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}
