import { randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { Refusal } from '../shared/errors.ts';
import type { Ctx } from './context.ts';

export type Limit = { readonly max: number; readonly seconds: number };
/** When the attempt was counted, or milliseconds until the next fits. */
export type Counted = { at: number; waitMs?: never } | { at?: never; waitMs: number };

/** For `retry-after`; at least one. */
export const retrySeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const { rateLimit } = schema;
/** A corrected clock leaves attempts in the future; beyond this they are ignored. */
const skewMs = 60_000;

const within = (now: number, seconds: number): SQL =>
  sql`hit > ${now - seconds * 1000}::bigint and hit <= ${now + skewMs}::bigint`;
const countWithin = (now: number, seconds: number): SQL =>
  sql`(select count(*) from unnest(${rateLimit.hits}) as hit where ${within(now, seconds)})`;

/**
 * Counts an attempt unless a limit is reached. The sliding window is exact, as rows hold the
 * attempts' times. One statement, safe between processes; refused attempts write nothing. A key's
 * calls must share their longest window.
 * @param at shared by the keys of one attempt
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
    // With the key as id, two first attempts would collide on the primary key, which `target` does
    // not cover.
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

/** Milliseconds until another attempt fits all limits, or 0. */
export async function waitFor(
  { db, now: clock }: Pick<Ctx, 'db' | 'now'>,
  key: string,
  limits: readonly Limit[],
  now = clock().getTime(),
): Promise<number> {
  const waits = limits.map(({ max, seconds }) => {
    // The oldest attempt that must leave the window.
    const blocking = sql`(select hit from unnest(${rateLimit.hits}) as hit
      where ${within(now, seconds)} order by hit desc offset ${max - 1} limit 1)`;
    return sql`coalesce(${blocking} + ${seconds * 1000}::bigint - ${now}::bigint, 0)`;
  });
  const [row] = await db
    .select({ ms: sql<number>`greatest(${sql.join(waits, sql`, `)})::float8` })
    .from(rateLimit)
    .where(eq(rateLimit.key, key));
  return row?.ms ?? 0;
}

/** Removes the attempt counted at that time. */
export async function giveBack({ db }: Pick<Ctx, 'db'>, key: string, at: number): Promise<void> {
  const place = sql`array_position(${rateLimit.hits}, ${at}::bigint)`;
  await db
    .update(rateLimit)
    .set({ hits: sql`${rateLimit.hits}[:${place} - 1] || ${rateLimit.hits}[${place} + 1:]` })
    .where(sql`${eq(rateLimit.key, key)} and ${place} is not null`);
}

/** For attempts that cost more than one. */
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

/** Counts an attempt; refuses with `code` above `max`. Returns the time for {@link giveBack}. */
export async function countAttempt(
  ctx: Pick<Ctx, 'db' | 'now'>,
  key: string,
  max: number,
  windowSeconds: number,
  code:
    | 'auth.tooManyAttempts'
    | 'tooManyRequests'
    | 'uploads.tooOften'
    | 'payments.askedTooOften' = 'auth.tooManyAttempts',
): Promise<number> {
  const { at, waitMs } = await tryCount(ctx, key, [{ max, seconds: windowSeconds }]);
  if (at === undefined) throw new Refusal(code, {}, [], { retryAfter: retrySeconds(waitMs) });
  return at;
}
