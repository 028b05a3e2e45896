import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Services } from '../core/context.ts';
import { retrySeconds } from '../core/limits.ts';
import type { PaceName } from '../core/ports.ts';
import { Refusal } from '../shared/errors.ts';
import { addressHashOf } from './load.ts';
import { createBuckets } from './pace.ts';
import type { AppEnv } from './route.ts';

type Pacing = { services: Services; now: () => Date };

/** Must be cheap: every visit calls it about a dozen times. */
const eventPath = '/api/engagement';

/** All chats of a transport come from one network. */
const botPaths = '/bot/';

/** Receives photos; refuses before reading outside the demo. */
const demoChat = '/demo/chat';
/** A lawyer's texts, a provider's list of a day, and the market's mark. */
const largePaths = [
  ...['/api/admin/legal', '/api/admin/credits/purchases/reconcile'],
  '/api/admin/settings/mark',
];

function paceOf(method: string, path: string): PaceName {
  if (method === 'POST' && path === eventPath) return 'event';
  if (path.startsWith(botPaths)) return 'chat';
  if (path.startsWith('/media/') && !path.startsWith('/media/cards/')) return 'media';
  return 'request';
}

/**
 * Limits each address before any session, body or row is read (decision 059): `tooManyRequests`, or
 * for an event the answer that it was not counted.
 */
export function keepPace({ services, now }: Pacing): MiddlewareHandler<AppEnv> {
  const warnings = createBuckets({ burst: 1, seconds: 3600 }, 1);
  return async (c, next) => {
    // The page itself was counted.
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

/** Photos come from storage; health and metrics must answer under any load. */
const withoutTurn = (path: string) =>
  path.startsWith('/media/') || path === '/readyz' || path === '/metrics' || path === demoChat;

/** A slower read waits for a lock or the database; it must not delay others. */
const longestTurnMs = 250;

/**
 * Gives reads turns by address (decision 059): a burst delays another address by one turn. Refuses
 * `tooManyRequests` when an address has too many waiting.
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
      // The reader left, or the deadline answered.
      if (c.req.raw.signal.aborted || now().getTime() - asked > patienceMs)
        throw new Refusal('unavailable');
      await next();
    } finally {
      clearTimeout(timer);
      giveBack();
    }
  };
}

/** Counts a page render; refuses `tooManyRequests`. */
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
  /** Fits a product in two languages with every letter escaped. */
  api: bodyLimit({ maxSize: 32 * kilobyte, onError }),
  /** Four texts, or some thousand lines; more than fits is judged by its field. */
  large: bodyLimit({ maxSize: 1024 * kilobyte, onError }),
  chat: bodyLimit({ maxSize: 3 * 1024 * kilobyte, onError }),
  form: bodyLimit({ maxSize: 16 * kilobyte, onError }),
};
/** Bytes. Usual deliveries are a few KB and always pass, whatever strangers send. */
const largeChat = { from: 256 * kilobyte, all: 12 * 1024 * kilobyte };
let largeNow = 0;

/**
 * Limits memory for deliveries, which are held until their signature is verified; refuses
 * `unavailable`.
 */
const limitChat: MiddlewareHandler<AppEnv> = async (c, next) => {
  const declared = c.req.header('content-length');
  // A chunked body may reach the maximum.
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

/** Limits bodies by route before they are parsed; other methods' bodies are never read. */
export const limitBody: MiddlewareHandler<AppEnv> = (c, next) => {
  const { path } = c.req;
  // Photos have their own limit (uploads/routes.ts).
  if (!withBody.has(c.req.method) || path.startsWith('/api/uploads')) return next();
  if (path === eventPath) return limits.event(c, next);
  if (path.startsWith(botPaths) || path === demoChat) return limitChat(c, next);
  if (largePaths.some((large) => path.startsWith(large))) return limits.large(c, next);
  return path === '/api' || path.startsWith('/api/') ? limits.api(c, next) : limits.form(c, next);
};
