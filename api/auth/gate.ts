import type { Counted, Limit } from '../core/limits.ts';

const minutes = 60;
const hours = 3600;

/**
 * Limits of sign-in (decision 059). Up to `free` nothing is asked; from there on each try needs the answer to a question, up to
 * `most`. Only wrong passwords, wrong answers and letters stay counted.
 */
export const limits = {
  /** Wrong passwords for one account from one address. */
  pair: {
    free: [{ max: 10, seconds: 15 * minutes }],
    most: [
      { max: 30, seconds: hours },
      { max: 120, seconds: 24 * hours },
    ],
  },
  /** Wrong passwords and wrong answers of one address. */
  address: { free: [{ max: 60, seconds: 15 * minutes }], most: [{ max: 600, seconds: hours }] },
  /** Wrong passwords for one account, from everywhere. */
  account: { free: [{ max: 60, seconds: hours }], most: [{ max: 120, seconds: hours }] },
  /** Letters that one address asks for. */
  letters: { free: [{ max: 120, seconds: hours }], most: [{ max: 600, seconds: hours }] },
  /** Wrong passwords that one address may try for an account that is full, so that a flood from elsewhere does not keep the owner out. */
  reserve: { max: 3, seconds: 24 * hours },
  /** Wrong passwords of a device that has signed in to the account before; they count nowhere else. */
  device: { max: 10, seconds: 15 * minutes },
  /** Right passwords of one account. */
  right: { max: 60, seconds: 15 * minutes },
} as const;

type Scope = 'address' | 'pair' | 'account' | 'letters';
export type Keys = Record<Scope, string> & {
  /** Set where the browser has signed in to this account before. */
  device?: string | undefined;
};
/** The counters: rows of the database, or a list in memory where an hour of a town is simulated. */
export type Store = {
  tryCount(key: string, limits: readonly Limit[]): Promise<Counted>;
  giveBack(key: string, at: number): Promise<void>;
  countOf(key: string, seconds: number): Promise<number>;
  waitFor(key: string, limits: readonly Limit[]): Promise<number>;
};
export type Visit = {
  /** A password is tried. */
  tries: boolean;
  /** A letter may be sent. */
  letter: boolean;
  /** A question was answered rightly with this request. */
  answered: boolean;
};
/** Outcome of the limits: the counts of a request that may go on, a question to answer first, or the wait until the next try. */
export type Passed =
  | { kind: 'counted'; counts: { key: string; at: number }[] }
  | { kind: 'question'; scope: Scope }
  | { kind: 'closed'; waitMs: number };

/** Counts a request before any work is done for it, so that parallel tries cannot slip past a limit. What is not let on counts nowhere. */
export async function pass(
  store: Store,
  keys: Keys,
  { tries, letter, answered }: Visit,
): Promise<Passed> {
  const counts: { key: string; at: number }[] = [];
  const count = async (key: string, of: readonly Limit[]) => {
    const { at } = await store.tryCount(key, of);
    if (at !== undefined) counts.push({ key, at });
    return at !== undefined;
  };
  const known =
    keys.device !== undefined && (!tries || (await count(keys.device, [limits.device])));
  // A known device sends no more letters than the mailbox takes; they do not count for its address.
  const scopes: Scope[] = known
    ? []
    : [
        ...(tries ? (['address', 'pair', 'account'] as const) : []),
        ...(letter ? (['letters'] as const) : []),
      ];
  for (const scope of scopes) {
    const { free, most } = limits[scope];
    const key = keys[scope];
    if (await count(key, answered ? most : [...free, ...most])) continue;
    const waitMs = await store.waitFor(key, most);
    const reserved =
      waitMs > 0 &&
      scope === 'account' &&
      (await store.countOf(keys.pair, limits.reserve.seconds)) <= limits.reserve.max;
    if (reserved && answered) continue;
    for (const one of counts) await store.giveBack(one.key, one.at);
    // An answer that came while the last place was taken is asked for once more.
    return waitMs > 0 && !reserved ? { kind: 'closed', waitMs } : { kind: 'question', scope };
  }
  return { kind: 'counted', counts };
}
