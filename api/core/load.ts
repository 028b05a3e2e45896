import { createHmac } from 'node:crypto';
import { clientNetwork } from './address.ts';
import type { Env } from './env.ts';
import { createBuckets, type Pace } from './pace.ts';
import { createTurns, type Turns } from './turns.ts';

/**
 * What one network address may cost the others (decision 025 has the reasons). A carrier puts some hundred phones
 * behind one address: each number is far above what they need together, and far below what the market can bear.
 */
export const paces = {
  /** Whatever reaches the app: the API, forms, pages that are not stored. */
  request: { burst: 1000, seconds: 25 },
  /** What a transport of chats delivers, for all of them: each chat has a pace of its own (bot/receive.ts). */
  chat: { burst: 5000, seconds: 10 },
  /** Photos; a first look at a full market is some fifty. */
  media: { burst: 3000, seconds: 20 },
  /** Pages that must be written anew: about a tenth of a processor. */
  render: { burst: 120, seconds: 12 },
  /** Events, whether they count or not. */
  event: { burst: 600, seconds: 15 },
  /** Events of visitors whom the market does not know yet. */
  newcomer: { burst: 300, seconds: 3600 },
  /** The same of one kind, for one slot. */
  newcomerInSlot: { burst: 30, seconds: 1800 },
  /** Events of all visitors, of one kind, for one slot. */
  inSlot: { burst: 200, seconds: 1800 },
  /** Clicks, or shares, of one visitor for one slot. */
  visitorInSlot: { burst: 10, seconds: 1800 },
} as const satisfies Record<string, Pace>;
export type PaceName = keyof typeof paces;

/** Event streams that stay open at once: of one address, and of all, each with a descriptor of its own. */
export const streams = { perAddress: 1000, all: 12_000 };
/** The part of a process's descriptors that streams may have: the rest is for pages, photos and the database. */
const streamsPart = 0.75;
/**
 * Reads that the app works on at once, of one address and of all, and those of one address that wait. Pages take three times as long
 * on the processor as answers of the API, which therefore do not wait for them.
 */
const reads = {
  api: { perKey: 2, all: 4, waitingPerKey: paces.request.burst },
  page: { perKey: 1, all: 2, waitingPerKey: paces.request.burst },
};
/** What of a seller's acts is announced to open pages: so many an hour for an account. */
const changes = { max: 60, windowSeconds: 3600 };
/** Keys remembered for each pace; some bytes each. */
const mostKeys = 50_000;

/** The limits of this process, and what was taken of them. */
export type Load = {
  /** Takes one: 0 when there was one, otherwise the milliseconds to wait. */
  take(pace: PaceName, key: string, now: Date): number;
  /** Turns of reads that no store answers, by the hash of their address. */
  readonly reads: Record<keyof typeof reads, Turns>;
  readonly streams: { perAddress: number; all: number };
  readonly changes: { max: number; windowSeconds: number };
};

/** The limits times `LOAD_LIMITS`. Streams take no more than a part of the `descriptors` that the process may have open, whatever they are allowed. */
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

/** Whole seconds for a `retry-after` header, one at least. */
export const retrySeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The keyed hash under which limits know an address: the address itself is stored nowhere. */
export function addressHashOf(
  headers: Headers,
  socket: string | undefined,
  { env, secret }: { env: Env; secret: string },
): string {
  const network = clientNetwork({
    forwarded: headers.get('x-forwarded-for'),
    socket,
    trustProxy: env.TRUST_PROXY,
  });
  return createHmac('sha256', secret).update(network).digest('hex').slice(0, 32);
}
