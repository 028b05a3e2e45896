import { createHmac } from 'node:crypto';
import type { Load, PaceName } from '../core/ports.ts';
import type { Env } from '../ops/env.ts';
import { clientNetwork } from './address.ts';
import { createBuckets, type Pace } from './pace.ts';
import { createTurns } from './turns.ts';

/**
 * Limits per address (decision 059). A carrier puts some hundred phones behind one: each number is
 * far above their need and far below the market's capacity.
 */
export const paces = {
  /** API, forms and uncached pages. */
  request: { burst: 1000, seconds: 25 },
  /** A whole transport; each chat has its own pace (bot/messages/receive.ts). */
  chat: { burst: 5000, seconds: 10 },
  /** A first look at a full market loads about fifty photos. */
  media: { burst: 3000, seconds: 20 },
  /** About a tenth of a processor. */
  render: { burst: 120, seconds: 12 },
  event: { burst: 600, seconds: 15 },
  /** Events of visitors without a cookie. */
  newcomer: { burst: 300, seconds: 3600 },
  /** Per kind and slot. */
  newcomerInSlot: { burst: 30, seconds: 1800 },
  /** All visitors, per kind and slot. */
  inSlot: { burst: 200, seconds: 1800 },
  /** Clicks, or shares, per visitor and slot. */
  visitorInSlot: { burst: 10, seconds: 1800 },
  /** Suggestions while a visitor types a search. */
  suggestVisitor: { burst: 40, seconds: 20 },
  /** Suggestions for all visitors of an address without a cookie. */
  suggestAddress: { burst: 400, seconds: 20 },
} as const satisfies Record<PaceName, Pace>;

/** Each open event stream uses a file descriptor. */
export const streams = { perAddress: 1000, all: 12_000 };
/** Pages, photos and the database need the rest. */
const streamsPart = 0.75;
/**
 * Concurrent and waiting reads. Pages take three times the processor of API reads, which do not
 * wait for them.
 */
const reads = {
  api: { perKey: 2, all: 4, waitingPerKey: paces.request.burst },
  page: { perKey: 1, all: 2, waitingPerKey: paces.request.burst },
};
/** Changes announced to open pages, per account and hour. */
const changes = { max: 60, windowSeconds: 3600 };
const mostKeys = 50_000;

/** Scales limits by `LOAD_LIMITS`; streams keep to their share of `descriptors`. */
export function createLoad(
  { LOAD_LIMITS: factor }: Pick<Env, 'LOAD_LIMITS'>,
  descriptors = Number.POSITIVE_INFINITY,
): Load {
  const scaled = (number: number) => Math.max(1, Math.round(number * factor));
  const turnsOf = ({ perKey, all, waitingPerKey }: (typeof reads)['api']) =>
    createTurns({ perKey: scaled(perKey), all: scaled(all), waitingPerKey: scaled(waitingPerKey) });
  const buckets = Object.fromEntries(
    Object.entries(paces).map(([name, { burst, seconds }]) => [
      name,
      createBuckets({ burst: scaled(burst), seconds }, mostKeys),
    ]),
  ) as Record<PaceName, ReturnType<typeof createBuckets>>;
  return {
    take: (pace, key, now) => buckets[pace].take(key, now),
    reads: { api: turnsOf(reads.api), page: turnsOf(reads.page) },
    streams: {
      perAddress: scaled(streams.perAddress),
      all: Math.min(scaled(streams.all), Math.floor(descriptors * streamsPart)),
    },
    changes: { ...changes, max: scaled(changes.max) },
  };
}

/** The keyed hash of an address, which itself is never stored. */
export function addressHashOf(
  headers: Headers,
  socket: string | undefined,
  { env, secret }: { env: Env; secret: string },
): string {
  const network = clientNetwork({
    forwarded: headers.get('x-forwarded-for'),
    socket,
    trustProxy: env.TRUST_PROXY,
    proxies: env.TRUSTED_PROXIES,
  });
  return createHmac('sha256', secret).update(network).digest('hex').slice(0, 32);
}
