import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { inSnapshot } from '../../../api/backup/lock.ts';
import { verifyBackup } from '../../../api/backup/read.ts';
import { type BackupLimits, writeBackup } from '../../../api/backup/write.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { uploadPhoto } from '../../support/products.ts';

/** A backup that cannot finish is abandoned, frees its lock and leaves no file (decision 052). */
const database = await freshDatabase();
const market = await testApp({ database, now: new Date() });
const seller = await signUpSeller(market);
await uploadPhoto(market, seller);
const folder = mkdtempSync(join(tmpdir(), 'marche54-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const job = (signal?: AbortSignal) => ({ ...market.job('back-up'), ...(signal ? { signal } : {}) });
const limits: BackupLimits = { tableMs: 60_000, wholeMs: 60_000 };

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(at(name));
});
/** A bucket that accepts a request and never answers; resolves at the first request. */
function silentStorage() {
  const { get } = market.storage;
  onTestFinished(() => void Object.assign(market.storage, { get }));
  return new Promise<void>((resolve) => {
    Object.assign(market.storage, {
      get: () => {
        resolve();
        return new Promise(() => {});
      },
    });
  });
}
/** The next backup succeeds: the last one left no lock and no file. */
async function expectFree() {
  expect(readdirSync(folder)).toEqual([]);
  await writeBackup(job(), at('next.tar'));
  expect((await verifyBackup(at('next.tar'), undefined)).format).toBe('marche54-backup');
}

describe('a backup is given up', () => {
  test('when it takes longer than it may', async () => {
    void silentStorage();
    await expect(writeBackup(job(), at('a.tar'), { ...limits, wholeMs: 1000 })).rejects.toThrow(
      'The backup took longer than 1 s, and the backup was given up (BACKUP_MINUTES).',
    );
  });

  test('when one table does', async () => {
    await market.sql.begin(async (tx) => {
      await tx`lock table products in access exclusive mode`;
      await expect(writeBackup(job(), at('a.tar'), { ...limits, tableMs: 300 })).rejects.toThrow(
        /^The table products took longer than 0.3 s/,
      );
    });
    await expectFree();
  });

  test.each(['the job is asked to stop', 'the process is asked to end'])(
    'when %s, at once',
    async (how) => {
      const [stop, leaving] = [new AbortController(), new AbortController()];
      const asked = silentStorage();
      const services = { ...market.services, leaving: leaving.signal };
      const writing = writeBackup({ ...job(stop.signal), services }, at('a.tar'));
      await asked;
      (how === 'the job is asked to stop' ? stop : leaving).abort();
      await expect(writing).rejects.toThrow(/was asked to stop/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('and the lock is free again, so that photos may be deleted', async () => {
    const stop = new AbortController();
    const asked = silentStorage();
    const writing = writeBackup(job(stop.signal), at('a.tar'));
    await asked;
    await uploadPhoto(market, seller);
    market.clock.advance({ days: 2 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
    stop.abort();
    await expect(writing).rejects.toThrow();
    await expect
      .poll(() => cleanAbandonedUploads(market.job('clean-abandoned-uploads')), { interval: 10 })
      .toBeGreaterThan(0);
  });

  test('before it begins, when the process is leaving already', async () => {
    await expect(writeBackup(job(AbortSignal.abort()), at('a.tar'))).rejects.toThrow(
      /was asked to stop/,
    );
    await expectFree();
  });
});

test('Postgres itself ends the lock of a process that stands still, after the whole limit', async () => {
  const { sql } = database.another({ max: 2 });
  await expect(inSnapshot(sql, 300, () => new Promise(() => {}))).rejects.toMatchObject({
    message: expect.stringMatching(/CONNECTION_CLOSED|idle-in-transaction/),
  });
  await expectFree();
});

describe('half-written files', () => {
  const old = (name: string, minutes: number) => {
    writeFileSync(at(name), 'half');
    const then = new Date(market.clock.now().getTime() - minutes * 60_000);
    utimesSync(at(name), then, then);
  };
  test('of attempts that were killed are removed; one that still grows, and files of others, stay', async () => {
    old('marche54-20260101T000000Z.tar.part', 11);
    old('marche54-20260102T000000Z.tar.part', 2);
    old('mine.tar.part', 60);
    await writeBackup(job(), at('marche54-20260103T000000Z.tar'));
    expect(readdirSync(folder).toSorted()).toEqual([
      'marche54-20260102T000000Z.tar.part',
      'marche54-20260103T000000Z.tar',
      'mine.tar.part',
    ]);
  });

  test('of a backup that is under way survive a second one for the same file', async () => {
    await uploadPhoto(market, seller);
    const stop = new AbortController();
    const asked = silentStorage();
    const writing = writeBackup(job(stop.signal), at('a.tar'));
    await asked;
    await expect(writeBackup(job(), at('a.tar'))).rejects.toThrow(/Another backup/);
    expect(readdirSync(folder)).toEqual(['a.tar.part']);
    stop.abort();
    await expect(writing).rejects.toThrow();
  });
});
