import type { alertPaces } from '../../db/vocabularies.ts';
import { type Asked, askedIn, queryOf } from '../search/rules.ts';
import { searchFields } from '../search/schema.ts';

export type Pace = (typeof alertPaces)[number];

/** Alerts of one account. */
export const mostAlerts = 50;
/** Alerts of a browser or a chat without an account, and letters of a browser's cookie. */
export const mostWithoutAccount = 10;
const longestCookie = 3500;
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

/** A search's address after `?`, or a shop's slug. */
export type Wanted = { search: string; shop: string };
/** Alert of a browser, and since when its person has not looked. */
export type DeviceAlert = Wanted & { since: Date };

const isSame = (one: Wanted, other: Wanted): boolean =>
  one.search === other.search && one.shop === other.shop;
/** A search in one spelling. */
export const spelled = ({ search, shop }: Wanted): Wanted =>
  shop ? { search: '', shop } : { search: queryOf(askedOf(search)).slice(1), shop: '' };

/** Alerts in a browser's cookie, oldest first. Ignores what is none. */
export const deviceAlerts = (cookie: string): DeviceAlert[] =>
  cookie
    .split('|')
    .flatMap((part): DeviceAlert[] => {
      const [, since = '', shop, search] =
        /^([0-9a-z]{1,9})~(?:@([\w-]{1,200})|(.+))$/.exec(part) ?? [];
      const wanted = spelled({ search: search ?? '', shop: shop ?? '' });
      return wanted.search || wanted.shop
        ? [{ ...wanted, since: new Date(Number.parseInt(since, 36)) }]
        : [];
    })
    .slice(0, mostWithoutAccount);

/** The cookie of alerts; undefined if there are too many, or if they are too long for it. */
export function deviceCookieOf(alerts: readonly DeviceAlert[]): string | undefined {
  const cookie = alerts
    .map(({ search, shop, since }) =>
      [since.getTime().toString(36), shop ? `@${shop}` : search].join('~'),
    )
    .join('|');
  const isShort = encodeURIComponent(cookie).length <= longestCookie;
  return alerts.length <= mostWithoutAccount && isShort ? cookie : undefined;
}

/** The alerts with one that was looked at now, or without one. */
export const withSeen = (
  alerts: readonly DeviceAlert[],
  seen: Wanted,
  since: Date,
): DeviceAlert[] => alerts.map((alert) => (isSame(alert, seen) ? { ...alert, since } : alert));
export const withoutAlert = (alerts: readonly DeviceAlert[], ended: Wanted): DeviceAlert[] =>
  alerts.filter((alert) => !isSame(alert, ended));
