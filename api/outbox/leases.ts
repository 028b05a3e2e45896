import { randomUUID } from 'node:crypto';
import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

/**
 * No message waits longer (WhatsApp's three days are the longest). A later due time comes from a
 * clock that was ahead, and would wait as long as it jumped.
 */
export const neverDueAfter = (now: Date): Date => new Date(now.getTime() + 4 * 86_400_000);

/** Tables whose rows wait for a worker: `state`, `nextAttemptAt`, `lease` and an order, `turn`. */
type LeasedTable = typeof schema.outbox | typeof schema.chatUpdates;

type Taking = {
  table: LeasedTable;
  /** The table's primary key. */
  key: 'id' | 'turn';
  /** Which waiting rows may be taken; the row is `o`. */
  which: SQL;
  /** Columns of the result, of the row `c`. */
  columns: SQL;
  limit: number;
  leaseMs: number;
};

/**
 * Leases due rows, the oldest first, and returns them in order. An index finds them, even among a
 * hundred thousand waiting (decision 021). After `leaseMs` another process may take them.
 */
export async function takeLeases<Row extends Record<string, unknown> & { turn: number }>(
  ctx: Ctx,
  { table, key, which, columns, limit, leaseMs }: Taking,
): Promise<Row[]> {
  const now = ctx.now();
  const id = sql.identifier(key);
  const rows = await ctx.db.execute<Row>(sql`
    with due as materialized (
      select o.${id} from ${table} o
      where o.state = 'waiting' and o.next_attempt_at <= ${now.toISOString()}::timestamptz and ${which}
      order by o.next_attempt_at, o.turn limit ${limit}
      for update of o skip locked)
    update ${table} c set lease = ${randomUUID()},
      next_attempt_at = ${new Date(now.getTime() + leaseMs).toISOString()}::timestamptz
    from due where c.${id} = due.${id}
    returning ${columns}`);
  return ([...rows] as Row[]).sort((a, b) => Number(a.turn) - Number(b.turn));
}

/** Milliseconds. A living process renews its leases; what a dead one held is due after `leaseMs`. */
export const chatLeases = { leaseMs: 8000, renewMs: 2500 } as const;

/** Renews leases that are still held; those that another process took stay with it. */
export async function keepLeases(
  ctx: Ctx,
  { table, key, leaseMs }: Pick<Taking, 'table' | 'key' | 'leaseMs'>,
  held: readonly { lease: string | null }[],
): Promise<void> {
  const leases = held.flatMap(({ lease }) => lease ?? []);
  if (leases.length === 0) return;
  const until = new Date(ctx.now().getTime() + leaseMs).toISOString();
  const id = sql.identifier(key);
  await ctx.db.execute(sql`
    with mine as (select o.${id} from ${table} o
      where o.state = 'waiting' and o.lease in ${leases} for update skip locked)
    update ${table} c set next_attempt_at = ${until}::timestamptz
    from mine where c.${id} = mine.${id}`);
}

/**
 * Sends `NOTIFY channel` if any row of `which` is due; for jobs, which find retries and expired
 * leases. Rows that a wrong clock postponed too far become due.
 */
export async function announceLeases(
  ctx: Ctx,
  table: LeasedTable,
  channel: 'outbox' | 'chats',
  which?: SQL,
): Promise<{ due: boolean }> {
  const now = ctx.now();
  const waiting = and(eq(table.state, 'waiting'), which);
  await ctx.db
    .update(table)
    .set({ nextAttemptAt: now })
    .where(and(waiting, gt(table.nextAttemptAt, neverDueAfter(now))));
  const rows = await ctx.db.execute(sql`
    select pg_notify(${channel}, 'due') from
      (select from ${table} where ${waiting}
        and ${table.nextAttemptAt} <= ${now.toISOString()}::timestamptz limit 1) as due`);
  return { due: rows.length > 0 };
}
