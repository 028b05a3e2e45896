import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupName } from '../../../api/backup/names.ts';
import { backUpEveryNight } from '../../../api/backup/nightly.ts';
import { verifyBackup } from '../../../api/backup/read.ts';
import { restoreBackup, roomFor } from '../../../api/backup/restore.ts';
import { writeBackup } from '../../../api/backup/write.ts';
import { checkMarket } from '../../../api/check/check.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { connect, type Database } from '../../../db/client.ts';
import { apply } from '../../../db/forward.ts';
import { steps } from '../../../db/migrated.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { grant } from '../../support/credits.ts';
import { freshDatabase } from '../../support/database.ts';
import { live, submitted, uploadPhoto } from '../../support/products.ts';
import { memoryStorage } from '../../support/storage.ts';

/** A market under load is backed up and restored elsewhere (decision 052). */
const market = await testApp({ now: new Date() });
const folder = mkdtempSync(join(tmpdir(), 'marche54-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [member, seller, admin] = await Promise.all([
  signUpMember(market),
  signUpSeller(market),
  signInAdmin(market),
]);
const job = () => market.job('back-up');
const at = (name: string) => join(folder, name);
const refused = (text: RegExp) =>
  expect.objectContaining({ name: 'BadBackup', message: expect.stringMatching(text) });

beforeAll(async () => {
  await live(market, seller, admin);
  await submitted(market, seller);
  await uploadPhoto(market, seller);
  await grant(market, member, 200);
});

/** Another machine: an empty database and storage; no connection stays open. */
async function elsewhere() {
  const { target } = await freshDatabase({ empty: true });
  const storage = memoryStorage();
  async function inside<T>(work: (pool: Database) => Promise<T>): Promise<T> {
    const pool = connect(target, { max: 2 });
    try {
      return await work(pool);
    } finally {
      await pool.close();
    }
  }
  return {
    storage,
    inside,
    restore: (file: string, { replace = false, key }: { replace?: boolean; key?: string } = {}) =>
      inside(({ sql }) => restoreBackup({ client: sql, storage, key }, file, { replace })),
    rows: <T extends object = Record<string, unknown>>(text: string) =>
      inside(async ({ sql }) => [...(await sql.unsafe<T[]>(text))]),
    check: () =>
      inside(({ db }) => checkMarket({ ...job(), db, services: { ...market.services, storage } })),
  };
}
const copy = await elsewhere();
const others = await elsewhere();
const older = await freshDatabase({ empty: true });

describe('a market with writers', () => {
  let stopped = false;
  const load = async (n: number) => {
    for (let post = 0; !stopped && post < 60; post++) {
      const words = {
        title: `Request ${n} ${post}`,
        description: 'A tab\there, a line\nthere, \\ and « é ».',
        category: 'other' as const,
        tags: ['x'],
      };
      await publishPost(await market.ctx(member), words, randomUUID());
      if (n === 0 && post < 3) await submitted(market, seller);
    }
  };

  test('is copied at one moment, and the copy holds every rule, chain and photo', async () => {
    const writers = [0, 1, 2].map(load);
    while ((await market.sql`select from connect_posts`).length < 6) await pause(5);
    const written = await writeBackup(job(), at('whole.tar'));
    stopped = true;
    await Promise.all(writers);
    expect(written).toMatchObject({ file: at('whole.tar'), missing: [] });
    expect(statSync(at('whole.tar')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['whole.tar']);

    const { rows, photos } = await copy.restore(at('whole.tar'));
    expect([rows, photos]).toEqual([written.rows, written.photos]);
    expect(await copy.check()).toMatchObject({ wrong: [] });
    for (const [key, bytes] of copy.storage.files)
      expect(Buffer.compare(bytes, market.storage.files.get(key) ?? Buffer.alloc(0)), key).toBe(0);
    const [kept] = await copy.rows('select description from connect_posts limit 1');
    expect(kept?.description).toBe('A tab\there, a line\nthere, \\ and « é ».');
    // A write after the backup is missing, and the sequence gives a free id.
    expect(await copy.rows('select token from session')).toEqual([]);
    expect(
      await copy.rows(
        `insert into audit_log (at, actor_kind, action, subject_kind, request_id) values (now(), 'job', 'x', 'job', 'x') returning id`,
      ),
    ).toHaveLength(1);
    await expect(copy.rows('delete from slots')).rejects.toThrow(/not allowed/);
  });

  test('goes over one that is there only when that is said, and then as a whole', async () => {
    const prices = async () =>
      (await copy.rows('select distinct price from products')).map(({ price }) => price);
    await copy.rows('update products set price = 1');
    await expect(copy.restore(at('whole.tar'))).rejects.toEqual(refused(/--replace/));
    // A storage that fails half way leaves the old data.
    copy.storage.failAfter(2);
    await expect(copy.restore(at('whole.tar'), { replace: true })).rejects.toThrow();
    copy.storage.failAfter();
    expect(await prices()).toEqual([1]);
    await copy.restore(at('whole.tar'), { replace: true });
    expect(await prices()).toEqual([65_000]);
    expect(await copy.check()).toMatchObject({ wrong: [] });
  });

  test('is not restored while somebody else is connected, nor beside somebody else’s tables', async () => {
    await others.rows('create table orders (id int)');
    await others.inside(async ({ sql }) => {
      await sql`select 1`;
      await expect(others.restore(at('whole.tar'))).rejects.toEqual(
        refused(/in use by 1 connection/),
      );
    });
    await expect(others.restore(at('whole.tar'))).rejects.toEqual(
      refused(/not of this market \(orders\)/),
    );
    await others.rows('drop table orders');
  });
});

describe('a file that is not what was written is refused, and nothing is touched:', () => {
  const bytes = () => readFileSync(at('whole.tar'));
  /** Offset of a part's content in the archive. */
  const contentOf = (name: string) => bytes().indexOf(name) + 512;
  const untouched = async (file: string, text: RegExp, key?: string) => {
    await expect(others.restore(at(file), key ? { key } : {})).rejects.toEqual(refused(text));
    expect(
      await others.rows(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      ),
    ).toEqual([]);
    expect(others.storage.files.size).toBe(0);
  };

  test('cut short, anywhere', async () => {
    for (const part of [0.05, 0.5, 0.9, 0.999]) {
      writeFileSync(at('short.tar'), bytes().subarray(0, Math.floor(bytes().length * part)));
      await untouched('short.tar', /cut short|no backup/);
    }
    writeFileSync(at('short.tar'), bytes().subarray(0, contentOf('manifest.sha256') - 512));
    await untouched('short.tar', /its end is missing/);
    writeFileSync(at('short.tar'), 'Not a tar');
    await untouched('short.tar', /cut short|no backup/);
  });

  test.each([
    'database/products/000001',
    'files/products/',
    'sums/000001',
    'manifest.json',
    'manifest.sha256',
  ])('a byte changed in %s', async (name) => {
    const changed = bytes();
    const place = contentOf(name) + 20;
    changed[place] = (changed[place] ?? 0) ^ 1;
    writeFileSync(at('changed.tar'), changed);
    await untouched('changed.tar', /damaged/);
  });

  test('forged with the right sums, where backups are signed', async () => {
    market.services.env = { ...market.services.env, BACKUP_KEY: 'a key that is kept elsewhere' };
    await writeBackup(job(), at('signed.tar'));
    market.services.env = { ...market.services.env, BACKUP_KEY: undefined };
    expect((await verifyBackup(at('signed.tar'), 'a key that is kept elsewhere')).format).toBe(
      'marche54-backup',
    );
    for (const [file, key] of [
      ['whole.tar', 'a key that is kept elsewhere'],
      ['signed.tar', 'another key, not the one'],
    ] as const)
      await untouched(file, /not signed with your BACKUP_KEY/, key);
  });

  test('with names that lead elsewhere', async () => {
    for (const name of [
      '../../etc/passwd',
      'files/products/../../x',
      'database/pg_authid;drop/000001.copy.gz',
    ]) {
      const tar = pack();
      tar.entry({ name }, 'x');
      tar.finalize();
      writeFileSync(at('names.tar'), await buffer(tar));
      await untouched('names.tar', /cannot be in one/);
    }
  });

  test('of a newer version, or of another market', async () => {
    const { sql } = market;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${'f'.repeat(64)}, 9999999999999)`;
    await writeBackup(job(), at('newer.tar'));
    await sql`delete from drizzle.__drizzle_migrations where hash = ${'f'.repeat(64)}`;
    await untouched('newer.tar', /newer version/);
  });
});

test('an older one is restored as it was, and brought to this version', async () => {
  const old = connect(older.target, { max: 2 });
  await old.sql.begin((tx) => apply(tx, steps().slice(0, 1)));
  await old.sql`insert into "user" (id, name, email) values ('a', 'Ngono', 'a@example.test')`;
  await writeBackup({ ...job(), db: old.db }, at('older.tar'));
  await old.close();
  const { manifest } = await others.restore(at('older.tar'));
  expect(manifest.migrations).toHaveLength(1);
  expect(await others.rows('select name from "user"')).toEqual([{ name: 'Ngono' }]);
  expect(await others.check()).toMatchObject({ wrong: [] });
});

describe('photos and a backup that is under way', () => {
  /** Runs `work` while the backup lock is held. */
  const during = (work: () => Promise<void>) =>
    market.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended('backup', 54))`;
      await work();
    });

  test('none is deleted meanwhile, and all that is due is deleted afterwards', async () => {
    await uploadPhoto(market, seller);
    market.clock.advance({ days: 2 });
    const files = market.storage.files.size;
    await during(async () => {
      expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
      await expect(cleanUp(market.job('cleanup'))).rejects.toEqual(
        expect.objectContaining({ code: 'upkeep.backupUnderWay' }),
      );
      await expect(writeBackup(job(), at('second.tar'))).rejects.toThrow(/Another backup/);
      expect(market.storage.files.size).toBe(files);
    });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBeGreaterThan(0);
    expect(market.storage.files.size).toBeLessThan(files);
    expect(readdirSync(folder)).not.toContain('second.tar.part');
  });

  test('one whose file is not there is named in the backup, which is made all the same', async () => {
    const [lost = ''] = [...market.storage.files.keys()];
    const bytes = market.storage.files.get(lost) ?? new Uint8Array();
    await market.storage.delete([lost]);
    expect((await writeBackup(job(), at('without.tar'))).missing).toEqual([lost]);
    expect((await verifyBackup(at('without.tar'), undefined)).files.missing).toEqual([lost]);
    await market.storage.put(lost, bytes, 'image/webp');
  });
});

test('a restore warns of a disk with less than twice the backup’s size', () => {
  const disks = (free: number) => [{ folder: 'data' as const, free, size: 10e9 }];
  expect(roomFor(2e9, disks(4e9))).toBeUndefined();
  expect(roomFor(2e9, disks(4e9 - 1))).toContain('4000 MB free, and this backup may need 4000 MB');
  expect(roomFor(2e9, [{ folder: 'backups', free: 1, size: 1 }])).toBeUndefined();
});

test('every night one is written and those that are too old are deleted; the health page says how old the newest is', async () => {
  const health = async () =>
    (await checkHealth(market.job('check-health'))).checks.find(({ name }) => name === 'backup');
  expect(await backUpEveryNight(job())).toEqual({ off: true });
  expect(await health()).toMatchObject({ status: 'healthy', code: 'admin:health.backupOff' });
  const nights = mkdtempSync(join(tmpdir(), 'marche54-nights-'));
  market.services.env = { ...market.services.env, BACKUP_DIR: nights, BACKUP_DAYS: 3 };
  expect(await health()).toMatchObject({ status: 'warning', code: 'admin:health.backupNever' });
  writeFileSync(join(nights, 'mine.tar'), 'not a backup of ours');
  const names: string[] = [];
  for (let night = 0; night < 5; night++) {
    names.push(backupName(market.clock.now()));
    expect(await backUpEveryNight(job())).toMatchObject({
      rows: expect.any(Number),
      deleted: night < 3 ? 0 : 1,
    });
    market.clock.advance({ days: 1 });
  }
  expect(readdirSync(nights).toSorted()).toEqual([...names.slice(2), 'mine.tar']);
  expect(await health()).toMatchObject({ status: 'healthy', code: 'admin:health.backupMade' });
  market.clock.advance({ hours: 13 });
  expect(await health()).toMatchObject({ status: 'warning', code: 'admin:health.backupOld' });
  rmSync(nights, { recursive: true });
  expect(await health()).toMatchObject({ status: 'error', code: 'admin:health.backupAway' });
});
