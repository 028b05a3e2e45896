import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vectors from 'cctv-age';
import { afterAll, describe, expect, test } from 'vitest';
import { backUpEveryNight } from '../../../api/backup/nightly.ts';
import { identitiesFrom, noteOpened } from '../../../api/backup/opened.ts';
import { backupPlace, openSource } from '../../../api/backup/places.ts';
import { verifyBackup } from '../../../api/backup/read.ts';
import { restoreBackup } from '../../../api/backup/restore.ts';
import { identitiesIn, newKeys, unseal } from '../../../api/backup/sealing.ts';
import { openedName, sign } from '../../../api/backup/signed.ts';
import { writeBackup } from '../../../api/backup/write.ts';
import { readEnv } from '../../../api/ops/env.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { connect } from '../../../db/client.ts';
import { signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { uploadPhoto } from '../../support/products.ts';
import { memoryStorage } from '../../support/storage.ts';

/** Backups encrypted in age's format (decision 052). */
const [here, safe, stranger] = [await newKeys(), await newKeys(), await newKeys()];
const key = 'a key that is kept elsewhere';
const folder = mkdtempSync(join(tmpdir(), 'marche54-sealed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const market = await testApp({
  now: new Date(),
  env: {
    BACKUP_DIR: folder,
    BACKUP_KEY: key,
    BACKUP_RECIPIENTS: `${here.recipient} ${safe.recipient}`,
  },
});
const { env } = market.services;
await uploadPhoto(market, await signUpSeller(market));
const empty = await freshDatabase({ empty: true });
const storage = memoryStorage();
const job = () => market.job('back-up');
const bad = (text: RegExp) =>
  expect.objectContaining({ name: 'BadBackup', message: expect.stringMatching(text) });
const within = (change: Partial<typeof env>) => ({
  ...job(),
  services: { ...market.services, env: { ...env, ...change } },
});

await writeBackup(job(), at('market.tar.age'));
const bytes = readFileSync(at('market.tar.age'));

describe('an encrypted backup', () => {
  test('shows nothing of what is in it, and only its owner can read it', () => {
    expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
    expect(bytes.toString('latin1').match(/^-> X25519 /gm)).toHaveLength(2);
    for (const word of ['manifest', 'database/', 'ustar']) expect(bytes.includes(word)).toBe(false);
    expect(statSync(at('market.tar.age')).mode & 0o777).toBe(0o600);
  });

  test('is opened by each of its keys, and restored', async () => {
    for (const { identity } of [here, safe])
      expect(
        (await verifyBackup(at('market.tar.age'), key, [stranger.identity, identity])).files.count,
      ).toBeGreaterThan(0);
    const { sql, close } = connect(empty.target, { max: 2 });
    await expect(
      restoreBackup(
        { client: sql, storage, key, identities: [stranger.identity] },
        at('market.tar.age'),
      ),
    ).rejects.toEqual(bad(/does not open/));
    await expect(
      restoreBackup({ client: sql, storage, key }, at('market.tar.age')),
    ).rejects.toEqual(bad(/is encrypted.*--identity/));
    expect([
      storage.files.size,
      (await sql`select to_regclass('products') as there`)[0]?.there,
    ]).toEqual([0, null]);
    const { photos } = await restoreBackup(
      { client: sql, storage, key, identities: [safe.identity] },
      at('market.tar.age'),
    );
    expect([...storage.files.keys()].toSorted()).toEqual(
      [...market.storage.files.keys()].toSorted(),
    );
    expect(photos).toBe(storage.files.size);
    await close();
  });

  test('that was cut or changed anywhere is refused', async () => {
    for (const length of [10, 100, 400, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(at('cut.tar.age'), bytes.subarray(0, length));
      await expect(
        verifyBackup(at('cut.tar.age'), key, [here.identity]),
        String(length),
      ).rejects.toEqual(bad(/cut short|no backup/));
    }
    for (const place of [30, 200, 500, bytes.length - 5]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(at('changed.tar.age'), changed);
      await expect(
        verifyBackup(at('changed.tar.age'), key, [here.identity]),
        String(place),
      ).rejects.toMatchObject({ name: 'BadBackup' });
    }
  });

  test('that somebody else encrypted to the public keys is refused', async () => {
    await writeBackup(within({ BACKUP_KEY: 'another key, not the one' }), at('forged.tar.age'));
    await expect(verifyBackup(at('forged.tar.age'), key, [here.identity])).rejects.toEqual(
      bad(/not signed with your BACKUP_KEY/),
    );
  });

  test('is not written without a key, and one of its own name that does not end with .age is plain', async () => {
    await expect(
      writeBackup(within({ BACKUP_RECIPIENTS: [] }), at('none.tar.age')),
    ).rejects.toThrow(/BACKUP_RECIPIENTS/);
    await writeBackup(job(), at('before-upgrade.tar'));
    expect((await verifyBackup(at('before-upgrade.tar'), key)).format).toBe('marche54-backup');
  });
});

describe('the format is the one of age:', () => {
  const opened = async (sealed: Uint8Array, identities: string[]) =>
    Buffer.concat(await Array.fromAsync(unseal(inPieces(sealed), identities)));
  /** In chunks, as from a disk. */
  async function* inPieces(all: Uint8Array) {
    for (let from = 0; from < all.length; from += 1000) yield all.subarray(from, from + 1000);
  }
  const cases = Object.entries(vectors as unknown as Record<string, Uint8Array>)
    .map(([name, vector]) => {
      const end = Buffer.from(vector).indexOf('\n\n');
      const head = Object.fromEntries(
        Buffer.from(vector)
          .toString('utf8', 0, end)
          .split('\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      return { name, head, body: vector.subarray(end + 2) };
    })
    .filter(
      ({ head }) =>
        head.identity?.startsWith('AGE-SECRET-KEY-1') &&
        !head.passphrase &&
        !head.armored &&
        !head.compressed,
    );

  test('its published vectors are opened and refused as they say', async () => {
    expect(cases.length).toBeGreaterThan(30);
    for (const { name, head, body } of cases) {
      const result = await opened(body, [head.identity ?? '']).catch(() => undefined);
      expect(result === undefined, name).toBe(head.expect !== 'success');
      if (result)
        expect(createHash('sha256').update(result).digest('hex'), name).toBe(head.payload);
    }
  });
});

test('a private key comes from a file or the standard input, never from the command line', async () => {
  await expect(identitiesFrom(here.identity)).rejects.toEqual(bad(/never typed into a command/));
  expect(
    await identitiesIn(`# created: today\n# public key: ${here.recipient}\n${here.identity}\r\n\n`),
  ).toEqual([here.identity]);
  for (const [text, why] of [
    ['age-encryption.org/v1\n…', /encrypted itself/],
    ['\n# nothing\n', /no private key/],
    [here.recipient, /no private key of age/],
    [`${here.identity.slice(0, -1)}${here.identity.endsWith('Q') ? 'P' : 'Q'}`, /mistyped/],
  ] as const)
    await expect(identitiesIn(text), text).rejects.toEqual(bad(why));
});

test('settings that would lose backups, or give them away, stop the start', () => {
  const bucket = {
    BACKUP_DIR: 's3://market/backups',
    BACKUP_S3_ENDPOINT: 'https://s3.example',
    BACKUP_S3_ACCESS_KEY_ID: 'a',
    BACKUP_S3_SECRET_ACCESS_KEY: 'b',
  };
  const sealed = {
    BACKUP_RECIPIENTS: `${here.recipient}, ${safe.recipient},${here.recipient}`,
    BACKUP_KEY: key,
  };
  expect(readEnv({ ...bucket, ...sealed }).BACKUP_RECIPIENTS).toEqual([
    here.recipient,
    safe.recipient,
  ]);
  const photos = {
    S3_BUCKET: 'photos',
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  };
  expect(() => readEnv({ ...photos, BACKUP_DIR: bucket.BACKUP_DIR, ...sealed })).not.toThrow();
  const mistyped = here.recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  for (const [wrong, named] of [
    [bucket, 'BACKUP_RECIPIENTS: is needed'],
    [{ ...bucket, ...sealed, BACKUP_KEY: '' }, 'BACKUP_KEY: is needed'],
    [{ ...bucket, ...sealed, BACKUP_S3_ENDPOINT: '' }, 'BACKUP_S3_ENDPOINT: is needed'],
    [{ ...sealed, BACKUP_DIR: 's3://Bad_Bucket' }, 'BACKUP_DIR: must be'],
    [{ ...sealed, BACKUP_RECIPIENTS: mistyped }, 'BACKUP_RECIPIENTS: must be public keys'],
    [{ ...sealed, BACKUP_RECIPIENTS: here.identity }, 'BACKUP_RECIPIENTS: holds a private key'],
  ] as const)
    expect(() => readEnv(wrong), named).toThrow(named);
  expect(() => readEnv({ ...sealed, BACKUP_RECIPIENTS: here.identity })).not.toThrow(here.identity);
});

test('System Health asks for a second key and for the drill, and shows when a backup was last opened', async () => {
  const health = async (change: Partial<typeof env> = {}) =>
    (await checkHealth(within(change))).checks.find(({ name }) => name === 'backup');
  const done = await backUpEveryNight(job());
  if ('off' in done) throw new Error('off');
  expect(basename(done.file)).toMatch(/^marche54-\d{8}T\d{6}Z\.tar\.age$/);
  expect((await backupPlace(env)?.newest())?.at).toEqual(
    new Date(Math.floor(market.clock.now().getTime() / 1000) * 1000),
  );
  expect(await health({ BACKUP_RECIPIENTS: [here.recipient] })).toMatchObject({
    status: 'warning',
    code: 'admin:health.backupOneKey',
  });
  expect(await health()).toMatchObject({ status: 'warning', code: 'admin:health.backupUnopened' });

  const source = await openSource(env, 'newest', market.clock.now());
  const manifest = await verifyBackup(source.file, key, [safe.identity]);
  expect(await noteOpened(source, manifest, key, market.clock.now())).toBeUndefined();
  const opened = market.clock.now().toISOString();
  expect(await health()).toMatchObject({
    status: 'healthy',
    code: 'admin:health.backupOpened',
    params: { opened },
  });

  const note = readFileSync(at(openedName), 'utf8');
  const tomorrow = new Date(market.clock.now().getTime() + 2 * 86_400_000).toISOString();
  const value = { name: source.name, madeAt: opened, openedAt: opened };
  for (const forged of [
    note.replace(opened.slice(0, 10), '2099-01-01'),
    sign('opened', value, 'another key, not the one'),
    sign('opened', { ...value, openedAt: tomorrow }, key),
    '',
  ]) {
    writeFileSync(at(openedName), forged);
    expect(await health(), forged).toMatchObject({ code: 'admin:health.backupUnopened' });
  }
  writeFileSync(at(openedName), note);
  market.clock.advance({ days: 102 });
  await backUpEveryNight(job());
  expect(await health()).toMatchObject({
    status: 'warning',
    code: 'admin:health.backupOpenedLong',
    params: { opened },
  });
  expect(readdirSync(folder)).toContain(openedName);
});
