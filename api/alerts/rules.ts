import type { alertPaces } from '../../db/vocabularies.ts';
import { type Asked, askedIn } from '../search/rules.ts';
import { searchFields } from '../search/schema.ts';

export type Pace = (typeof alertPaces)[number];

/** Alerts of one account. */
export const mostAlerts = 50;
/** Listings that one message names. */
export const mostNamed = 5;
/** Requests of one address to end alerts from a mail. */
export const endLimit = { max: 120, seconds: 3600 } as const;

const dayMs = 86_400_000;
/** 8:05 in Douala, which has no summer time. */
const morningMs = (7 * 60 + 5) * 60_000;

/** The next morning after a moment; with `week`, the next Monday's. */
export function nextMorning(now: Date, pace: 'day' | 'week'): Date {
  const today = Math.floor(now.getTime() / dayMs) * dayMs + morningMs;
  let next = today > now.getTime() ? today : today + dayMs;
  if (pace === 'week') while (new Date(next).getUTCDay() !== 1) next += dayMs;
  return new Date(next);
}

/** When an alert of this pace may tell first. */
export const notBefore = (now: Date, pace: Pace): Date | null =>
  pace === 'now' ? null : nextMorning(now, pace);

/** Reads a search for an alert, which ignores order, page and "ending soon". */
export function askedOf(query: string): Asked {
  const given = new URLSearchParams(query);
  const { asked } = askedIn(
    Object.fromEntries(searchFields.map((field) => [field, given.get(field) ?? undefined])),
  );
  const { soon: _, ...kept } = asked;
  return { ...kept, sort: kept.q ? 'match' : 'ending', page: 1 };
}
