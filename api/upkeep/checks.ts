import { randomUUID } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Params } from '../../locales/keys.ts';
import { networksThatRun } from '../chats/channels.ts';
import { brokenRules } from '../check/check.ts';
import { placeRules } from '../check/market.ts';
import { lastLook } from '../check/reads.ts';
import type { Actor, Ctx } from '../core/context.ts';
import { isServed } from '../outages/beat.ts';
import { lastOutages } from '../outages/reads.ts';
import { incompleteProducts } from '../products/integrity/integrity.ts';
import { Refusal } from '../shared/errors.ts';
import { adminSlots } from '../slots/admin.ts';
import { homepageProducts } from '../slots/reads.ts';
import { listenersOfChanges, overdue, unhealthyJobs } from './backlog.ts';
import { backupFinding } from './backupHealth.ts';
import type { Finding, HealthCode } from './finding.ts';
import { type CheckName, health } from './rules.ts';

export type Stopwatch = () => number;
type Check = {
  look: (ctx: Ctx, stopwatch: Stopwatch) => Promise<Finding>;
  /** Message when the check itself failed (product §8). */
  failed: HealthCode;
};

const healthy = (code: HealthCode, params: Params = {}): Finding => ({
  status: 'healthy',
  code,
  params,
});
const warning = (code: HealthCode, params: Params = {}): Finding => ({
  status: 'warning',
  code,
  params,
});
const error = (code: HealthCode, params: Params = {}): Finding => ({
  status: 'error',
  code,
  params,
});

async function taking(
  stopwatch: Stopwatch,
  work: Promise<unknown>,
  started: number,
): Promise<number> {
  await work;
  return Math.round(stopwatch() - started);
}

/** Every health check (product §4, §7, §9; product R28); none changes the market. */
export const checks: Record<CheckName, Check> = {
  database: {
    failed: 'errors:health.databaseConnectionFailed',
    async look(ctx, stopwatch) {
      const ms = await taking(stopwatch, ctx.db.execute(sql`select 1`), stopwatch());
      return ms > health.databaseWarningMs
        ? warning('admin:health.slowDatabase', { ms })
        : healthy('admin:health.healthyText.database', { ms });
    },
  },
  storage: {
    failed: 'errors:health.storageUnavailable',
    async look({ services: { storage } }) {
      await storage.probe();
      // A bucket that lists may still refuse writes.
      const key = `products/health-${randomUUID()}.txt`;
      const sent = new TextEncoder().encode(key);
      await storage.put(key, sent, 'text/plain');
      const kept = await storage.get(key);
      await storage.delete([key]);
      if (!kept || new TextDecoder().decode(kept) !== key)
        throw new Error('The storage answered another file than it was given');
      return healthy('admin:health.healthyText.storage');
    },
  },
  performance: {
    failed: 'errors:health.performanceFailed',
    async look(ctx, stopwatch) {
      // The query behind every visit that no cached page answers.
      const ms = await taking(stopwatch, homepageProducts(ctx), stopwatch());
      return ms > health.queryWarningMs
        ? warning('admin:health.slowQuery', { ms })
        : healthy('admin:health.healthyText.performance', { ms });
    },
  },
  authentication: { failed: 'errors:health.authenticationRequired', look: authentication },
  rls: {
    failed: 'errors:health.rlsFailed',
    async look(ctx) {
      const open = [...(await openTables(ctx)), ...(await openPorts(ctx))];
      if (open.length === 0) return healthy('admin:health.healthyText.rls');
      ctx.services.log.critical('A default-deny probe got through', { open });
      return error('errors:health.rlsFailed');
    },
  },
  integrity: { failed: 'errors:health.integrityFailed', look: integrity },
  queue: {
    failed: 'admin:health.checkFailed',
    async look(ctx) {
      const { ended, stuck, waiting } = await overdue(ctx);
      if (ended > 0) return warning('admin:health.slotsOverdue', { count: ended });
      if (stuck > 0) return warning('admin:health.queueStuck', { count: stuck });
      return healthy('admin:health.healthyText.queue', { count: waiting });
    },
  },
  jobs: {
    failed: 'admin:health.checkFailed',
    async look(ctx) {
      const { failing, late, stopped, last } = await unhealthyJobs(ctx);
      if (failing.length > 0)
        return error('admin:health.jobsFailing', { names: failing.join(', ') });
      // Right after a start or an outage, jobs are late without fault: no alarm then.
      if (late.length > 0)
        return (stopped ? error : warning)('admin:health.jobsLate', { names: late.join(', ') });
      return last
        ? healthy('admin:health.healthyText.jobs', { date: last.toISOString() })
        : warning('admin:health.jobsNever');
    },
  },
  mail: {
    failed: 'admin:health.checkFailed',
    async look(ctx) {
      const now = ctx.now().getTime();
      const at = (ms: number) => new Date(now - ms).toISOString();
      const { outbox } = schema;
      // Messages of a switched-off transport may wait without fault.
      const waits = sql`${outbox.state} = 'waiting' and (${outbox.channel} in ('email', 'push')
        or ${outbox.channel} in ${networksThatRun(ctx)})`;
      const [row] = await ctx.db
        .select({
          late: sql<number>`count(*) filter (where ${waits}
            and ${outbox.nextAttemptAt} < ${at(10 * 60_000)}::timestamptz)::int`,
          // Only recent failures: a warning that never ends warns of nothing. Nor of browsers that
          // are gone.
          failed: sql<number>`count(*) filter (where ${outbox.state} = 'failed'
            and not (${outbox.channel} = 'push' and ${outbox.fault} is not distinct from 'recipient')
            and ${outbox.nextAttemptAt} > ${at(86_400_000)}::timestamptz)::int`,
          waiting: sql<number>`count(*) filter (where ${waits})::int`,
        })
        .from(outbox);
      if (row?.failed) return warning('admin:health.mailFailed', { count: row.failed });
      if (row?.late) return warning('admin:health.mailLate', { count: row.late });
      return row?.waiting
        ? healthy('admin:health.mailWaiting', { count: row.waiting })
        : healthy('admin:health.healthyText.mail');
    },
  },
  analytics: {
    failed: 'admin:health.checkFailed',
    async look(ctx) {
      const { engagementEvents: e } = schema;
      const old = new Date(ctx.now().getTime() - 5 * 60_000).toISOString();
      const [row] = await ctx.db
        .select({ count: count() })
        .from(e)
        .where(and(sql`${e.rolledAt} is null`, sql`${e.occurredAt} < ${old}::timestamptz`));
      return row?.count
        ? warning('admin:health.analyticsBehind', { count: row.count })
        : healthy('admin:health.healthyText.analytics');
    },
  },
  outages: {
    failed: 'admin:health.checkFailed',
    async look(ctx) {
      const [latest] = (await lastOutages(ctx)).outages;
      if (latest?.decision === 'waiting') return warning('admin:health.outageWaits');
      if (!(await isServed(ctx))) return warning('admin:health.pulseSilent');
      return latest
        ? healthy('admin:health.outageLast', { date: latest.until })
        : healthy('admin:health.healthyText.outages');
    },
  },
  realtime: {
    failed: 'admin:health.checkFailed',
    look: async (ctx) =>
      (await listenersOfChanges(ctx)) > 0
        ? healthy('admin:health.healthyText.realtime')
        : warning('admin:health.realtimeOff'),
  },
  backup: {
    failed: 'admin:health.backupAway',
    look: backupFinding,
  },
};

/** The asking admin's session; for a job, whether any admin could sign in. */
async function authentication(ctx: Ctx): Promise<Finding> {
  const { session, user } = schema;
  if (ctx.actor.kind === 'admin') {
    const { sessionId, name } = ctx.actor;
    // An admin in a chat was looked up with this very message.
    if (sessionId === null) return healthy('admin:health.healthyText.authentication', { name });
    const [own] = await ctx.db
      .select({ id: session.id })
      .from(session)
      .innerJoin(user, eq(user.id, session.userId))
      .where(
        and(eq(session.id, sessionId), gt(session.expiresAt, ctx.now()), eq(user.role, 'admin')),
      );
    return own
      ? healthy('admin:health.healthyText.authentication', { name })
      : error('errors:health.authenticationRequired');
  }
  const [admins] = await ctx.db
    .select({ count: count() })
    .from(user)
    .where(and(eq(user.role, 'admin'), eq(user.emailVerified, true)));
  return admins?.count
    ? healthy('admin:health.admins', { count: admins.count })
    : error('errors:health.authenticationRequired');
}

async function openTables(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm')
      and has_table_privilege('public', c.oid, 'select, insert, update, delete')`);
  return rows.map(({ name }) => name);
}

const strangers: readonly Actor[] = [
  { kind: 'visitor' },
  {
    ...{ kind: 'member', userId: 'health probe', sessionId: 'health probe', name: '', email: '' },
    agreedTo: null,
  },
  {
    ...{
      kind: 'moderator',
      userId: 'health probe',
      sessionId: 'health probe',
      name: '',
      email: '',
    },
    agreedTo: null,
  },
];

/** Admin-only reads that a visitor, a member or a moderator was allowed. */
async function openPorts(ctx: Ctx): Promise<string[]> {
  const open: string[] = [];
  for (const actor of strangers) {
    for (const ask of [adminSlots, incompleteProducts]) {
      try {
        await ask({ ...ctx, actor });
        open.push(`${ask.name} for a ${actor.kind}`);
      } catch (refusal) {
        if (
          !(refusal instanceof Refusal) ||
          !['signInRequired', 'forbidden'].includes(refusal.code)
        )
          throw refusal;
      }
    }
  }
  return open;
}

/** Cheap enough for every five minutes. */
const quickRules = placeRules.filter(
  ({ name }) => name === 'slots' || name === 'inOnePlace' || name === 'orphanedSlot',
);

/**
 * An approved product in no place or in two is an error, an orphaned slot a warning; includes the
 * nightly self-check.
 */
async function integrity(ctx: Ctx): Promise<Finding> {
  const broken = await brokenRules(ctx, quickRules);
  if (
    broken.some(({ name, count }) => count === null || name === 'slots' || name === 'inOnePlace')
  ) {
    ctx.services.log.error('The market is not whole', { broken });
    return error('errors:health.integrityFailed');
  }
  const night = await lastLook(ctx);
  const date = night?.at.toISOString() ?? '';
  if (night && !night.look) return error('admin:health.rulesNotLookedAt', { date });
  if (night?.look?.wrong.length)
    return error('admin:health.rulesBroken', { date, count: night.look.wrong.length });
  const orphaned = broken.find(({ name }) => name === 'orphanedSlot')?.count;
  if (orphaned) return warning('errors:health.orphanedSlots', { count: orphaned });
  return night
    ? healthy('admin:health.rulesHold', { date })
    : healthy('admin:health.healthyText.integrity');
}
