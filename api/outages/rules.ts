/** How the market's pulse is read (decision 055), in seconds. */
export const outage = {
  /** A process that serves the market says so this often. */
  beatEvery: 15,
  /** Shorter outages are not given back. */
  ignored: 120,
  /** Without a beat for so long nobody knows whether the market can be reached: nothing is ended meanwhile. */
  silent: 45,
  /** What is given back by itself, at most: seven days. */
  mostByItself: 7 * 86_400,
} as const;

/** What of an outage is given back at once, and what waits for an admin. */
export function split(seconds: number): { given: number; rest: number } {
  const given = Math.min(seconds, outage.mostByItself);
  return { given, rest: seconds - given };
}
