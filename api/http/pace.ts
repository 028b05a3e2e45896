/** `burst` uses at once, and as many again evenly over `seconds`. */
export type Pace = { burst: number; seconds: number };

type Bucket = { tokens: number; at: number };

export type Buckets = {
  /** Takes a token: returns 0, or the milliseconds to wait. */
  take(key: string, now: Date): number;
  wait(key: string, now: Date): number;
  readonly size: number;
};

/** @param most keys remembered; the least recently used is forgotten first and starts full again */
export function createBuckets({ burst, seconds }: Pace, most: number): Buckets {
  const buckets = new Map<string, Bucket>();
  const perMs = burst / (seconds * 1000);
  /** A clock that was set back adds and removes nothing. */
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
      // Reinsertion keeps the map in order of use.
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
