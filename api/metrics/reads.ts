import { sql } from 'drizzle-orm';
import type { Gauge } from 'prom-client';
import { alarmKinds } from '../alarms/rules.ts';
import { newestBackup } from '../backup/newest.ts';
import type { Ctx, Services } from '../core/context.ts';
import { isLive } from '../listings/live.ts';
import { disksOf } from '../ops/disk.ts';
import { within } from '../shared/within.ts';

/** Scrapes are frequent: better without the database's figures than late. */
const limitMs = 4000;
const under = new WeakMap<Services, Promise<string>>();

/**
 * All figures in Prometheus format. Concurrent calls share one database query; without a database
 * only the process's own are given.
 */
export function readMetrics(ctx: Ctx): Promise<string> {
  const { services } = ctx;
  const asked = under.get(services) ?? look(ctx).finally(() => under.delete(services));
  under.set(services, asked);
  return asked;
}

async function look(ctx: Ctx): Promise<string> {
  const { metrics, log } = ctx.services;
  for (const gauge of Object.values(metrics.shared)) gauge.reset();
  try {
    await within(limitMs, readShared(ctx));
    metrics.shared.databaseUp.set(1);
  } catch (error) {
    log.warn('The figures of the database could not be read', { error });
    metrics.shared.databaseUp.set(0);
  }
  await within(limitMs, readDisks(ctx)).catch((error) =>
    log.warn('The disks could not be measured', { error }),
  );
  return metrics.registry.metrics();
}

/** Needs no database. */
async function readDisks(ctx: Ctx): Promise<void> {
  const { disks, backupMade, backupAge } = ctx.services.metrics;
  for (const gauge of [disks.free, disks.size, backupMade, backupAge]) gauge.reset();
  // reset() sets a gauge without labels to 0, but no backup means no age.
  for (const gauge of [backupMade, backupAge]) gauge.remove();
  for (const { folder, free, size } of await disksOf(ctx.services.env)) {
    disks.free.set({ folder }, free);
    disks.size.set({ folder }, size);
  }
  const newest = await newestBackup(ctx);
  if (!newest) return;
  backupMade.set(newest.getTime() / 1000);
  backupAge.set((ctx.now().getTime() - newest.getTime()) / 1000);
}

type Figure = {
  figure: keyof Ctx['services']['metrics']['shared'] | 'succeeded';
  label: string | null;
  state: string | null;
  value: number;
};

/**
 * One query for one moment. Waiting rows are found by index; only chats and members are fully
 * counted.
 */
async function readShared(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await ctx.db.execute<Figure>(sql`
    select 'slots' as figure, null as label, state, count(*)::float8 as value from (
      select case when paused_at is not null then 'paused' when ${isLive(now)} then 'live'
        when active then 'over' else 'empty' end as state from slots) s group by state
    union all select 'queue', replace(queue_name, 'queue:', ''), null, count(*) from queue_items group by queue_name
    union all select 'review', null, null, count(*) from products
      where status = 'pending' and removed_at is null and withdrawn_at is null
    union all select 'outbox', channel, null, count(*) from outbox where state = 'waiting' group by channel
    union all select 'outboxAge', channel, null, extract(epoch from ${at} - min(created_at))
      from outbox where state = 'waiting' group by channel
    union all select 'refused', days::text, null, (select count(*) from outbox
      where state = 'failed' and channel = 'email' and fault = 'recipient'
        and created_at > ${at} - make_interval(days => days)) from unnest(array[7, 30]) as days
    union all select 'chats', transport, case when blocked_at is not null then 'blocked'
        when user_id is not null then 'linked' else 'stranger' end, count(*)
      from chats group by 2, 3
    union all select 'chatUpdates', transport, null, count(*) from chat_updates
      where state = 'waiting' group by transport
    union all select 'chatUpdatesAge', transport, null, extract(epoch from ${at} - min(received_at))
      from chat_updates where state = 'waiting' group by transport
    union all select 'undelivered', transport, null, count(*) from chat_undelivered
      where at > ${at} - interval '1 day' group by transport
    union all select 'jobRuns', name, null, runs from job_runs
    union all select 'jobFailures', name, null, failures_in_a_row from job_runs
    union all select 'succeeded', name, null, extract(epoch from finished_at) from job_runs where outcome = 'done'
    union all select 'health', name, null, max(case status when 'error' then 2 when 'warning' then 1 else 0 end)
      from health_checks where checked_at = (select max(checked_at) from health_checks) group by name
    union all select 'healthChecked', null, null, extract(epoch from max(checked_at))
      from health_checks having max(checked_at) is not null
    union all select 'brokenRules', null, null, jsonb_array_length(detail -> 'wrong') from job_runs
      where name = 'check-market' and jsonb_typeof(detail -> 'wrong') = 'array'
    union all select 'alarms', k.kind, null, count(a.id)
      from unnest(array[${sql.join(
        alarmKinds.map((kind) => sql`${kind}`),
        sql`, `,
      )}]::text[]) as k (kind)
      left join alarms a on a.kind = k.kind and a.began_at is not null and a.over_at is null group by k.kind
    union all select 'creditAccounts', null, null, count(*) from credit_accounts
    union all select 'credits', null, null, coalesce(sum(balance), 0) from credit_accounts
    union all select 'purchases', purchase_method, null, count(*) from purchases
      where status = 'pending' group by purchase_method`);
  const { shared, jobSucceeded } = ctx.services.metrics;
  for (const { figure, label, state, value } of rows) {
    if (figure === 'succeeded') jobSucceeded.set({ job: String(label) }, value);
    else (shared[figure] as Gauge).set(labelled(figure, label, state), value);
  }
}

const labelOf: Partial<Record<Figure['figure'], string>> = {
  refused: 'days',
  queue: 'lane',
  jobRuns: 'job',
  jobFailures: 'job',
  health: 'check',
  alarms: 'kind',
  purchases: 'method',
};
const labelled = (
  figure: Figure['figure'],
  label: string | null,
  state: string | null,
): Record<string, string> => ({
  ...(label === null ? {} : { [labelOf[figure] ?? 'channel']: label }),
  ...(state === null ? {} : { state }),
});
