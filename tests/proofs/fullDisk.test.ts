import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { backUpEveryNight } from '../../api/backup/nightly.ts';
import { restoreBackup } from '../../api/backup/restore.ts';
import { writeBackup } from '../../api/backup/write.ts';
import { diskStorage } from '../../api/ops/storage.ts';
import { schema } from '../../db/client.ts';
import { commandIn, openServer } from '../../dev/testbed/server.ts';
import { dictionaries } from '../../locales/index.ts';
import { signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { Jar } from '../support/jar.ts';
import { ownEnvironment } from '../support/ownEnvironment.ts';
import * as photos from '../support/photos.ts';
import { freePort } from '../support/processes.ts';
import { uploadPhoto } from '../support/products.ts';
import { type SmallDisk, smallDisk } from './smallDisk.ts';

/**
 * Full disks, really mounted. tests/verbs/backup/s3.test.ts covers a full bucket.
 */
const ofPhotos = await smallDisk(2);
const folder = mkdtempSync(join(tmpdir(), 'marche54-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const empty = await freshDatabase({ empty: true });
const ofBackups = await smallDisk(2);
const ofPostgres = await smallDisk(200);

describe('a full disk under the photos', async () => {
  const { here, fill, free } = ofPhotos;
  const market = await testApp({ storage: diskStorage(here) });
  const files = () =>
    readdirSync(join(here, 'products'), { withFileTypes: true }).map(({ name }) => name);

  test('refuses a photo in a sentence and keeps no part of it, however much room there was; with room again it is taken', async () => {
    const seller = await signUpSeller(market);
    const bytes = (await photos.jpegOfBytes(400_000)) as Buffer<ArrayBuffer>;
    const send = () =>
      market.call<{ error?: { code: string } }>('/api/uploads', { body: bytes, as: seller });
    const before = (await send()).status === 201 && files();
    expect(before).not.toHaveLength(0);
    for (const leave of [0, 4096, 16_384, 65_536]) {
      fill(leave);
      const { status, body } = await send();
      expect([status, body.error?.code], `${leave} bytes left`).toEqual([
        507,
        'uploads.storageFull',
      ]);
      expect(files()).toEqual(before as string[]);
      expect(await market.db.$count(schema.uploads)).toBe(1);
      expect((await market.request('/api/slots')).status).toBe(200);
      free();
    }
    expect((await send()).status).toBe(201);
  });
});

describe('a full disk under the backups', async () => {
  const { here, fill, free } = ofBackups;
  const market = await testApp({ now: new Date() });
  const seller = await signUpSeller(market);
  const job = () => market.job('back-up');

  test('fails the job with a sentence; with room again the next one is written', async () => {
    await uploadPhoto(market, seller);
    market.services.env = { ...market.services.env, BACKUP_DIR: join(here, 'backups') };
    for (const leave of [0, 4096, 16_384]) {
      fill(leave);
      await expect(backUpEveryNight(job())).rejects.toThrow(
        /^The backup could not be written to .*ENOSPC/,
      );
      free();
      expect(existsSync(join(here, 'backups')) ? readdirSync(join(here, 'backups')) : []).toEqual(
        [],
      );
    }
    expect(await backUpEveryNight(job())).toMatchObject({ rows: expect.any(Number) });
  });

  test('a restore says so, and leaves an empty database as it was', async () => {
    await uploadPhoto(market, seller);
    const whole = join(folder, 'whole.tar');
    await writeBackup(job(), whole);
    fill();
    const restoring = restoreBackup(
      { client: empty.sql, storage: diskStorage(join(here, 'restored')) },
      whole,
    );
    await expect(restoring).rejects.toMatchObject({
      name: 'BadBackup',
      message: expect.stringMatching(
        /^There is no room on the disk: what was there before is unchanged/,
      ),
    });
    free();
    expect(
      await empty.sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    ).toEqual([]);
  });
});

/** Starts the market as docs/runbook.md does, with all its data on the disk. */
async function openMarket({ folder, here, inside }: SmallDisk) {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const settings = {
    DEMO: '0',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    PUBLIC_URL: home,
    SMTP_URL: 'smtp://127.0.0.1:9',
    LOG_LEVEL: 'critical',
  };
  const env = { ...ownEnvironment(), ...settings };
  const fallen: string[] = [];
  const server = openServer(env, { fell: (words) => fallen.push(words), inside });
  onTestFinished(async () => void (await server.end()));
  await server.ready();
  const admin = { email: 'admin@example.test', password: 'A good password 1' };
  const command = commandIn(env, { inside });
  const { code } = await commandIn(env, { inside, input: `${admin.password}\n` })(
    'api/commands/createAdmin.ts',
    '--email',
    admin.email,
    '--name',
    'Admin',
  );
  expect(code).toBe(0);
  const jar = new Jar();
  async function ask(path: string, json?: object, method = json ? 'POST' : 'GET') {
    const headers = { origin: home, cookie: jar.header(), 'content-type': 'application/json' };
    const response = await fetch(home + path, {
      method,
      headers,
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    jar.keep(response.headers);
    return {
      status: response.status,
      text: await response.text(),
      id: String(response.headers.get('x-request-id')),
    };
  }
  expect((await ask('/api/auth/admin/sign-in', admin)).status).toBe(200);
  const socket = () =>
    readFileSync(join(here, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[4] ?? '';
  /** Queries Postgres directly, as its owner. */
  async function sql<T>(question: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const host = socket().startsWith(folder) ? socket().replace(folder, here) : socket();
    const line = postgres({
      host,
      port: 5432,
      user: 'postgres',
      database: 'marche54',
      max: 1,
      onnotice: () => {},
    });
    return question(line).finally(() => line.end({ timeout: 1 }));
  }
  return {
    server,
    ask,
    sql,
    command,
    fallen,
    write: (value: number) => ask('/api/admin/settings/contactPerDay', { value }, 'PUT'),
  };
}

describe('a full disk under Postgres', () => {
  test('refuses what it cannot write and shows what there is, also without a database; with room it is back by itself, and has all it said yes to', async () => {
    const { fill, free } = ofPostgres;
    const { server, ask, sql, command, fallen, write } = await openMarket(ofPostgres);
    const acknowledged: string[] = [];
    async function writeUntilRefused(most = 500): Promise<void> {
      for (let n = 0; n < most; n++) {
        const { status, text, id } = await write(1000 + acknowledged.length);
        if (status === 200) acknowledged.push(id);
        else
          return expect([status, JSON.parse(text).error.message]).toEqual([
            503,
            dictionaries.en.errors.unavailable,
          ]);
      }
    }
    const kept = () =>
      sql(
        (line) =>
          line<
            { id: string }[]
          >`select request_id as id from audit_log where action = 'settings.write' order by audit_log.id`,
      );
    await ask('/en/');
    await writeUntilRefused(5);
    expect(acknowledged).toHaveLength(5);

    fill();
    await writeUntilRefused();
    expect([
      (await ask('/en/')).status,
      (await ask('/api/slots')).status,
      (await ask('/readyz')).status,
    ]).toEqual([200, 200, 200]);

    // Fills the WAL's disk too: Postgres then ends and cannot start.
    const fillLog = () =>
      sql(async (line) => {
        for (;;) await line`select pg_logical_emit_message(false, 'test', repeat('x', 2000000))`;
      });
    await expect(fillLog()).rejects.toThrow();
    const log = () => readFileSync(join(ofPostgres.here, 'data/postgres/postgres.log'), 'utf8');
    await vi.waitUntil(
      () => /PANIC: .*No space left[\s\S]*shutting down due to startup process failure/.test(log()),
      { interval: 20, timeout: 30_000 },
    );
    await writeUntilRefused();
    expect([(await ask('/en/')).status, (await ask('/readyz')).status]).toEqual([200, 503]);
    const own = await ask('/fr/admin/dashboard');
    expect([
      own.status,
      own.text.includes(`${dictionaries.fr.common.errorScreen.tryAgain}</a>`),
    ]).toEqual([503, true]);

    free();
    await vi.waitUntil(async () => (await ask('/readyz')).status === 200, {
      interval: 50,
      timeout: 30_000,
    });
    const after = await write(7);
    expect(after.status).toBe(200);
    expect((await kept()).map(({ id }) => id)).toEqual([...acknowledged, after.id]);
    expect(await command('api/commands/checkMarket.ts')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^\d+ checks, 0 wrong$/),
    });
    expect(fallen).toEqual([]);

    // The start fails with its reason.
    fill();
    await expect(fillLog()).rejects.toThrow();
    await server.kill();
    await expect(server.start()).rejects.toThrow(
      'The disk is full: free some space and start again. Nothing that was saved is lost.',
    );
  });
});
