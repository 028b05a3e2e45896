import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { diskStorage } from '../../api/core/storage.ts';
import { connect, schema } from '../../db/client.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { startCluster } from '../support/cluster.ts';
import { inDatabase } from '../support/global.ts';
import * as photos from '../support/photos.ts';
import { smallDisk } from '../support/smallDisk.ts';

/** Real disks that are full; only root may mount them, and elsewhere these are skipped. A bucket that is full is in tests/verbs/s3.test.ts. */
const ofPhotos = smallDisk(2);
const ofPostgres = smallDisk(160);

describe.skipIf(!ofPhotos)('a full disk under the photos', async () => {
  const { folder, fill, free } = ofPhotos as NonNullable<typeof ofPhotos>;
  const market = ofPhotos && (await testApp({ storage: diskStorage(folder) }));
  const files = () => readdirSync(join(folder, 'products'), { withFileTypes: true }).map(({ name }) => name);

  test('refuses a photo in a sentence and keeps no part of it, however much room there was; with room again it is taken', async () => {
    if (!market) return;
    const seller = await signUpSeller(market);
    const bytes = (await photos.jpegOfBytes(400_000)) as Buffer<ArrayBuffer>;
    const send = () => market.call<{ error?: { code: string } }>('/api/uploads', { body: bytes, as: seller });
    const before = (await send()).status === 201 && files();
    expect(before).not.toHaveLength(0);
    for (const leave of [0, 4096, 16_384, 65_536]) {
      fill(leave);
      const { status, body } = await send();
      expect([status, body.error?.code], `${leave} bytes left`).toEqual([507, 'uploads.storageFull']);
      expect(files()).toEqual(before as string[]);
      expect(await market.db.$count(schema.uploads)).toBe(1);
      expect((await market.request('/api/slots')).status).toBe(200);
      free();
    }
    expect((await send()).status).toBe(201);
  });
});

describe.skipIf(!ofPostgres)('a full disk under Postgres', async () => {
  const { folder, fill, free } = ofPostgres as NonNullable<typeof ofPostgres>;
  const cluster = ofPostgres && (await startCluster({ folder, durable: true }));
  const target = cluster && inDatabase(cluster.target, cluster.database);
  const pool = target ? connect(target, { max: 5 }) : undefined;
  afterAll(async () => {
    await pool?.close();
    await cluster?.stop();
  });
  const close = async () => {};
  const database = target && pool && { ...pool, target, close, drop: close, another: ({ max = 5 } = {}) => connect(target, { max }) };
  const market = database && (await testApp({ database }));

  test('refuses what it cannot write, shows what there is, and goes on when there is room again', async () => {
    if (!market) return;
    const admin = await signInAdmin(market);
    const write = (value: number) =>
      market.call<{ error?: { code: string } }>('/api/admin/settings/contactPerDay', { method: 'PUT', json: { value }, as: admin });
    const acknowledged: string[] = [];
    fill();
    let refused: Awaited<ReturnType<typeof write>> | undefined;
    for (let n = 1; n < 500 && !refused; n++) {
      const answer = await write(1000 + n);
      if (answer.status === 200) acknowledged.push(String(answer.headers.get('x-request-id')));
      else refused = answer;
    }
    expect([refused?.status, refused?.body.error?.code]).toEqual([503, 'unavailable']);
    expect((await market.request('/api/slots')).status).toBe(200);
    expect((await market.request('/readyz')).status).toBe(200);

    free();
    const after = await write(7);
    expect(after.status).toBe(200);
    const kept = await market.sql<{ id: string }[]>`select request_id as id from audit_log where action = 'settings.write' order by audit_log.id`;
    expect(kept.map(({ id }) => id)).toEqual([...acknowledged, after.headers.get('x-request-id')]);
  });
});
