import { eq, ne, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import type { healthReport } from '../../../api/upkeep/reads.ts';
import { type CheckName, checkNames, overallStatus } from '../../../api/upkeep/rules.ts';
import { schema } from '../../../db/client.ts';
import { runJob } from '../../../jobs/run.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { sturdy } from '../../support/database.ts';
import { approved, live, productRow, runQueue, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { rawRows } from '../../support/rows.ts';

const market = await testApp();
const { seller, member, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { healthChecks, jobRuns, outbox, engagementEvents } = schema;

type Report = Awaited<ReturnType<typeof healthReport>>;

const asJob = () => market.job('check-health');
async function finding(
  name: CheckName,
  ctx: Ctx = asJob(),
  options: Parameters<typeof checkHealth>[1] = {},
) {
  const { checks } = await checkHealth(ctx, options);
  const found = checks.find((check) => check.name === name);
  return { status: found?.status, code: found?.code, params: found?.params };
}
/** A stopwatch at zero, except while the nth span is measured. */
function slow(span: number, milliseconds: number) {
  let reads = 0;
  // Each timed health check reads it four times: outside, inside, inside, outside.
  return () => (Math.floor(reads++ / 4) === span ? (reads % 4) * milliseconds : 0);
}
/** Bypasses the database's triggers, to create rows that only a bug could. */
const behindTheGuards = (statement: string) =>
  sturdy(() =>
    market.sql.begin((tx) =>
      tx.unsafe(`set local session_replication_role = replica; ${statement}`),
    ),
  );
const ran = (name: string, columns: Partial<typeof jobRuns.$inferInsert> = {}) => {
  const now = market.clock.now();
  return market.db
    .insert(jobRuns)
    .values({ name, startedAt: now, finishedAt: now, outcome: 'done', runs: 1, ...columns });
};

describe('the overall status (product §4)', () => {
  test('is error if any check is, else warning if any is, else healthy', () => {
    expect(overallStatus(['healthy', 'warning', 'error', 'healthy'])).toBe('error');
    expect(overallStatus(['healthy', 'warning', 'warning'])).toBe('warning');
    expect(overallStatus(['healthy', 'healthy'])).toBe('healthy');
  });
});

describe('a run of the health checks', () => {
  test('looks at everything, keeps it, and is the newest report', async () => {
    await ran('process-queue');
    const run = await checkHealth(asJob());
    expect(run.checks.map((check) => check.name)).toEqual([...checkNames]);
    const unwell = run.checks
      .filter((check) => check.status !== 'healthy')
      .map((check) => check.code);
    // No server runs in this test, so no process listens for changes.
    expect(unwell).toEqual(['admin:health.realtimeOff']);
    expect(run).toMatchObject({ overall: 'warning', kept: true, checkedAt: market.clock.now() });
    const rows = await market.db.select().from(healthChecks);
    expect(rows).toHaveLength(checkNames.length);
    for (const row of rows) expect(row.milliseconds).toBeGreaterThanOrEqual(0);
    const { status, body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      overall: 'warning',
      stale: false,
      checkedAt: market.clock.now().toISOString(),
    });
    expect(body.checks.map((check) => check.name)).toEqual([...checkNames]);
    expect(body.checks.find((check) => check.name === 'integrity')?.message).toBe(
      'No orphaned slots',
    );
    const french = await market.call<Report>('/api/admin/health', { as: admin, language: 'fr' });
    expect(french.body.checks.find((check) => check.name === 'integrity')?.message).toBe(
      'Aucun emplacement orphelin',
    );
  });

  test('leaves nothing behind in the storage, and changes nothing in the market', async () => {
    const { id } = await live(market, seller, admin);
    const before = [...market.storage.files.keys()];
    const product = await productRow(market, id);
    await checkHealth(asJob());
    expect([...market.storage.files.keys()]).toEqual(before);
    expect(await productRow(market, id)).toEqual(product);
  });

  test('is on the timetable every five minutes (product §9), and is forgotten after a week', async () => {
    const job = schedule.find((entry) => entry.name === 'check-health');
    expect(job?.pattern).toBe('*/5 * * * *');
    if (job) expect((await runJob(market.host, job)).outcome).toBe('done');
    market.clock.advance({ days: 6, hours: 23 });
    await forgetOldRows(asJob());
    expect(await market.db.$count(healthChecks)).toBe(checkNames.length);
    market.clock.advance({ hours: 2 });
    await forgetOldRows(asJob());
    expect(await market.db.$count(healthChecks)).toBe(0);
  });

  test('twice at one moment: the report names each check once, as the later run found it', async () => {
    await checkHealth(asJob());
    market.storage.failAfter(0);
    await checkHealth(asJob());
    const { body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(body.checks.map((check) => check.name)).toEqual([...checkNames]);
    expect(body.checks.find((check) => check.name === 'storage')?.status).toBe('error');
  });

  test('is told hour by hour, the worst of each, with the checks that were at fault', async () => {
    await ran('process-queue');
    await checkHealth(asJob());
    market.clock.advance({ hours: 3 });
    market.storage.failAfter(0);
    await checkHealth(asJob());
    market.storage.failAfter();
    market.clock.advance({ minutes: 20 });
    const { body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(body.history).toHaveLength(24);
    expect(body.history[23]).toMatchObject({
      status: 'error',
      runs: 1,
      checks: ['storage', 'jobs', 'realtime'],
    });
    expect(body.history[20]).toMatchObject({ status: 'warning', runs: 1, checks: ['realtime'] });
    expect(body.history.filter((hour) => hour.status === null)).toHaveLength(22);
    // The last run is twenty minutes old: the timetable has stopped.
    expect(body.stale).toBe(true);
  });

  test('none yet is told as none', async () => {
    const { body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(body).toMatchObject({ checkedAt: null, overall: null, checks: [], stale: false });
  });

  test('can be asked for now, by an admin, in their language', async () => {
    const { status, body } = await market.call<{
      overall: string;
      kept: boolean;
      checks: { name: string; message: string }[];
    }>('/api/admin/health', {
      method: 'POST',
      as: admin,
      language: 'fr',
    });
    expect({ status, kept: body.kept }).toEqual({ status: 200, kept: true });
    expect(body.checks.find((check) => check.name === 'authentication')?.message).toBe(
      `Session ouverte\u202f: ${admin.name}`,
    );
    expect(await market.db.$count(healthChecks)).toBe(checkNames.length);
  });
});

describe('the database check', () => {
  test('warns above 1000 ms, not at it (product §9)', async () => {
    expect(await finding('database', asJob(), { stopwatch: slow(0, 1000) })).toMatchObject({
      status: 'healthy',
      params: { ms: 1000 },
    });
    expect(await finding('database', asJob(), { stopwatch: slow(0, 1001) })).toMatchObject({
      status: 'warning',
      code: 'admin:health.slowDatabase',
      params: { ms: 1001 },
    });
  });

  test('without a database is an error, and so is what needs one; nothing can be kept, and the answer says so', async () => {
    const away = market.database.another({ max: 1 });
    await away.close();
    const run = await checkHealth(market.job('check-health', away.db));
    const codes = Object.fromEntries(run.checks.map((check) => [check.name, check.code]));
    expect(codes).toMatchObject({
      database: 'errors:health.databaseConnectionFailed',
      performance: 'errors:health.performanceFailed',
      integrity: 'errors:health.integrityFailed',
      rls: 'errors:health.rlsFailed',
      authentication: 'errors:health.authenticationRequired',
      queue: 'admin:health.checkFailed',
      storage: 'admin:health.healthyText.storage',
    });
    expect(run).toMatchObject({ overall: 'error', kept: false });
    expect(await market.db.$count(healthChecks)).toBe(0);
  });

  test('that never answers ends at its limit', async () => {
    const stuck = market.database.another({ max: 1 });
    const holder = stuck.db.execute(sql`select pg_sleep(0.2)`).catch(() => {});
    expect(
      await finding('database', market.job('check-health', stuck.db), { limitMs: 30 }),
    ).toMatchObject({
      status: 'error',
      code: 'errors:health.databaseConnectionFailed',
    });
    await holder;
  });
});

describe('the storage check', () => {
  const storage = market.services.storage;
  const withStorage = (changes: Partial<typeof storage>): Ctx => ({
    ...asJob(),
    services: { ...market.services, storage: { ...storage, ...changes } },
  });
  const away = { status: 'error', code: 'errors:health.storageUnavailable' };

  test('is an error when the bucket cannot be listed, written, read, or gives back something else', async () => {
    const broken = async () => {
      throw new Error('no');
    };
    for (const changes of [
      { probe: broken },
      { put: broken },
      { get: broken },
      { delete: broken },
      { get: async () => undefined },
      { get: async () => new Uint8Array(3) },
    ])
      expect(await finding('storage', withStorage(changes)), Object.keys(changes)[0]).toMatchObject(
        away,
      );
    expect(await finding('storage', withStorage({}))).toMatchObject({ status: 'healthy' });
  });

  test('that hangs ends at its limit', async () => {
    expect(
      await finding('storage', withStorage({ probe: () => new Promise(() => {}) }), {
        limitMs: 30,
      }),
    ).toMatchObject(away);
  });
});

describe('the performance check', () => {
  test('warns above 2000 ms, not at it', async () => {
    expect(await finding('performance', asJob(), { stopwatch: slow(1, 2000) })).toMatchObject({
      status: 'healthy',
      params: { ms: 2000 },
    });
    expect(await finding('performance', asJob(), { stopwatch: slow(1, 2001) })).toMatchObject({
      status: 'warning',
      code: 'admin:health.slowQuery',
    });
  });

  test('says the target, and fails with the specified message', async () => {
    await checkHealth(asJob(), { stopwatch: () => 0 });
    const { body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(body.checks.find((check) => check.name === 'performance')?.message).toBe(
      'Query time 0 ms (target: under 500 ms)',
    );
    await market.db.execute(sql`alter table slot_engagement rename to elsewhere`);
    try {
      expect(await finding('performance')).toMatchObject({
        status: 'error',
        code: 'errors:health.performanceFailed',
      });
    } finally {
      await market.db.execute(sql`alter table elsewhere rename to slot_engagement`);
    }
  });
});

describe('the RLS check (product R28)', () => {
  test('fails when everybody who reaches the database may read a table', async () => {
    await market.db.execute(sql`grant select on sellers to public`);
    try {
      expect(await finding('rls')).toMatchObject({
        status: 'error',
        code: 'errors:health.rlsFailed',
      });
      expect(market.logged).toContainEqual(
        expect.objectContaining({ level: 'critical', open: ['sellers'] }),
      );
    } finally {
      await market.db.execute(sql`revoke select on sellers from public`);
    }
    expect(await finding('rls')).toMatchObject({ status: 'healthy' });
  });
});

describe('the authentication check', () => {
  test('names the admin who asks, and fails when that session is over', async () => {
    const ctx = await market.ctx(admin);
    expect(await finding('authentication', ctx)).toMatchObject({
      status: 'healthy',
      params: { name: admin.name },
    });
    const session = { sessionId: 'another session' };
    expect(
      await finding('authentication', {
        ...ctx,
        actor: { ...ctx.actor, ...session } as Ctx['actor'],
      }),
    ).toMatchObject({
      status: 'error',
      code: 'errors:health.authenticationRequired',
    });
  });

  test('of the timetable fails when no admin could sign in', async () => {
    expect(await finding('authentication')).toMatchObject({
      status: 'healthy',
      code: 'admin:health.admins',
      params: { count: 1 },
    });
    const { user } = schema;
    await market.db.update(user).set({ role: 'member' }).where(eq(user.id, admin.userId));
    try {
      expect(await finding('authentication')).toMatchObject({
        status: 'error',
        code: 'errors:health.authenticationRequired',
      });
    } finally {
      await market.db.update(user).set({ role: 'admin' }).where(eq(user.id, admin.userId));
    }
  });
});

describe('the integrity check', () => {
  test('counts slots whose product should not be in them', async () => {
    const rows = rawRows(market.sql);
    const [first, second, third] = [
      await rows.placed(1),
      await rows.placed(2),
      await rows.placed(3),
    ];
    await rows.placed(4);
    expect(await finding('integrity')).toMatchObject({ status: 'healthy' });
    await behindTheGuards(
      `update products set status = 'pending', approved_at = null where id = '${first}'`,
    );
    await behindTheGuards(`update products set removed_at = now() where id = '${second}'`);
    await behindTheGuards(`delete from products where id = '${third}'`);
    expect(await finding('integrity')).toMatchObject({
      status: 'warning',
      code: 'errors:health.orphanedSlots',
      params: { count: 3 },
    });
    const { body } = await market.call<Report>('/api/admin/health', { as: admin });
    expect(body.checks.find((check) => check.name === 'integrity')?.message).toBe(
      '3 orphaned slots detected',
    );
  });

  test('fails when an approved product is in no place', async () => {
    await behindTheGuards(
      `insert into products (id, slug, status, approved_at) values (gen_random_uuid(), 'adrift', 'approved', now())`,
    );
    expect(await finding('integrity')).toMatchObject({
      status: 'error',
      code: 'errors:health.integrityFailed',
    });
  });

  test('fails when one of the 54 slots is missing', async () => {
    await behindTheGuards(
      'delete from slot_engagement where slot_id = 54; delete from slots where id = 54',
    );
    expect(await finding('integrity')).toMatchObject({
      status: 'error',
      code: 'errors:health.integrityFailed',
    });
    await behindTheGuards(
      'insert into slots (id) values (54); insert into slot_engagement (slot_id) values (54)',
    );
  });
});

describe('the checks of what happens by itself', () => {
  test('queue: ended slots that are not freed, and products that wait beside an empty slot', async () => {
    await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 24, minutes: 10 });
    expect(await finding('queue')).toMatchObject({ status: 'healthy' });
    market.clock.advance({ seconds: 1 });
    expect(await finding('queue')).toMatchObject({
      status: 'warning',
      code: 'admin:health.slotsOverdue',
      params: { count: 1 },
    });
    await runQueue(market);
    await approved(market, seller, admin);
    await market.db
      .update(schema.slots)
      .set({ updatedAt: new Date(market.clock.now().getTime() - 3_600_000) });
    expect(await finding('queue')).toMatchObject({ status: 'healthy', params: { count: 1 } });
    market.clock.advance({ minutes: 11 });
    expect(await finding('queue')).toMatchObject({
      status: 'warning',
      code: 'admin:health.queueStuck',
      params: { count: 1 },
    });
    await runQueue(market);
    expect(await finding('queue')).toMatchObject({ status: 'healthy', params: { count: 0 } });
  });

  test('jobs: none at all, late ones, and those that fail again and again', async () => {
    expect(await finding('jobs')).toMatchObject({
      status: 'warning',
      code: 'admin:health.jobsNever',
    });
    for (const { name } of schedule)
      await ran(name, name === 'deliver-outbox' ? { failuresInARow: 2, outcome: 'failed' } : {});
    expect(await finding('jobs')).toMatchObject({
      status: 'healthy',
      params: { date: market.clock.now().toISOString() },
    });
    market.clock.advance({ minutes: 6 });
    await market.db
      .update(jobRuns)
      .set({ startedAt: market.clock.now() })
      .where(ne(jobRuns.name, 'deliver-outbox'));
    expect(await finding('jobs')).toMatchObject({
      status: 'error',
      code: 'admin:health.jobsLate',
      params: { names: 'deliver-outbox' },
    });
    await market.db
      .update(jobRuns)
      .set({ failuresInARow: 3 })
      .where(eq(jobRuns.name, 'deliver-outbox'));
    expect(await finding('jobs')).toMatchObject({
      status: 'error',
      code: 'admin:health.jobsFailing',
      params: { names: 'deliver-outbox' },
    });
  });

  test('mail: on its way, late, given up', async () => {
    await submitted(market, seller);
    expect(await finding('mail')).toMatchObject({
      status: 'healthy',
      code: 'admin:health.mailWaiting',
    });
    market.clock.advance({ minutes: 11 });
    expect(await finding('mail')).toMatchObject({
      status: 'warning',
      code: 'admin:health.mailLate',
      params: { count: 1 },
    });
    await market.db.update(outbox).set({ state: 'failed', nextAttemptAt: market.clock.now() });
    expect(await finding('mail')).toMatchObject({
      status: 'warning',
      code: 'admin:health.mailFailed',
    });
    market.clock.advance({ days: 2 });
    expect(await finding('mail')).toMatchObject({
      status: 'healthy',
      code: 'admin:health.healthyText.mail',
    });
  });

  test('analytics: visits that nobody counts', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db.insert(engagementEvents).values({
      type: 'view',
      slotId,
      productId: id,
      visitor: 'v',
      occurredAt: market.clock.now(),
    });
    expect(await finding('analytics')).toMatchObject({ status: 'healthy' });
    market.clock.advance({ minutes: 6 });
    expect(await finding('analytics')).toMatchObject({
      status: 'warning',
      code: 'admin:health.analyticsBehind',
      params: { count: 1 },
    });
  });

  test('realtime: a process that listens', async () => {
    const { unlisten } = await market.sql.listen('market', () => {});
    expect(await finding('realtime')).toMatchObject({
      status: 'healthy',
      code: 'admin:health.healthyText.realtime',
    });
    await unlisten();
  });
});

describe('the checks are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(who, async () => {
      await refused(checkHealth(await market.ctx(person)), code);
      expect(await market.db.$count(healthChecks)).toBe(0);
    });
  }
});
