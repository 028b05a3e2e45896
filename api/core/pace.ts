/** How often something may be done: so many at once, and as many again evenly over so many seconds. */
export type Pace = { burst: number; seconds: number };

type Bucket = { tokens: number; at: number };

/** A token bucket a key, in memory. */
export type Buckets = {
  /** Takes one for a key: answers 0, or the milliseconds until there will be one again; then nothing was taken. */
  take(key: string, now: Date): number;
  /** Gives back one that was taken for nothing. */
  giveBack(key: string): void;
  readonly size: number;
};

/**
 * @param most keys that are remembered; the one not asked for longest is forgotten first, which gives its owner a full bucket and
 *   costs nobody else anything
 */
export function createBuckets({ burst, seconds }: Pace, most: number): Buckets {
  const buckets = new Map<string, Bucket>();
  const perMs = burst / (seconds * 1000);
  return {
    take(key, now) {
      const time = now.getTime();
      const known = buckets.get(key);
      if (known) buckets.delete(key);
      else if (buckets.size >= most) buckets.delete(buckets.keys().next().value as string);
      // A clock that was set back gives nothing and takes nothing.
      const tokens = known ? Math.min(burst, known.tokens + Math.max(0, time - known.at) * perMs) : burst;
      const admitted = tokens >= 1;
      buckets.set(key, { tokens: admitted ? tokens - 1 : tokens, at: time });
      return admitted ? 0 : Math.ceil((1 - tokens) / perMs);
    },
    giveBack(key) {
      const known = buckets.get(key);
      if (known) known.tokens = Math.min(burst, known.tokens + 1);
    },
    get size() {
      return buckets.size;
    },
  };
}
