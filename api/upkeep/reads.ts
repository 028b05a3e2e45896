import { and, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Key, Params } from '../../locales/keys.ts';
import type { Language } from '../../locales/languages.ts';
import { alarmReport } from '../alarms/reads.ts';
import { channelReport } from '../chats/channels.ts';
import { lastLookPresented } from '../check/reads.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { requestsDue } from '../legal/reads.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';
import { premiumCount, slotCount } from '../shared/slots.ts';
import { adminSlots } from '../slots/admin.ts';
import type { Checked, HealthRun } from './check.ts';
import { missingYet } from './missing.ts';
import {
  badgeNames,
  type CheckName,
  checkNames,
  type HealthStatus,
  health,
  overallStatus,
} from './rules.ts';

const hourMs = 3_600_000;
const hoursShown = 24;
/** Three missed intervals: the scheduler has stopped. */
const staleMs = 3 * health.everyMinutes * 60_000;

type Stored = {
  name: string;
  status: HealthStatus;
  code: string | null;
  params: Params | null;
  milliseconds: number | null;
};

function presentCheck(
  { name, status, code, params, milliseconds }: Stored | Checked,
  language: Language,
) {
  return {
    name: name as CheckName,
    status,
    message: messageOf(code ?? '', params ?? {}, language),
    milliseconds,
  };
}

export const presentRun = (
  { checkedAt, overall, checks, kept }: HealthRun,
  language: Language,
) => ({
  checkedAt: checkedAt.toISOString(),
  overall,
  kept,
  checks: checks.map((check) => presentCheck(check, language)),
});

function messageOf(code: string, params: Params, language: Language): string {
  const dates = ['date', 'opened'].filter((name) => typeof params[name] === 'string');
  const shown = {
    ...params,
    ...Object.fromEntries(
      dates.map((name) => [name, dayAndTime(new Date(String(params[name])), language)]),
    ),
  };
  const [namespace = '', key = ''] = code.split(':');
  return namespace === 'errors'
    ? translator(language, 'errors')(key as Key<'errors'>, shown)
    : translator(language, 'admin')(key as Key<'admin'>, shown);
}

/** In display order; empty before the first run. */
async function latestChecks(ctx: Ctx): Promise<{ checkedAt: Date | null; checks: Stored[] }> {
  const { healthChecks: h } = schema;
  const newest = sql`(select ${h.checkedAt} from ${h} order by ${h.checkedAt} desc limit 1)`;
  const rows = await ctx.db
    .selectDistinctOn([h.name])
    .from(h)
    .where(eq(h.checkedAt, newest))
    .orderBy(h.name, sql`${h.id} desc`);
  const checks = checkNames.flatMap((name) => rows.find((row) => row.name === name) ?? []);
  return { checkedAt: rows[0]?.checkedAt ?? null, checks };
}

/** System Health (product §2, §4), with the worst status of each of the last 24 hours. */
export async function healthReport(ctx: Ctx) {
  requireAdmin(ctx);
  const { checkedAt, checks } = await latestChecks(ctx);
  const now = ctx.now().getTime();
  const { healthChecks: h } = schema;
  const ago = sql<number>`floor(extract(epoch
    from ${new Date(now).toISOString()}::timestamptz - ${h.checkedAt}) / 3600)::int`;
  const rows = await ctx.db
    .select({
      ago,
      runs: sql<number>`count(distinct ${h.checkedAt})::int`,
      errors: sql<
        string[]
      >`coalesce(array_agg(distinct ${h.name}) filter (where ${h.status} = 'error'), '{}')`,
      warnings: sql<
        string[]
      >`coalesce(array_agg(distinct ${h.name}) filter (where ${h.status} = 'warning'), '{}')`,
    })
    .from(h)
    .where(gt(h.checkedAt, new Date(now - hoursShown * hourMs)))
    .groupBy(sql`1`);
  const history = Array.from({ length: hoursShown }, (_, index) => {
    const hour = hoursShown - 1 - index;
    const row = rows.find((candidate) => Math.max(0, candidate.ago) === hour);
    const status: HealthStatus | null = !row
      ? null
      : row.errors.length > 0
        ? 'error'
        : row.warnings.length > 0
          ? 'warning'
          : 'healthy';
    return {
      from: new Date(now - (hour + 1) * hourMs).toISOString(),
      status,
      runs: row?.runs ?? 0,
      checks: checkNames.filter(
        (name) => row?.errors.includes(name) || row?.warnings.includes(name),
      ),
    };
  });
  return {
    checkedAt: checkedAt?.toISOString() ?? null,
    overall: checks.length > 0 ? overallStatus(checks.map((check) => check.status)) : null,
    stale: checkedAt !== null && now - checkedAt.getTime() > staleMs,
    checks: checks.map((check) => presentCheck(check, ctx.language)),
    channels: await channelReport(ctx),
    history,
    alarms: await alarmReport(ctx),
    rules: await lastLookPresented(ctx),
  };
}

/**
 * /admin/dashboard (product §2, product R28). Active is what the public sees: live, or EXPIRED
 * until the next run; paused slots do not count (product R7).
 */
export async function dashboard(ctx: Ctx) {
  requireAdmin(ctx);
  const { products: p, queueItems, productEdits } = schema;
  const slots = await adminSlots(ctx);
  const active = slots.filter((slot) => slot.state === 'live' || slot.state === 'expired');
  const [queued] = await ctx.db.select({ count: count() }).from(queueItems);
  const [pending] = await ctx.db
    .select({ count: count() })
    .from(p)
    .where(and(eq(p.status, 'pending'), isNull(p.removedAt), isNull(p.withdrawnAt)));
  const [changes] = await ctx.db.select({ count: count() }).from(productEdits);
  const { checkedAt, checks } = await latestChecks(ctx);
  return {
    missing: await missingYet(ctx),
    requestsDue: await requestsDue(ctx),
    stats: {
      totalSlots: slotCount,
      activeProducts: active.length,
      featuredProducts: active.filter((slot) => slot.premium).length,
      featuredTotal: premiumCount,
      queueSize: queued?.count ?? 0,
      pendingReviews: (pending?.count ?? 0) + (changes?.count ?? 0),
    },
    recent: active
      .filter((slot) => slot.id <= 5)
      .map(({ id, endTime, state, product, engagement }) => ({
        id,
        name: nameIn(product?.name ?? null, ctx.language),
        sellerName: product?.sellerName ?? null,
        views: engagement.views,
        image: product?.images[0] ?? null,
        endTime,
        expired: state === 'expired',
      })),
    health: {
      checkedAt: checkedAt?.toISOString() ?? null,
      badges: badgeNames.map((name) => {
        const check = checks.find((candidate) => candidate.name === name);
        return check
          ? presentCheck(check, ctx.language)
          : { name, status: null, message: null, milliseconds: null };
      }),
    },
  };
}
