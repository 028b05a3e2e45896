type Key = { active: number; waiting: (() => void)[] };

/** Shares a limited amount of work fairly among keys. */
export type Turns = {
  /**
   * Waits for a turn. Resolves to the function that gives it back, or returns undefined at once when the key already has
   * as many waiting as it may.
   */
  take(key: string): Promise<() => void> | undefined;
  /** Turns that are taken now, and those that wait. */
  readonly active: number;
  readonly waiting: number;
};

type Limits = {
  /** Turns that one key may have at once. */
  perKey: number;
  /** Turns of all keys together. */
  all: number;
  /** Requests of one key that may wait. */
  waitingPerKey: number;
};

/**
 * Creates turns that go round the keys: a key with a thousand requests in the queue delays another key by one request,
 * not by a thousand. Each turn begins in a new round of the event loop, so that sockets are read in between.
 */
export function createTurns({ perKey, all, waitingPerKey }: Limits): Turns {
  /** Keys with work; those first in the map are the next ones to be given a turn. */
  const keys = new Map<string, Key>();
  let active = 0;
  let waiting = 0;

  function begin(entry: Key): void {
    entry.active++;
    active++;
  }

  function giveBack(key: string, entry: Key): void {
    entry.active--;
    active--;
    if (entry.active === 0 && entry.waiting.length === 0) keys.delete(key);
    next();
  }

  function next(): void {
    if (active >= all || waiting === 0) return;
    for (const [key, entry] of keys) {
      if (entry.active >= perKey) continue;
      const start = entry.waiting.shift();
      if (!start) continue;
      waiting--;
      begin(entry);
      keys.delete(key);
      keys.set(key, entry);
      setImmediate(start);
      return;
    }
  }

  return {
    get active() {
      return active;
    },
    get waiting() {
      return waiting;
    },
    take(key) {
      const entry = keys.get(key) ?? { active: 0, waiting: [] };
      keys.set(key, entry);
      let given = false;
      const back = () => {
        if (given) return;
        given = true;
        giveBack(key, entry);
      };
      if (active < all && entry.active < perKey) {
        begin(entry);
        return Promise.resolve(back);
      }
      if (entry.waiting.length >= waitingPerKey) return undefined;
      waiting++;
      return new Promise((resolve) => entry.waiting.push(() => resolve(back)));
    },
  };
}
