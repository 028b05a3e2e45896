import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Services } from './context.ts';
import { Refusal } from './errors.ts';
import type { AppEnv } from './http.ts';
import { addressHashOf, type PaceName, retrySeconds } from './load.ts';
import { createBuckets } from './pace.ts';

type Pacing = { services: Services; now: () => Date };

/** The door of events, which must not cost more than it has to: it is the one that every visit uses some dozen times. */
const eventDoor = '/api/engagement';

/** The doors of the bot: all chats of a transport come from one network. */
const chatDoors = '/bot/';

/** Where the demo's chat takes photos; outside of the demo its door refuses before it reads. */
const demoChat = '/demo/chat';

function paceOf(method: string, path: string): PaceName {
  if (method === 'POST' && path === eventDoor) return 'event';
  if (path.startsWith(chatDoors)) return 'chat';
  if (path.startsWith('/media/') && !path.startsWith('/media/cards/')) return 'media';
  return 'request';
}

/**
 * The first thing that a request meets: the pace of its address, kept in memory, so that a refusal reads no session, no body and no row
 * (decision 025). Beyond it `tooManyRequests`; an event is answered as not counted, for nobody waits for it.
 */
export function keepPace({ services, now }: Pacing): MiddlewareHandler<AppEnv> {
  const warnings = createBuckets({ burst: 1, seconds: 3600 }, 1);
  return async (c, next) => {
    // A page that asks the API in-process was counted when it came in.
    if (c.env?.ctx) return next();
    const addressHash = addressHashOf(c.req.raw.headers, c.env?.address, services);
    c.set('addressHash', addressHash);
    const pace = paceOf(c.req.method, c.req.path);
    const wait = services.load.take(pace, addressHash, now());
    if (wait === 0) return next();
    const forwarded = c.req.header('x-forwarded-for');
    if (forwarded !== undefined && !services.env.TRUST_PROXY && warnings.take('', now()) === 0)
      services.log.warn(
        'Requests are refused that carry X-Forwarded-For: behind a proxy, TRUST_PROXY=1 tells visitors apart',
        { pace },
      );
    if (pace === 'event')
      return c.json({ counted: false }, 202, {
        'retry-after': String(retrySeconds(wait)),
        'cache-control': 'no-store',
      });
    throw new Refusal('tooManyRequests', {}, [], { retryAfter: retrySeconds(wait) });
  };
}

/** Reads without work for the app: photos come from the storage, and health and metrics must answer under any load. */
const withoutTurn = (path: string) =>
  path.startsWith('/media/') || path === '/readyz' || path === '/metrics' || path === demoChat;

/** A read that takes longer waits for a lock or for the database, and must not hold up those that only need the processor. */
const longestTurnMs = 250;

/**
 * Gives reads their turns, address by address (decision 025): a burst of one address delays the reads of another by one
 * of its own, not by all of them. Refuses `tooManyRequests` for an address with too many in the queue.
 */
export function takeTurns({ services, now }: Pacing): MiddlewareHandler<AppEnv> {
  const patienceMs = services.env.REQUEST_DEADLINE_SECONDS * 1000;
  return async (c, next) => {
    if (
      c.env?.ctx ||
      (c.req.method !== 'GET' && c.req.method !== 'HEAD') ||
      withoutTurn(c.req.path)
    )
      return next();
    const asked = now().getTime();
    const kind = c.req.path.startsWith('/api/') ? 'api' : 'page';
    const turn = services.load.reads[kind].take(c.get('addressHash'));
    if (!turn) throw new Refusal('tooManyRequests', {}, [], { retryAfter: 1 });
    const giveBack = await turn;
    const timer = setTimeout(giveBack, longestTurnMs);
    try {
      // The reader has left, or was answered by the deadline.
      if (c.req.raw.signal.aborted || now().getTime() - asked > patienceMs)
        throw new Refusal('unavailable');
      await next();
    } finally {
      clearTimeout(timer);
      giveBack();
    }
  };
}

/** Takes one of the pages that an address may have written anew; refuses `tooManyRequests` beyond. */
export function keepRenderPace(c: Context<AppEnv>): void {
  const { services, now, client } = c.get('ctx');
  const wait = services.load.take('render', client.addressHash, now());
  if (wait > 0) throw new Refusal('tooManyRequests', {}, [], { retryAfter: retrySeconds(wait) });
}

const kilobyte = 1024;
const onError = () => {
  throw new Refusal('payloadTooLarge');
};
const limits = {
  /** Three short fields. */
  event: bodyLimit({ maxSize: kilobyte, onError }),
  /** A product in two languages with every letter escaped stays below. */
  api: bodyLimit({ maxSize: 32 * kilobyte, onError }),
  /** What a transport delivers at once. */
  chat: bodyLimit({ maxSize: 3 * 1024 * kilobyte, onError }),
  form: bodyLimit({ maxSize: 16 * kilobyte, onError }),
};
/** Bodies of chats that are read at once when they are large. A delivery is a few KB: those pass whatever strangers send beside them. */
const largeChat = { from: 256 * kilobyte, all: 12 * 1024 * kilobyte };
let largeNow = 0;

/** Reads a delivery to the bot. It is in memory as a whole until its signature was judged; refuses `unavailable` for large ones beyond the limit. */
const limitChat: MiddlewareHandler<AppEnv> = async (c, next) => {
  const declared = c.req.header('content-length');
  // In pieces it may become as large as any.
  const bytes =
    declared === undefined && c.req.header('transfer-encoding')
      ? 3 * 1024 * kilobyte
      : Number(declared ?? 0);
  if (!(bytes > largeChat.from)) return limits.chat(c, next);
  if (largeNow + bytes > largeChat.all) throw new Refusal('unavailable');
  largeNow += bytes;
  try {
    return await limits.chat(c, next);
  } finally {
    largeNow -= bytes;
  }
};

const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Reads no more of a body than its door takes, ahead of everything that would parse it; bodies of other methods are not read at all. */
export const limitBody: MiddlewareHandler<AppEnv> = (c, next) => {
  const { path } = c.req;
  // Photos have a limit of their own (uploads/routes.ts).
  if (!withBody.has(c.req.method) || path.startsWith('/api/uploads')) return next();
  if (path === eventDoor) return limits.event(c, next);
  if (path.startsWith(chatDoors) || path === demoChat) return limitChat(c, next);
  return path === '/api' || path.startsWith('/api/') ? limits.api(c, next) : limits.form(c, next);
};
