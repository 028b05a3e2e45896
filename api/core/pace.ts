/** How often something may be done: so many at once, and as many again evenly over so many seconds. */
export type Pace = { burst: number; seconds: number };

type Bucket = { tokens: number; at: number };

/** A token bucket a key, in memory. */
export type Buckets = {
  /** Takes one for a key: answers 0, or the milliseconds until there will be one again; then nothing was taken. */
  take(key: string, now: Date): number;
  /** What {@link take} would answer, without taking. */
  wait(key: string, now: Date): number;
  readonly size: number;
};

/**
 * @param most keys that are remembered; the one not asked for longest is forgotten first, which gives its owner a full bucket and
 *   costs nobody else anything
 */
export function createBuckets({ burst, seconds }: Pace, most: number): Buckets {
  const buckets = new Map<string, Bucket>();
  const perMs = burst / (seconds * 1000);
  /** What a key has now. A clock that was set back gives nothing and takes nothing. */
  function tokensOf(key: string, time: number): number {
    const known = buckets.get(key);
    return known ? Math.min(burst, known.tokens + Math.max(0, time - known.at) * perMs) : burst;
  }
  const until = (tokens: number) => (tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs));
  return {
    take(key, now) {
      const time = now.getTime();
      const tokens = tokensOf(key, time);
      const wait = until(tokens);
      // The one asked for last stands last.
      if (!buckets.delete(key) && buckets.size >= most)
        buckets.delete(buckets.keys().next().value as string);
      buckets.set(key, { tokens: wait === 0 ? tokens - 1 : tokens, at: time });
      return wait;
    },
    wait: (key, now) => until(tokensOf(key, now.getTime())),
    get size() {
      return buckets.size;
    },
  };
}
