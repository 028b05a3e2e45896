import type { Counted, Limit } from '../core/limits.ts';

const minutes = 60;
const hours = 3600;

/**
 * Sign-in limits (decision 059). Up to `free` no question is asked; up to `most` each try needs an
 * answer. Only wrong passwords, wrong answers and mail stay counted.
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
  /** Wrong passwords and answers from one address. */
  address: { free: [{ max: 60, seconds: 15 * minutes }], most: [{ max: 600, seconds: hours }] },
  /** Wrong passwords for one account from everywhere. */
  account: { free: [{ max: 60, seconds: hours }], most: [{ max: 120, seconds: hours }] },
  /** Mails requested from one address. */
  letters: { free: [{ max: 120, seconds: hours }], most: [{ max: 600, seconds: hours }] },
  /**
   * Tries that an address keeps for a full account, so that a flood from elsewhere does not lock
   * its owner out.
   */
  reserve: { max: 3, seconds: 24 * hours },
  /** Wrong passwords from a known device; they count nowhere else. */
  device: { max: 10, seconds: 15 * minutes },
  right: { max: 60, seconds: 15 * minutes },
} as const;

type Scope = 'address' | 'pair' | 'account' | 'letters';
export type Keys = Record<Scope, string> & {
  device?: string | undefined;
};
/** Counters in the database, or in memory for simulations. */
export type Store = {
  tryCount(key: string, limits: readonly Limit[]): Promise<Counted>;
  giveBack(key: string, at: number): Promise<void>;
  countOf(key: string, seconds: number): Promise<number>;
  waitFor(key: string, limits: readonly Limit[]): Promise<number>;
};
export type Visit = {
  tries: boolean;
  mail: boolean;
  answered: boolean;
};
export type Passed =
  | { kind: 'counted'; counts: { key: string; at: number }[] }
  | { kind: 'question'; scope: Scope }
  | { kind: 'closed'; waitMs: number };

/**
 * Counts a request before any work, so that parallel tries cannot slip past a limit. A refused
 * request keeps no count.
 */
export async function pass(
  store: Store,
  keys: Keys,
  { tries, mail, answered }: Visit,
): Promise<Passed> {
  const counts: { key: string; at: number }[] = [];
  const count = async (key: string, of: readonly Limit[]) => {
    const { at } = await store.tryCount(key, of);
    if (at !== undefined) counts.push({ key, at });
    return at !== undefined;
  };
  const known =
    keys.device !== undefined && (!tries || (await count(keys.device, [limits.device])));
  // Mail from a known device is limited by the mailbox alone.
  const scopes: Scope[] = known
    ? []
    : [
        ...(tries ? (['address', 'pair', 'account'] as const) : []),
        ...(mail ? (['letters'] as const) : []),
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
    // The answer raced for the last place: ask once more.
    return waitMs > 0 && !reserved ? { kind: 'closed', waitMs } : { kind: 'question', scope };
  }
  return { kind: 'counted', counts };
}
