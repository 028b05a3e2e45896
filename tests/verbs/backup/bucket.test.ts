import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { bucketPlace } from '../../../api/backup/bucket.ts';
import { backUpEveryNight } from '../../../api/backup/nightly.ts';
import { backupPlace, openSource } from '../../../api/backup/places.ts';
import { verifyBackup } from '../../../api/backup/read.ts';
import { restoreBackup } from '../../../api/backup/restore.ts';
import { newKeys } from '../../../api/backup/sealing.ts';
import { receiptOf, sign } from '../../../api/backup/signed.ts';
import type { Patience } from '../../../api/backup/transfer.ts';
import { connect } from '../../../db/client.ts';
import { signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { openBucket } from '../../support/bucket.ts';
import { cuttingProxy, type Fault } from '../../support/cuttingProxy.ts';
import { freshDatabase } from '../../support/database.ts';
import { uploadPhoto } from '../../support/products.ts';
import { memoryStorage } from '../../support/storage.ts';

/** Backups in a bucket over a connection that can be cut (decision 052). */
const service = await openBucket();
const line = await cuttingProxy(service.bucket.endpoint);
const data = mkdtempSync(join(tmpdir(), 'marche54-offsite-'));
afterAll(async () => {
  line.close();
  await service.close();
  rmSync(data, { recursive: true, force: true });
});
const [here, safe] = [await newKeys(), await newKeys()];
const { bucket } = service;
const address = `s3://${bucket.bucket}/market/backups`;
const market = await testApp({
  now: new Date(),
  env: {
    DATA_DIR: data,
    BACKUP_DIR: address,
    BACKUP_DAYS: '3',
    BACKUP_KEY: 'a key that is kept elsewhere',
    BACKUP_RECIPIENTS: `${here.recipient}, ${safe.recipient}`,
    BACKUP_S3_ENDPOINT: line.endpoint,
    BACKUP_S3_ACCESS_KEY_ID: bucket.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  },
});
const { env } = market.services;
await uploadPhoto(market, await signUpSeller(market));
const empty = await freshDatabase({ empty: true });
const storage = memoryStorage();
const client = new Bun.S3Client(bucket);

const job = (signal?: AbortSignal) => ({ ...market.job('back-up'), ...(signal ? { signal } : {}) });
const quick: Patience = { partBytes: 16 * 1024, partMs: 20_000, silenceMs: 20_000, pauseMs: 1 };
const place = bucketPlace(env, address, quick);
/** Short timeouts, for answers that never come. */
const hasty = bucketPlace(env, address, { ...quick, partMs: 600, silenceMs: 600 });
const names = async () =>
  ((await client.list({ prefix: 'market/backups/' })).contents ?? [])
    .map(({ key }) => key.slice('market/backups/'.length))
    .toSorted();
const passing = () =>
  existsSync(join(data, 'backups/passing')) ? readdirSync(join(data, 'backups/passing')) : [];
const nameOf = (address: string) => address.split('/').at(-1) ?? '';
const isDownload = (request: string) => request.startsWith('GET') && request.endsWith('.tar.age');
const aborted = () => line.requests.some((request) => /^DELETE .*uploadId=/.test(request));
const badBackup = (text: RegExp) =>
  expect.objectContaining({ name: 'BadBackup', message: expect.stringMatching(text) });

/** Restores on another machine, as the command does. */
async function restore(wanted: string) {
  const source = await openSource(env, wanted, market.clock.now());
  const { sql, close } = connect(empty.target, { max: 2 });
  try {
    return await restoreBackup(
      { client: sql, storage, key: env.BACKUP_KEY, identities: [safe.identity] },
      source.file,
      { replace: true },
    );
  } finally {
    await close();
    await source.done();
  }
}
async function expectUntouched() {
  const { sql, close } = connect(empty.target, { max: 1 });
  expect(
    await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  ).toEqual([]);
  await close();
  expect([storage.files.size, passing()]).toEqual([0, []]);
}

beforeEach(async () => {
  void line.fail(undefined);
  for (const name of await names()) await client.delete(`market/backups/${name}`);
  market.clock.advance({ minutes: 1 });
});

describe('a connection that is cut', () => {
  test.each<[string, Fault]>([
    ['in the middle of a part', { at: (request) => request.includes('partNumber=2'), sent: 9000 }],
    [
      'before the parts are put together',
      { at: (request) => /^POST .*uploadId=/.test(request), sent: 40 },
    ],
    [
      'by a part that is never answered',
      { at: (request) => request.includes('partNumber=1'), silent: true },
    ],
  ])(
    '%s fails the job; nothing counts as a backup, and what was sent is given up',
    async (_, fault) => {
      void line.fail(fault);
      await expect(('silent' in fault ? hasty : place).keep(job())).rejects.toThrow(
        /^The backup did not get into s3:\/\/photos\/market\/backups\/, and does not count: /,
      );
      expect(aborted()).toBe(true);
      expect([await names(), (await backupPlace(env)?.newest())?.at, passing()]).toEqual([
        [],
        undefined,
        [],
      ]);
    },
  );

  test('once is survived: the part goes up again', async () => {
    void line.fail({ at: (request) => request.includes('partNumber=2'), sent: 9000, times: 1 });
    const { file } = await place.keep(job());
    expect(line.requests.filter((request) => request.includes('partNumber=2'))).toHaveLength(2);
    const source = await openSource(env, file, market.clock.now());
    expect((await verifyBackup(source.file, env.BACKUP_KEY, [here.identity])).files.count).toBe(
      market.storage.files.size,
    );
    await source.done();
  });

  test('under a job that is asked to stop ends at once', async () => {
    const met = line.fail({ at: (request) => request.includes('partNumber=2'), silent: true });
    const stop = new AbortController();
    const keeping = place.keep(job(stop.signal));
    await Promise.race([met, keeping]);
    stop.abort();
    await expect(keeping).rejects.toThrow(/does not count/);
    expect([aborted(), await names(), passing()]).toEqual([true, [], []]);
  });

  test.each<[string, Fault]>([
    ['cut at every try', { at: isDownload, answered: 10 }],
    ['open in silence', { at: isDownload, silent: true }],
  ])('under a download, %s, is a sentence, and nothing is restored by half', async (_, fault) => {
    const { file } = await place.keep(job());
    void line.fail(fault);
    const fetched = ('silent' in fault ? hasty : place).bring(nameOf(file), market.clock.now());
    await expect(fetched).rejects.toEqual(
      badBackup(/^The backup could not be fetched: .*Nothing was touched/),
    );
    await expectUntouched();
  });

  test('once in a download is survived: it goes on where it broke off', async () => {
    const { file, bytes } = await place.keep(job());
    // Both cuts come before the end, however much of what was sent before them arrives.
    expect(bytes).toBeGreaterThan(20_000);
    void line.fail({ at: isDownload, answered: 10_000, times: 2 });
    const fetched = await place.bring(nameOf(file), market.clock.now());
    expect([
      Bun.file(fetched).size,
      line.requests.filter((request) => request.endsWith('.tar.age')).length,
    ]).toEqual([bytes, 3]);
    rmSync(fetched);
  });
});

describe('who can write to the bucket', () => {
  test('cannot make a backup that counts, nor pass an older one off as a newer one', async () => {
    const { file } = await place.keep(job());
    const name = nameOf(file);
    const at = (other: string) => `market/backups/${other}`;
    const [bytes, receipt] = [
      await client.file(at(name)).bytes(),
      await client.file(at(receiptOf(name))).text(),
    ];
    const later = 'marche54-29991231T000000Z.tar.age';
    await client.write(at(later), bytes);
    await expect(restore(`${address}/${later}`)).rejects.toEqual(badBackup(/has no receipt/));
    for (const text of [
      receipt,
      sign(
        'receipt',
        { name: later, bytes: bytes.length, sha256: '0'.repeat(64) },
        'another key, not the one',
      ),
      '',
    ]) {
      await client.write(at(receiptOf(later)), text);
      await expect(restore(`${address}/${later}`)).rejects.toEqual(badBackup(/has no receipt/));
      expect((await place.newest())?.name).toBe(name);
    }
    // A damaged object under a correct receipt.
    const changed = Uint8Array.from(bytes);
    changed[5000] = (changed[5000] ?? 0) ^ 1;
    await client.write(at(name), changed);
    await expect(restore(file)).rejects.toEqual(badBackup(/not the one that was written/));
    await client.write(at(name), bytes.subarray(0, 5000));
    expect(await place.newest()).toBeUndefined();
    await expect(restore(file)).rejects.toEqual(
      badBackup(/not the one that was written|could not be fetched/),
    );
    await expectUntouched();
  });

  test('meets no restore without BACKUP_KEY', async () => {
    const { file } = await place.keep(job());
    await expect(
      openSource({ ...env, BACKUP_KEY: undefined }, file, market.clock.now()),
    ).rejects.toEqual(badBackup(/BACKUP_KEY/));
  });
});

test('every night one goes there, old ones go, and the newest is restored straight from there', async () => {
  await client.write('market/backups/mine.tar', 'not a backup of ours');
  const written: string[] = [];
  for (let night = 0; night < 5; night++) {
    const done = await backUpEveryNight(job());
    if ('off' in done) throw new Error('off');
    expect(done.deleted).toBe(night < 3 ? 0 : 1);
    written.push(nameOf(done.file));
    market.clock.advance({ days: 1 });
  }
  const kept = written.slice(2);
  expect(await names()).toEqual(
    [...kept.flatMap((name) => [name, receiptOf(name)]), 'mine.tar'].toSorted(),
  );
  expect((await place.list()).map(({ name }) => name)).toEqual(kept);
  expect((await backupPlace(env)?.newest())?.at).toEqual(new Date((await place.newest())?.at ?? 0));
  expect(passing()).toEqual([]);
  const { photos, rows } = await restore('newest');
  expect([photos > 0, rows > 0]).toEqual([true, true]);
  for (const [key, bytes] of storage.files)
    expect(Buffer.compare(bytes, market.storage.files.get(key) ?? Buffer.alloc(0)), key).toBe(0);
});

test('a key of the bucket that may not delete makes backups all the same', async () => {
  await place.keep(job());
  market.clock.advance({ days: 9 });
  void line.fail({ at: (request) => request.startsWith('DELETE'), sent: 1 });
  expect(await backUpEveryNight(job())).toMatchObject({ deleted: 0 });
  expect(await place.list()).toHaveLength(2);
});
