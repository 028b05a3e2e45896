import type { Turns } from '../core/ports.ts';

type Key = { active: number; waiting: (() => void)[] };

type Limits = {
  perKey: number;
  all: number;
  waitingPerKey: number;
};

/**
 * Shares work round robin: a thousand requests of one key delay another by one. Each turn begins in
 * a new event loop round, so that sockets are read in between.
 */
export function createTurns({ perKey, all, waitingPerKey }: Limits): Turns {
  /** In order of their next turn. */
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
