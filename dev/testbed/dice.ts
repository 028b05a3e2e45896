/** Seeded random numbers. */
export function diceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks one by its weight, for a throw between 0 and 1. */
export function weighted<T extends { weight: number }>(acts: readonly T[], chance: number): T {
  let left = chance * acts.reduce((sum, { weight }) => sum + weight, 0);
  const found = acts.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (!found) throw new Error('There is nothing to do');
  return found;
}
