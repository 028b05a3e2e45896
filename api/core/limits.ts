import { randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from './context.ts';
import { Refusal } from './errors.ts';
import { retrySeconds } from './load.ts';

/** At most `max` attempts within any `seconds`. */
export type Limit = { readonly max: number; readonly seconds: number };
/** An attempt that was counted at `at`, or the milliseconds until the next one fits. */
export type Counted = { at: number; waitMs?: never } | { at?: never; waitMs: number };

const { rateLimit } = schema;
/** A clock that was put right leaves attempts in the future behind; later than this they no longer count. */
const skewMs = 60_000;

const within = (now: number, seconds: number): SQL =>
  sql`hit > ${now - seconds * 1000}::bigint and hit <= ${now + skewMs}::bigint`;
const countWithin = (now: number, seconds: number): SQL =>
  sql`(select count(*) from unnest(${rateLimit.hits}) as hit where ${within(now, seconds)})`;

/**
 * Counts one attempt against a key unless one of the limits is reached. The window slides: each row holds the moments of its
 * attempts, at most `max` of them, so the count is exact. One statement, safe between processes; a refused attempt writes nothing.
 * All calls for one key must name the same longest window. Keys identify people only as far as the limit needs.
 * @param at the moment to count at, where several keys share one attempt
 */
export async function tryCount(
  ctx: Pick<Ctx, 'db' | 'now'>,
  key: string,
  limits: readonly Limit[],
  at = ctx.now().getTime(),
): Promise<Counted> {
  const longest = Math.max(...limits.map(({ seconds }) => seconds));
  const kept = sql`array(select hit from unnest(${rateLimit.hits}) as hit where ${within(at, longest)} order by hit)`;
  const [row] = await ctx.db
    .insert(rateLimit)
    // A random id: with the key as id, two first attempts at once would meet on the primary key, which `target` does not cover.
    .values({ id: randomUUID(), key, hits: sql`array[${at}::bigint]`, lastRequest: at })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: { hits: sql`${kept} || ${at}::bigint`, lastRequest: at },
      setWhere: sql.join(
        limits.map(({ max, seconds }) => sql`${countWithin(at, seconds)} < ${max}`),
        sql` and `,
      ),
    })
    .returning({ id: rateLimit.id });
  return row ? { at } : { waitMs: await waitFor(ctx, key, limits, at) };
}

/** Milliseconds until every limit of a key has room for one more attempt; 0 when there is room now. */
export async function waitFor(
  { db, now: clock }: Pick<Ctx, 'db' | 'now'>,
  key: string,
  limits: readonly Limit[],
  now = clock().getTime(),
): Promise<number> {
  const waits = limits.map(({ max, seconds }) => {
    // The oldest attempt that must leave the window so that fewer than `max` remain.
    const blocking = sql`(select hit from unnest(${rateLimit.hits}) as hit where ${within(now, seconds)} order by hit desc offset ${max - 1} limit 1)`;
    return sql`coalesce(${blocking} + ${seconds * 1000}::bigint - ${now}::bigint, 0)`;
  });
  const [row] = await db
    .select({ ms: sql<number>`greatest(${sql.join(waits, sql`, `)})::float8` })
    .from(rateLimit)
    .where(eq(rateLimit.key, key));
  return row?.ms ?? 0;
}

/** Takes back the one attempt that was counted against a key at that moment; every other one stays. */
export async function giveBack({ db }: Pick<Ctx, 'db'>, key: string, at: number): Promise<void> {
  const place = sql`array_position(${rateLimit.hits}, ${at}::bigint)`;
  await db
    .update(rateLimit)
    .set({ hits: sql`${rateLimit.hits}[:${place} - 1] || ${rateLimit.hits}[${place} + 1:]` })
    .where(sql`${eq(rateLimit.key, key)} and ${place} is not null`);
}

/** Adds to an attempt that cost more than one: so many more at the same moment. */
export async function countMore(
  { db }: Pick<Ctx, 'db'>,
  key: string,
  at: number,
  more: number,
): Promise<void> {
  await db
    .update(rateLimit)
    .set({ hits: sql`${rateLimit.hits} || array_fill(${at}::bigint, array[${more}::int])` })
    .where(eq(rateLimit.key, key));
}

/** Attempts of a key within the last `seconds`. */
export async function countOf(
  ctx: Pick<Ctx, 'db' | 'now'>,
  key: string,
  seconds: number,
): Promise<number> {
  const [row] = await ctx.db
    .select({ count: sql<number>`${countWithin(ctx.now().getTime(), seconds)}::int` })
    .from(rateLimit)
    .where(eq(rateLimit.key, key));
  return row?.count ?? 0;
}

/** Counts one attempt against a key and refuses above `max` in any `windowSeconds`. Answers the moment for {@link giveBack}. */
export async function countAttempt(
  ctx: Pick<Ctx, 'db' | 'now'>,
  key: string,
  max: number,
  windowSeconds: number,
  code: 'auth.tooManyAttempts' | 'tooManyRequests' | 'uploads.tooOften' = 'auth.tooManyAttempts',
): Promise<number> {
  const { at, waitMs } = await tryCount(ctx, key, [{ max, seconds: windowSeconds }]);
  if (at === undefined) throw new Refusal(code, {}, [], { retryAfter: retrySeconds(waitMs) });
  return at;
}
