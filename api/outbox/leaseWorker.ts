import { within } from '../shared/within.ts';

/** How a worker takes its items and works on them. */
export type LeaseWork<Item> = {
  /** Leases up to `limit` due items. */
  take(limit: number): Promise<Item[]>;
  /**
   * Works on one item, records its outcome and returns true if another look may find items that
   * this one held back.
   */
  work(item: Item, turn: Turn): Promise<boolean>;
  /** Items worked on at once. */
  atOnce: number;
  /** Slow parts that may run beside these (`Turn.aside`); none by default. */
  asideAtOnce?: number;
  /** Renews the leases of items in progress, so often. */
  renew?: { everyMs: number; keep(items: readonly Item[]): Promise<void> };
  /** Milliseconds that `stop` waits before it aborts what is in progress; no limit by default. */
  stopMs?: number;
  /** Called when `take` fails, or when `work` could not record an item's outcome. */
  failed(part: 'take' | 'work', error: unknown): void;
};

/** The worker's side of one item's work. */
export type Turn = {
  /** Aborts when the worker stops without waiting any longer. */
  signal: AbortSignal;
  /**
   * True if the worker has looked since it took this item; that look skipped items that wait behind
   * it.
   */
  lookedSince(): boolean;
  /**
   * Runs a slow part while another item takes this one's place, so that it delays no other item.
   * Returns undefined, without a call, when `asideAtOnce` parts are running.
   */
  aside<T>(slow: () => Promise<T>): Promise<T> | undefined;
};

export type LeaseWorker = {
  /** Looks for due items soon; many calls cause one look. */
  wake(): void;
  /** Wakes after so many milliseconds, unless stopped before. */
  wakeLater(ms: number): void;
  /** Resolves when nothing is in progress and nothing was found. */
  idle(): Promise<void>;
  /** Takes nothing more and ends; other processes take abandoned items when their leases end. */
  stop(): Promise<void>;
};

/** Waits for aborted work to record its outcome. */
const abortedMs = 1000;

/**
 * Works on items that wait in a table, several at once, in any number of processes: each item is
 * leased, so a process that dies loses none. No database connection is held between the calls.
 */
export function createLeaseWorker<Item>(options: LeaseWork<Item>): LeaseWorker {
  const { take, work, atOnce, asideAtOnce = 0, renew, stopMs, failed } = options;
  const held = new Set<Item>();
  let renewing: NodeJS.Timeout | undefined;
  const underWay = new Set<Promise<void>>();
  const abort = new AbortController();
  let aside = 0;
  let looking: Promise<void> | undefined;
  /** Woken since the last look began. */
  let again = false;
  /** The last look had no place for all, so due items may be left. */
  let full = false;
  let looks = 0;
  let stopped = false;
  const free = () => atOnce + aside - underWay.size;

  async function runAside<T>(slow: () => Promise<T>): Promise<T> {
    aside++;
    if (full) wake();
    try {
      return await slow();
    } finally {
      aside--;
    }
  }

  async function workOn(item: Item): Promise<boolean> {
    const seen = looks;
    try {
      return await work(item, {
        signal: abort.signal,
        lookedSince: () => looks > seen,
        aside: (slow) => (aside < asideAtOnce ? runAside(slow) : undefined),
      });
    } catch (error) {
      failed('work', error);
      return true;
    }
  }

  async function look(): Promise<void> {
    again = false;
    const limit = free();
    full = limit <= 0;
    // Each item that ends looks again.
    if (full) return;
    looks++;
    const taken = await take(limit);
    full = taken.length === limit;
    for (const item of taken) {
      held.add(item);
      const way = workOn(item).then((more) => {
        underWay.delete(way);
        held.delete(item);
        if (held.size === 0) {
          clearInterval(renewing);
          renewing = undefined;
        }
        if (more || full) wake();
      });
      underWay.add(way);
    }
    if (renew && held.size > 0)
      renewing ??= setInterval(
        () => void renew.keep([...held]).catch((error) => failed('work', error)),
        renew.everyMs,
      ).unref();
  }

  function wake(): void {
    again = true;
    if (stopped) return;
    looking ??= look()
      .catch((error) => failed('take', error))
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  }

  async function idle(): Promise<void> {
    while (looking || underWay.size > 0) await Promise.all([looking, ...underWay]);
  }

  async function stop(): Promise<void> {
    stopped = true;
    if (stopMs === undefined) return idle();
    await waitAtMost(stopMs, idle());
    abort.abort();
    await waitAtMost(abortedMs, idle());
  }

  return { wake, wakeLater: (ms) => void setTimeout(wake, ms).unref(), idle, stop };
}

/** `work` never rejects. */
const waitAtMost = (ms: number, work: Promise<void>) => within(ms, work).catch(() => {});
