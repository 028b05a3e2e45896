/** Constants of the queue (product §9): the usual wait for one place, in hours, and the specified processing rate. */
export const usualHoursPerPlace = { 'queue:featured': 1.5, 'queue:regular': 2 } as const;
export const processingRatePerDay = 12;

/**
 * When a place in line comes up, from the actual end times of its lane's slots (product R17): who is n-th gets the n-th slot that
 * becomes free. Beyond one round of the lane, each further round is counted with the time that listings in it last.
 * @param position 1 is next
 * @param ends when each occupied slot of the lane ends; paused ones are left out, for nobody knows
 * @param empty how many slots of the lane are free now
 * @param roundHours how long a listing in the lane lasts, in hours
 */
export function estimateAt(position: number, ends: readonly Date[], empty: number, now: Date, roundHours: number): Date | null {
  const slots = ends.length + empty;
  if (slots === 0) return null;
  const order = [...Array.from({ length: empty }, () => now.getTime()), ...ends.map((end) => Math.max(end.getTime(), now.getTime())).sort((a, b) => a - b)];
  const round = Math.floor((position - 1) / slots);
  const base = order[(position - 1) % slots] ?? now.getTime();
  return new Date(base + round * roundHours * 3_600_000);
}
