import { sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { isOverdue } from '../listings/live.ts';
import { premiumCount } from '../shared/slots.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Two runs of the queue. */
const queueLateMs = 10 * minuteMs;

/**
 * Overdue slots, products that wait although their lane has an empty slot, and all waiting products
 * (product §1, product R3).
 */
export async function overdue(
  ctx: Ctx,
): Promise<{ ended: number; stuck: number; waiting: number }> {
  const since = new Date(ctx.now().getTime() - queueLateMs);
  const [row] = await ctx.db.execute<{ ended: number; stuck: number; waiting: number }>(sql`
    select (select count(*)::int from ${schema.slots} where ${isOverdue(new Date(since.getTime() - 1))}) as ended,
      (select count(*)::int from queue_items q join products p on p.id = q.product_id
        left join sellers s on s.id = p.seller_id
        where s.suspended is not true and greatest(q.queued_at, p.approved_at) < ${since.toISOString()}::timestamptz
          and exists (select 1 from slots where not active and updated_at < ${since.toISOString()}::timestamptz
            and (id <= ${premiumCount}) = (q.queue_name = 'queue:featured'))) as stuck,
      (select count(*)::int from queue_items) as waiting`);
  return row ?? { ended: 0, stuck: 0, waiting: 0 };
}

/** Three intervals of each job of the timetable, at least five minutes. */
const latestMs = {
  'process-queue': 15 * minuteMs,
  'tell-ends-soon': 15 * minuteMs,
  'check-health': 15 * minuteMs,
  'judge-alarms': 10 * minuteMs,
  'tell-admins': 5 * minuteMs,
  'tell-alerts': 5 * minuteMs,
  'deliver-outbox': 5 * minuteMs,
  'answer-chats': 5 * minuteMs,
  'ask-about-payments': 5 * minuteMs,
  'roll-up-engagement': 5 * minuteMs,
  'refine-photos': 5 * minuteMs,
  'draw-share-cards': 5 * minuteMs,
  'delete-accounts': 30 * minuteMs,
  'clean-abandoned-uploads': 3 * hourMs,
  'forget-drafts': 3 * hourMs,
  'tend-chats': 3 * hourMs,
  'cleanup-expired-products': 3 * dayMs,
  'forget-idempotency-keys': 3 * dayMs,
  'forget-views-of-posts': 3 * dayMs,
  'forget-old-rows': 3 * dayMs,
  'back-up': 3 * dayMs,
  'check-market': 3 * dayMs,
  'tell-overtaken': 3 * dayMs,
  'tell-mornings': 3 * dayMs,
  'tell-favourites': 3 * dayMs,
};

/** Jobs that the timetable may hold: System Health notices when one of them stops. */
export type JobName = keyof typeof latestMs;

/**
 * `failing`: three times in a row. `late`: its last run is too long ago; without one, the start of
 * this process is. `stopped`: late, and this process was up long enough to see a run.
 */
export async function unhealthyJobs(
  ctx: Ctx,
): Promise<{ failing: string[]; late: string[]; stopped: boolean; last: Date | null }> {
  const rows = await ctx.db.select().from(schema.jobRuns).orderBy(schema.jobRuns.name);
  const now = ctx.now().getTime();
  const ends = rows.flatMap((row) => row.finishedAt?.getTime() ?? []);
  const begun = new Map(rows.map(({ name, startedAt }) => [name, startedAt]));
  const { startedAt } = ctx.services;
  const isPast = (name: JobName, since: Date) => now - since.getTime() > latestMs[name];
  const late = (Object.keys(latestMs) as JobName[]).filter((name) =>
    isPast(name, begun.get(name) ?? startedAt),
  );
  return {
    failing: rows.filter((row) => row.failuresInARow >= 3).map((row) => row.name),
    late: late.sort(),
    stopped: late.some((name) => isPast(name, startedAt)),
    last: ends.length > 0 ? new Date(Math.max(...ends)) : null,
  };
}

/**
 * Without one, open pages get no updates. A listening connection's last statement is its LISTEN.
 */
export async function listenersOfChanges(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database()
      and query ilike 'listen %'`,
  );
  return row?.count ?? 0;
}
