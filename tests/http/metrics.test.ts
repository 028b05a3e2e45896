import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { backupName } from '../../api/backup/names.ts';
import { receive } from '../../api/chats/inbox.ts';
import { runJob } from '../../jobs/run.ts';
import { actors } from '../support/actors.ts';
import { grant } from '../support/credits.ts';
import { freshDatabase } from '../support/database.ts';
import { losableDatabase } from '../support/losableDatabase.ts';
import { approved, live, submitted } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';

const token = 'a-token-that-only-the-operator-has';
const database = await losableDatabase(await freshDatabase());
const backups = await mkdtemp(join(tmpdir(), 'metrics-'));
afterAll(() => rm(backups, { recursive: true }));
const market = await servedMarket({ database, env: { METRICS_TOKEN: token, BACKUP_DIR: backups } });
const without = await servedMarket({ database });
const { seller, admin, member } = await actors(market);
const bearer = { authorization: `Bearer ${token}` };

/** Figures of a scrape, by name and labels. */
async function figures(): Promise<Record<string, number>> {
  const { status, headers, body } = await market.get('/metrics', bearer);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    ['text/plain; version=0.0.4; charset=utf-8'],
    ['no-store'],
  ]);
  const lines = body.split('\n').filter((line) => line && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}
const labels = (all: Record<string, number>, name: string) =>
  Object.keys(all).filter((line) => line.startsWith(`${name}{`));
const requests = (method: string, route: string, status: number) =>
  `marche54_http_requests_total{method="${method}",route="${route}",status="${status}"}`;

describe('the route', () => {
  test('is not there without METRICS_TOKEN, and opens to nothing but the token', async () => {
    expect((await without.get('/metrics', bearer)).status).toBe(404);
    for (const authorization of [
      '',
      'Bearer',
      `Bearer ${token}x`,
      token,
      `Basic ${token}`,
      'Bearer undefined',
    ])
      expect((await market.get('/metrics', { authorization })).status, authorization).toBe(403);
    expect((await market.get('/metrics', { cookie: admin.jar.header() })).status).toBe(403);
  });

  test('is limited like every other, so that nobody tries tokens for long', async () => {
    const narrow = await servedMarket({
      database,
      env: { METRICS_TOKEN: token, LOAD_LIMITS: '0.1' },
    });
    const answers = await Promise.all(
      Array.from({ length: 120 }, () =>
        narrow.request('/metrics', { headers: { authorization: 'Bearer wrong' } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
  });
});

describe('requests', () => {
  test('are counted by the pattern of their route and their status, with how long they took', async () => {
    const before = await figures();
    await market.get('/api/slots/1');
    await market.get('/api/slots/2');
    await market.get('/api/slots/99');
    await market.get('/connect');
    const after = await figures();
    const more = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    expect(more(requests('GET', '/api/slots/:slotId', 404))).toBe(3);
    expect(more(requests('GET', 'page /connect', 200))).toBe(1);
    expect(more('marche54_http_request_seconds_count{route="/api/slots/:slotId"}')).toBe(3);
    expect(after['marche54_http_request_seconds_sum{route="page /connect"}']).toBeGreaterThan(0);
  });

  test('whose addresses and methods somebody makes up share one line each', async () => {
    await figures();
    const known = new Set(labels(await figures(), 'marche54_http_requests_total'));
    for (let n = 0; n < 30; n++) {
      for (const path of [
        `/${randomUUID()}`,
        `/fr/${n}/x`,
        `/api/${randomUUID()}`,
        `/shop/${randomUUID()}`,
        `/media/products/${n}"\\n.webp`,
        `/connect/${n}`,
      ])
        await market.get(path);
      await market.get('/api/slots', {}, `MADEUP${n}`);
      await market.post(`/${randomUUID()}`, 'text/plain', '');
    }
    const made = labels(await figures(), 'marche54_http_requests_total').filter(
      (line) => !known.has(line),
    );
    expect(made.length).toBeLessThan(12);
    for (const line of made) expect(line).not.toMatch(/[\da-f]{8}-|MADEUP|\/fr|"\\n/);
  });

  test('for public pages are told apart: those from memory, and those that were written', async () => {
    market.pageCache.drop();
    const before = await figures();
    for (let n = 0; n < 4; n++) expect((await market.get('/en/how-it-works')).status).toBe(200);
    const after = await figures();
    const more = (outcome: string) =>
      (after[`marche54_pages_total{outcome="${outcome}"}`] ?? 0) -
      (before[`marche54_pages_total{outcome="${outcome}"}`] ?? 0);
    expect([more('kept'), more('written')]).toEqual([3, 1]);
  });
});

describe('the market', () => {
  test('is told of as it is: slots, queue, review, mail and its age, chats, jobs, credits, open lines', async () => {
    await live(market, seller, admin);
    await approved(market, seller, admin);
    await submitted(market, seller);
    await grant(market, member, 17);
    await receive(market.job('test'), {
      transport: 'telegram',
      address: '4711',
      updateId: '1:1',
      message: { text: 'hello' },
    });
    await runJob(market.host, { name: 'forget-old-rows', pattern: '', verb: async () => 1 });
    await market.sql`update outbox set state = 'waiting', sent_at = null,
      created_at = ${new Date(market.clock.now().getTime() - 90_000)}`;
    const line = await fetch(`http://127.0.0.1:${market.port}/api/live`);
    expect(await figures()).toMatchObject({
      marche54_database_up: 1,
      'marche54_slots{state="live"}': 1,
      'marche54_slots{state="empty"}': 53,
      'marche54_queue_waiting{lane="regular"}': 1,
      marche54_review_waiting: 1,
      'marche54_outbox_oldest_seconds{channel="email"}': 90,
      'marche54_chats{channel="telegram",state="stranger"}': 1,
      'marche54_chat_updates_waiting{channel="telegram"}': 1,
      'marche54_chat_messages_total{channel="telegram"}': 1,
      'marche54_job_runs{job="forget-old-rows"}': 1,
      'marche54_job_failures_in_a_row{job="forget-old-rows"}': 0,
      'marche54_job_last_success_timestamp_seconds{job="forget-old-rows"}':
        market.clock.now().getTime() / 1000,
      'marche54_job_seconds_count{job="forget-old-rows",outcome="done"}': 1,
      marche54_credit_accounts: 1,
      marche54_credits: 17,
      'marche54_live_lines{of="market"}': 1,
    });
    await line.body?.cancel();
    const outbox = await market.sql`select id from outbox where state = 'waiting'`;
    expect((await figures())['marche54_outbox_waiting{channel="email"}']).toBe(outbox.length);
  });

  test('tells of health, broken rules, the newest backup and open alarms', async () => {
    const now = market.clock.now();
    const wrong = [{ name: 'slots', mend: 'byHand', count: 1, ids: [] }];
    await market.sql`insert into job_runs (name, started_at, finished_at, outcome, detail)
      values ('check-market', ${now}, ${now}, 'done', ${market.sql.json({ checks: 60, wrong })})`;
    const found = { checked_at: now, name: 'storage', status: 'error' };
    await market.sql`insert into health_checks ${market.sql([found, { ...found, name: 'mail', status: 'warning' }, { ...found, name: 'rls', status: 'healthy' }])}`;
    await market.sql`insert into alarms (kind, subject, since, began_at, over_at, figures) values
      ('diskFull', 'data', ${now}, ${now}, null, '{}'), ('diskFull', 'backups', ${now}, ${now}, null, '{}'),
      ('healthRed', '', ${now}, null, null, '{}'), ('ruleBroken', '', ${now}, ${now}, ${now}, '{}')`;
    expect(
      Object.keys(await figures()).filter((name) => name.startsWith('marche54_backup')),
    ).toEqual([]);
    await writeFile(join(backups, backupName(new Date(now.getTime() - 3_600_000))), '');
    const all = await figures();
    expect(all).toMatchObject({
      'marche54_health{check="storage"}': 2,
      'marche54_health{check="mail"}': 1,
      'marche54_health{check="rls"}': 0,
      marche54_health_checked_timestamp_seconds: now.getTime() / 1000,
      marche54_broken_rules: 1,
      marche54_backup_age_seconds: 3600,
      'marche54_alarms_open{kind="diskFull"}': 2,
      'marche54_alarms_open{kind="healthRed"}': 0,
      'marche54_alarms_open{kind="ruleBroken"}': 0,
    });
    expect(all['marche54_disk_free_bytes{folder="data"}']).toBeGreaterThan(0);
    expect(all['marche54_disk_size_bytes{folder="data"}']).toBeGreaterThan(
      all['marche54_disk_free_bytes{folder="data"}'] ?? 0,
    );
  });

  test('runs in a process with memory, processor, files and a beginning', async () => {
    const all = await figures();
    expect(all.process_resident_memory_bytes).toBeGreaterThan(10e6);
    expect(all.process_cpu_seconds_total).toBeGreaterThan(0);
    expect(all.process_start_time_seconds).toBeGreaterThan(1.7e9);
    expect(all.process_open_fds).toBeGreaterThan(3);
    expect(all.process_max_fds).toBeGreaterThan(all.process_open_fds ?? 0);
  });

  test('says nothing of a person', async () => {
    const { body } = await market.get('/metrics', bearer);
    const rows = await market.sql<{ word: string | null }[]>`
      select email as word from "user" union select id from "user" union select whatsapp from sellers
      union select recipient from outbox union select key_hash from chats union select slug from products`;
    for (const { word } of rows) if (word) expect(body).not.toContain(word);
    // A whole number: figures such as bytes may hold these digits by chance.
    expect(body).not.toMatch(/(?<!\d)237\d{9}(?!\d)|@/);
  });

  test('is left out while the database is away, and the process still tells of itself', async () => {
    database.lose();
    try {
      const all = await figures();
      expect(all.marche54_database_up).toBe(0);
      expect(labels(all, 'marche54_slots')).toEqual([]);
      expect(labels(all, 'marche54_http_requests_total').length).toBeGreaterThan(3);
    } finally {
      await database.bringBack();
    }
    expect((await figures()).marche54_database_up).toBe(1);
  });
});
