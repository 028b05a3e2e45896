import { desc, eq, ne, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import {
  type AlarmKind,
  type Deliveries,
  deliveryFails,
  diskState,
  type Finding,
} from '../alarms/rules.ts';
import { newestBackup } from '../backup/newest.ts';
import { channelTimes, cloudErrors } from '../chats/rules.ts';
import { lastLook } from '../check/reads.ts';
import { harvestQuietMs } from '../contact/rules.ts';
import type { Ctx } from '../core/context.ts';
import { disksOf } from '../ops/disk.ts';
import { health } from './rules.ts';

export type AlarmLook = (ctx: Ctx) => Promise<Finding[]>;
const hourMs = 3_600_000;
const bad = (figures: Finding['figures'], subject = ''): Finding => ({
  subject,
  state: 'bad',
  figures,
});

/** Must be cheap: they run every two minutes. If one throws, its alarms stay. */
export const alarmLooks: Record<AlarmKind, AlarmLook> = {
  async backupFailed(ctx) {
    const { jobRuns } = schema;
    const [run] = await ctx.db.select().from(jobRuns).where(eq(jobRuns.name, 'back-up'));
    if (!run || run.failuresInARow === 0) return [];
    // A later manual backup counts too; an unreadable folder counts as empty.
    const newest = await newestBackup(ctx).catch(() => null);
    if (newest === undefined || (newest && newest > run.startedAt)) return [];
    return [bad({ count: run.failuresInARow, date: run.startedAt.toISOString() })];
  },
  async backupOld(ctx) {
    // A folder that does not exist holds no backup; any other error leaves the alarm as it is.
    const newest = await newestBackup(ctx).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (newest === undefined) return [];
    const since = newest ?? (await madeAt(ctx));
    if (ctx.now().getTime() - since.getTime() <= health.backupLateMs) return [];
    return [bad(newest ? { date: newest.toISOString() } : {})];
  },
  async ruleBroken(ctx) {
    const last = await lastLook(ctx);
    // During a self-check, or after one was cut off, the previous findings hold.
    if (!last) return [{ subject: '', state: 'between', figures: {} }];
    if (last.look?.wrong.length === 0) return [];
    const date = last.at.toISOString();
    return [
      bad(
        last.look
          ? {
              count: last.look.wrong.length,
              names: last.look.wrong.map(({ name }) => name).join(', '),
              date,
            }
          : { date },
      ),
    ];
  },
  diskFull: diskLook(),
  async healthRed(ctx) {
    const { healthChecks: h } = schema;
    const [newest] = await ctx.db
      .select({ at: h.checkedAt })
      .from(h)
      .orderBy(desc(h.checkedAt))
      .limit(1);
    if (!newest) return [];
    const rows = await ctx.db
      .select({ name: h.name, status: h.status, code: h.code })
      .from(h)
      .where(eq(h.checkedAt, newest.at));
    // The nightly self-check has its own alarm.
    const red = rows.filter(
      ({ status, code }) =>
        status === 'error' &&
        code !== 'admin:health.rulesBroken' &&
        code !== 'admin:health.rulesNotLookedAt',
    );
    return red.length > 0
      ? [bad({ checks: red.map(({ name }) => name).join(','), date: newest.at.toISOString() })]
      : [];
  },
  async deliveryFailed(ctx) {
    const networks = await deliveries(ctx);
    return networks
      .filter(deliveryFails)
      .map(({ channel, recipients }) => bad({ count: recipients }, channel));
  },
  async harvest(ctx) {
    // Harvest alarms begin in api/contact/harvest.ts; here they can only end.
    const since = new Date(ctx.now().getTime() - harvestQuietMs).toISOString();
    const rows = await ctx.db.execute<{ subject: string; figures: Finding['figures'] }>(sql`
      select a.subject, a.figures from alarms a where a.kind = 'harvest' and a.over_at is null and exists (
        select from audit_log l where l.subject_kind = 'address' and l.subject_id = a.subject
          and l.action = 'contact.harvest' and l.at > ${since}::timestamptz)`);
    return rows.map(({ subject, figures }) => bad(figures, subject));
  },
};

export function diskLook(read: typeof disksOf = disksOf): AlarmLook {
  return async ({ services: { env } }) =>
    (await read(env)).flatMap(({ folder, free, size }) => {
      const state = diskState({ free, size });
      return state ? [{ subject: folder, state, figures: { free, size } }] : [];
    });
}

/**
 * Creation time of the market, used while there is no backup. The ledger's key does not count: the
 * demo's ledger begins a month ago.
 */
async function madeAt({ db, now }: Ctx): Promise<Date> {
  const { secrets } = schema;
  const [row] = await db
    .select({ at: sql<string | null>`min(created_at)` })
    .from(secrets)
    .where(ne(secrets.name, 'credits'));
  return row?.at ? new Date(row.at) : now();
}

type Network = Deliveries & { channel: string; recipients: number };

/**
 * Deliveries of the last day. A given-up or refused email failed; queued messages, chats that
 * blocked the bot and browsers that are gone are no fault of the transport.
 */
async function deliveries(ctx: Ctx): Promise<Network[]> {
  const now = ctx.now().getTime();
  const ago = (ms: number) => sql`${new Date(now - ms).toISOString()}::timestamptz`;
  const rows = await ctx.db.execute<Network>(sql`
    with tried as (
      select o.channel, o.recipient, o.created_at, o.sent_at, o.state <> 'sent' as failed
      from outbox o left join chats c on c.key_hash = o.recipient
      where o.created_at > ${ago(24 * hourMs)} and c.blocked_at is null
        and not (o.channel = 'push' and o.fault is not distinct from 'recipient')
        and (o.state in ('sent', 'failed') or (o.attempts > 0 and o.last_error is not null))
    ), networks as (
      select channel, max(sent_at) as sent_at from tried group by channel
      union select transport, sent_at from chat_channels
    ), newest as (select channel, max(sent_at) as sent_at from networks group by channel)
    select n.channel,
      count(distinct t.recipient) filter (where t.failed
        and t.created_at > coalesce(n.sent_at, '-infinity'))::int as "failedSince",
      count(distinct t.recipient) filter (where t.failed and t.created_at > ${ago(hourMs)})::int
        + (select count(*) from chat_undelivered u where u.transport = n.channel and u.at > ${ago(hourMs)}
            and u.code not in ${[...cloudErrors.gone]})::int as "failedHour",
      count(distinct t.recipient) filter (where t.sent_at > ${ago(hourMs)})::int as "sentHour",
      count(distinct t.recipient) filter (where t.failed)::int as recipients,
      coalesce(bool_or(case
        when c.template_refused_at > ${ago(24 * hourMs)} then true
        when c.state = 'off' or c.seen_at < ${ago(channelTimes.offMs)} then false
        when c.seen_at < ${ago(channelTimes.silentMs)} or c.state = 'failing'
          or (c.state = 'pairing' and c.sent_at is not null) then true
        else c.failed_at > coalesce(c.sent_at, '-infinity') and c.failed_at > ${ago(180_000)} end), false) as down
    from newest n left join tried t on t.channel = n.channel left join chat_channels c on c.transport = n.channel
    group by n.channel`);
  return [...rows];
}
