import { sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';
import { type ContactCounts, lookedAroundMs, type NewcomerCounts } from './rules.ts';

const hourMs = 3_600_000;
const ago = ({ now }: Ctx, ms: number) => new Date(now().getTime() - ms).toISOString();

export async function countContacts(ctx: Ctx, visitor: string): Promise<ContactCounts> {
  const [hour, day] = [ago(ctx, hourMs), ago(ctx, 24 * hourMs)];
  const [row] = await ctx.db.execute<ContactCounts>(sql`
    select own.*, address.* from
      (select count(*) filter (where requested_at > ${hour}::timestamptz)::int as "hour", count(*)::int as "day"
        from contact_requests where visitor = ${visitor} and requested_at > ${day}::timestamptz) as own,
      (select count(*) filter (where not newcomer)::int as "known", count(*) filter (where newcomer)::int as "newcomers"
        from contact_requests where address_hash = ${ctx.client.addressHash}
        and requested_at > ${hour}::timestamptz) as address`);
  if (!row) throw new Error('The contacts could not be counted');
  return row;
}

/** Counts the address's newcomers in the last hour. */
export async function countNewcomers(ctx: Ctx, productId: string): Promise<NewcomerCounts> {
  const { addressHash } = ctx.client;
  const [now, hour] = [ctx.now().toISOString(), ago(ctx, hourMs)];
  const [row] = await ctx.db.execute<{ [name: string]: number | null } & { given: boolean }>(sql`
    with contacts as materialized (
      select product_id, looked, requested_at from contact_requests
      where address_hash = ${addressHash} and newcomer and requested_at > ${hour}::timestamptz
    ), numbers as (select product_id, min(requested_at) as first from contacts group by product_id)
    select given.*, numbers.*, asked.* from
      (select count(*) filter (where looked)::int as "lookedContacts",
      count(*) filter (where not looked)::int as "otherContacts",
        extract(epoch from ${now}::timestamptz - max(requested_at) filter (where looked))::float8 as "sinceLooked",
        extract(epoch from ${now}::timestamptz - max(requested_at) filter (where not looked))::float8 as "sinceOther"
        from contacts) as given,
      (select count(*)::int as "numbers", coalesce(bool_or(product_id = ${productId}), false) as "given",
        extract(epoch from ${now}::timestamptz - max(first))::float8 as "sinceNumber" from numbers) as numbers,
      (select count(*)::int as "questions", count(*) filter (where outcome = 'wrong' and looked)::int as "lookedWrong",
        count(*) filter (where outcome = 'wrong' and not looked)::int as "otherWrong"
        from contact_challenges where address_hash = ${addressHash} and asked_at > ${hour}::timestamptz) as asked`);
  if (!row) throw new Error('The newcomers could not be counted');
  const { lookedContacts, otherContacts, lookedWrong, otherWrong, numbers, questions, given } = row;
  return {
    looked: { contacts: lookedContacts ?? 0, wrong: lookedWrong ?? 0 },
    others: { contacts: otherContacts ?? 0, wrong: otherWrong ?? 0 },
    numbers: numbers ?? 0,
    given,
    sinceLooked: row.sinceLooked ?? null,
    sinceOther: row.sinceOther ?? null,
    sinceNumber: row.sinceNumber ?? null,
    questions: questions ?? 0,
  };
}

/** Counts the visitor's wrong answers in the last hour. */
export async function countWrong(ctx: Ctx, visitor: string): Promise<number> {
  const [row] = await ctx.db.execute<{ wrong: number }>(sql`
    select count(*)::int as wrong from contact_challenges
    where visitor = ${visitor} and outcome = 'wrong' and asked_at > ${ago(ctx, hourMs)}::timestamptz`);
  return row?.wrong ?? 0;
}

/** True if the visitor has a view older than a minute. */
export async function hasLookedAround(ctx: Ctx, visitor: string): Promise<boolean> {
  if (ctx.client.unknown) return false;
  const [row] = await ctx.db.execute<{ looked: boolean }>(sql`
    select exists (select 1 from engagement_events
      where visitor = ${visitor} and type = 'view'
      and occurred_at <= ${ago(ctx, lookedAroundMs)}::timestamptz) as looked`);
  return row?.looked ?? false;
}
