/** Limits of outages in seconds (decision 055). */
export const outage = {
  beatEvery: 15,
  /** Shorter outages are not given back. */
  ignored: 120,
  /** Without a beat for this long, no listing ends. */
  silent: 45,
  /** Most that is given back without an admin. */
  mostByItself: 7 * 86_400,
} as const;

export function split(seconds: number): { given: number; rest: number } {
  const given = Math.min(seconds, outage.mostByItself);
  return { given, rest: seconds - given };
}
