import { inArray, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { cookieOptions } from '../favourites/device.ts';
import type { AppEnv } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { type About, aboutOf, fits } from './about.ts';
import {
  type DeviceAlert,
  deviceAlerts,
  deviceCookieOf,
  mostWithoutAccount,
  spelled,
  type Wanted,
  withoutAlert,
} from './rules.ts';
import { alertName } from './words.ts';

/** Scripts may see that there is one. */
export const alertsCookie = 'alerts';

/** Alerts that this browser keeps. */
export const keptAlerts = (c: Context<AppEnv>): DeviceAlert[] =>
  deviceAlerts(getCookie(c, alertsCookie) ?? '');

/** Stores a visitor's alerts in the browser. Refuses `alerts.tooMany`. */
export function rememberAlerts(c: Context<AppEnv>, alerts: readonly DeviceAlert[]): void {
  const ctx = c.get('ctx');
  const cookie = deviceCookieOf(alerts);
  if (cookie === undefined) throw new Refusal('alerts.tooMany', { most: mostWithoutAccount });
  if (ctx.actor.kind === 'visitor')
    setCookie(c, alertsCookie, cookie, cookieOptions(ctx, alerts.length > 0));
}

/** The alerts with one more. Refuses `alerts.empty`, `sellers.shopNotFound`. */
export async function withAlert(
  ctx: Ctx,
  alerts: readonly DeviceAlert[],
  wanted: Wanted,
): Promise<DeviceAlert[]> {
  openToEveryone(ctx);
  await aboutOf(ctx, wanted);
  const one = spelled(wanted);
  return [...withoutAlert(alerts, one), { ...one, since: ctx.now() }];
}

/** Alerts of a browser, with how many live listings that fit went live first since it looked. */
export async function deviceNews(ctx: Ctx, alerts: readonly DeviceAlert[]) {
  openToEveryone(ctx);
  const abouts = await Promise.all(alerts.map((alert) => aboutIfAny(ctx, alert)));
  const fresh = await freshFor(ctx, alerts, abouts);
  const shops = await shopNames(ctx, abouts);
  return alerts.map(({ search, shop }, n) => {
    const named = {
      query: search && `?${search}`,
      shop: shops.get(abouts[n]?.sellerId ?? '') ?? null,
    };
    return {
      search,
      shop,
      name: alertName(named, ctx.language),
      /** False for a shop that has closed. */
      open: abouts[n] !== undefined,
      fresh: fresh.get(n) ?? 0,
    };
  });
}

async function aboutIfAny(ctx: Ctx, wanted: Wanted): Promise<About | undefined> {
  try {
    return await aboutOf(ctx, wanted);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

async function freshFor(
  { db, now }: Ctx,
  alerts: readonly DeviceAlert[],
  abouts: readonly (About | undefined)[],
): Promise<ReadonlyMap<number, number>> {
  const asked = abouts.flatMap((about, n) =>
    about
      ? [
          {
            ...about,
            ...{ n, since: alerts[n]?.since },
            ...{ seller_id: about.sellerId, region_key: about.regionKey },
          },
        ]
      : [],
  );
  if (asked.length === 0) return new Map();
  const rows = await db.execute<{ n: number; fresh: number }>(sql`
    select a.n, count(*)::int as fresh
    from (select r.*, case when forms is not null then search_query(forms) end as words
        from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as r(n int, since timestamptz,
          seller_id uuid, forms text[], category text, condition text, region_key text, min int,
          max int, premium boolean, verified boolean)) a
      join slots s on s.paused_at is null and s.end_time > ${now().toISOString()}::timestamptz
      join findable f on f.product_id = s.product_id
      join listings l on l.product_id = f.product_id and l.number = 1 and l.started_at > a.since
      left join sellers v on v.id = f.seller_id
    where ${fits}
    group by a.n`);
  return new Map(rows.map(({ n, fresh }) => [n, fresh]));
}

async function shopNames(
  { db }: Ctx,
  abouts: readonly (About | undefined)[],
): Promise<ReadonlyMap<string, string | null>> {
  const { sellers: v } = schema;
  const ids = abouts.flatMap((about) => about?.sellerId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: v.id, name: v.businessName })
    .from(v)
    .where(inArray(v.id, ids));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
