import type { InferResponseType } from 'hono/client';
import type { ApiClient } from '../../lib/api.ts';

export type Analytics = InferResponseType<ApiClient['admin']['analytics']['$get'], 200>;
export type Day = Analytics['days'][number];
export type Figure = 'views' | 'clicks' | 'messageTaps' | 'shares';

/** Noon of a day: the same date in Douala and in UTC. */
export const noonOf = (day: string): string => `${day}T12:00:00Z`;

/** Round integer for the top of a scale, not far above the highest value. */
export function scaleOf(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(
    (step) => Math.round(step * magnitude * 10) / 10,
  );
  return steps.find((top) => Number.isInteger(top) && top >= most) ?? most;
}
