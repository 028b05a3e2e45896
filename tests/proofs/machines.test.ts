import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectActs } from '../../dev/faults/acts.ts';
import type { Outcome } from '../../dev/faults/reckon.ts';
import { storm } from '../../dev/faults/storm.ts';
import { openFront } from '../../dev/testbed/front.ts';
import { type Machines, openMachines } from '../../dev/testbed/machines.ts';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';
import * as photos from '../support/photos.ts';
import { pause } from '../support/rawUpload.ts';
import { rawRows } from '../support/rows.ts';

/**
 * Three processes of one market on one Postgres and one bucket; `bun run faults --several` runs
 * longer, and through PgBouncer.
 */
const database = await freshDatabase();
let machines: Machines;
let outcome: Outcome;
/** Every start of a job, as the database saw it. */
const runs = () =>
  database.sql<{ name: string; at: Date }[]>`select name, at from job_log order by at`;

beforeAll(async () => {
  await database.sql.unsafe(`create table job_log (name text, at timestamptz);
    create function log_job() returns trigger language plpgsql as $$ begin insert into job_log values (new.name, new.started_at); return new; end $$;
    create trigger log_job after insert or update of started_at on job_runs for each row execute function log_job()`);
  machines = await openMachines(urlOf(database.target));
}, 60_000);
afterAll(() => machines?.stop());

const text = async (address: string) => (await fetch(address)).text();
const cookie = () => ({
  cookie: machines.admin.jar.header(),
  'x-forwarded-for': machines.admin.address,
});

describe('three processes', () => {
  test('show a change that one of them makes: its page, its line, and the other’s', async () => {
    const [one, other] = machines.all;
    const id = await rawRows(database.sql).placed(7);
    await database.sql`update products set name = '{"en": "Sewing machine"}' where id = ${id}`;
    await database.sql`update slots set start_time = now(), end_time = now() + interval '1 day' where id = 7`;
    await vi.waitFor(
      async () =>
        expect(
          [await text(`${one.home}/en`), await text(`${other.home}/en`)].map((page) =>
            page.includes('Sewing machine'),
          ),
        ).toEqual([true, true]),
      10_000,
    );

    const line = (await fetch(`${other.home}/api/live`)).body?.getReader();
    const paused = await machines.ask(machines.admin, '/api/admin/slots/7/pause', {
      json: { productId: id },
    });
    expect(paused.status).toBe(200);
    let heard = '';
    while (!heard.includes('slot:7'))
      heard += new TextDecoder().decode((await line?.read())?.value);
    await line?.cancel();
    for (const { home } of [one, other])
      await vi.waitFor(
        async () => expect(await text(`${home}/en`)).not.toContain('Sewing machine'),
        10_000,
      );
  });

  test('know one session, one photo, and one count of wrong passwords', async () => {
    const [one, other, last] = machines.all;
    for (const { home } of [one, other])
      expect(
        await (await fetch(`${home}/api/auth/me`, { headers: cookie() })).json(),
      ).toMatchObject({ role: 'admin' });
    const sent = await fetch(`${one.home}/api/uploads`, {
      method: 'POST',
      headers: {
        ...cookie(),
        origin: one.home,
        'content-type': 'image/jpeg',
        'x-file-name': 'phone.jpg',
      },
      body: new Uint8Array(await photos.jpeg(400)),
    });
    const { image } = (await sent.json()) as { image: { src: string } };
    expect((await fetch(`${other.home}${image.src}`)).status).toBe(200);

    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const { home } = n % 2 ? one : other;
      const body = JSON.stringify({
        email: 'admin@demo.marche54.example',
        password: 'a wrong one',
      });
      const headers = {
        origin: home,
        'content-type': 'application/json',
        'x-forwarded-for': '198.51.100.7',
      };
      statuses.push(
        (await fetch(`${home}/api/auth/sign-in`, { method: 'POST', headers, body })).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    // A process without pages says so, and still has its health routes.
    expect(
      await Promise.all(
        ['/', '/api/slots', '/healthz'].map(
          async (path) => (await fetch(`${last.home}${path}`)).status,
        ),
      ),
    ).toEqual([404, 404, 200]);
    await vi.waitFor(
      async () =>
        expect(await (await fetch(`${last.home}/readyz`)).json()).toEqual({
          ready: true,
          database: true,
          storage: true,
        }),
      10_000,
    );
  });

  test('lose nothing that was acknowledged when one of them is killed, and again', async () => {
    const since = new Date();
    outcome = await storm(machines, {
      acts: connectActs,
      seed: 54,
      seconds: 30,
      kills: { server: 2, backend: 6 },
      writers: 8,
    });
    expect([outcome.violations, outcome.lost, outcome.kills]).toEqual([
      [],
      [],
      { server: 2, postgres: 0, backend: 6 },
    ]);
    expect(outcome.acknowledged).toBeGreaterThan(30);
    // Sign-up mails are sent, except those a killed process had leased and those waiting behind
    // them.
    const free = () => database.sql`select from outbox o where state = 'waiting'
      and not exists (select from outbox taken where taken.recipient = o.recipient and taken.state = 'waiting' and taken.lease is not null)`;
    await vi.waitFor(async () => expect(await free()).toHaveLength(0), 10_000);
    expect(await database.sql`select from outbox where state = 'sent'`).not.toHaveLength(0);
    // Each is due every 20 or 30 seconds, once, despite the kills; no start runs one of these.
    const ofTimetable = async () =>
      (await runs()).filter(({ name }) =>
        ['roll-up-engagement', 'deliver-outbox', 'answer-chats'].includes(name),
      );
    await vi.waitFor(
      async () => expect((await ofTimetable()).filter(({ at }) => at > since)).not.toHaveLength(0),
      25_000,
    );
    const moments = (await ofTimetable()).map(
      ({ name, at }) => `${name} ${Math.floor(at.getTime() / 10_000)}`,
    );
    expect(moments).toEqual([...new Set(moments)]);
  }, 60_000);
});

describe('a restart of one after the other', () => {
  test('fails no request behind a proxy that asks who is ready', async () => {
    const [one, other] = machines.all;
    const front = await openFront([one.home, other.home]);
    let over = false;
    const failed: string[] = [];
    let answered = 0;
    const ask = async (path: string, init: RequestInit = {}) => {
      while (!over) {
        const status = await fetch(`${front.home}${path}`, init).then(
          async (response) => (await response.arrayBuffer()) && response.status,
          (error) => String(error),
        );
        answered++;
        if (status !== 200 && status !== 202) failed.push(`${path} ${status}`);
        // A human rate of requests, not a processor's.
        await pause(20);
      }
    };
    const view = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"view","slotId":7,"productId":"00000000"}',
    };
    const asking = [ask('/en'), ask('/api/slots'), ask('/connect'), ask('/api/engagement', view)];
    try {
      for (const { server, home } of [one, other]) {
        const ended = server.end();
        await vi.waitFor(
          async () => expect((await fetch(`${home}/readyz`)).status).toBe(503),
          10_000,
        );
        const late = await fetch(`${home}/en`);
        expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
        expect(await ended).toBe(0);
        await server.start();
        await vi.waitFor(() => expect(front.ready()).toHaveLength(2), 10_000);
      }
    } finally {
      over = true;
      await Promise.all(asking);
      front.stop();
    }
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(50);
  }, 120_000);
});

describe('a process that cannot be one of the market’s', () => {
  const another = (env: Record<string, string>) => machines.another({ ROLES: 'jobs', ...env });
  const start = async (env: Record<string, string>) => (await another(env)).server.ready();

  test('is refused in a sentence: another secret, other photos', async () => {
    await expect(
      start({ AUTH_SECRET: 'not the one that the others have, and long enough' }),
    ).rejects.toThrow('with another AUTH_SECRET');
    await expect(start({ S3_BUCKET: '' })).rejects.toThrow('keeps its photos elsewhere');
  });

  test('leaves no folder of photos behind, in whose place the shared one goes', async () => {
    const { server, env } = await another({ S3_BUCKET: '' });
    await expect(server.ready()).rejects.toThrow('keeps its photos elsewhere');
    expect(existsSync(join(String(env.DATA_DIR), 'uploads'))).toBe(false);
  });
});
