import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup } from '../../../api/backup/restore.ts';
import { writeBackup } from '../../../api/backup/write.ts';
import { s3Storage } from '../../../api/ops/storage.ts';
import { receivePhoto } from '../../../api/uploads/receive.ts';
import { connect, schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { openBucket } from '../../support/bucket.ts';
import { freshDatabase } from '../../support/database.ts';
import * as photos from '../../support/photos.ts';
import { refused } from '../../support/refusals.ts';

const service = await openBucket();
afterAll(() => service.close());
const { bucket, folder } = service;
const storage = s3Storage(bucket);
const bytes = new Uint8Array([1, 2, 3]);

/** A bucket that accepts this many writes, then answers that it is full. */
function fillsAfter(writes: number) {
  const files = new Set<string>();
  let taken = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const key = new URL(request.url).pathname;
      if (request.method === 'DELETE') {
        files.delete(key);
        return new Response(null, { status: 204 });
      }
      if (taken++ >= writes) return xml('QuotaExceeded', 507);
      files.add(key);
      return new Response(null, { headers: { etag: '"1"' } });
    },
  });
  return { endpoint: `http://127.0.0.1:${server.port}`, files, stop: () => server.stop(true) };
}
const xml = (code: string, status: number) =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No</Message></Error>`,
    {
      status,
      headers: { 'content-type': 'application/xml' },
    },
  );

describe('the storage in a bucket', () => {
  test('gives back what it got, lists it for the health check, and deletes it', async () => {
    await storage.put('products/a-120.webp', bytes, 'image/webp');
    expect(await storage.get('products/a-120.webp')).toEqual(bytes);
    await storage.probe();
    await storage.delete(['products/a-120.webp', 'products/never.webp']);
    expect(await storage.get('products/a-120.webp')).toBeUndefined();
  });

  for (const key of ['../outside', 'products/../../outside', 'other/a', 'products/.hidden', '']) {
    test(`neither writes nor reads ${JSON.stringify(key)}`, async () => {
      await expect(storage.put(key, bytes, 'image/webp')).rejects.toThrow('Not a storage key');
      expect(await storage.get(key)).toBeUndefined();
      await expect(storage.delete([key])).rejects.toThrow('Not a storage key');
    });
  }

  test('says plainly that it is full', async () => {
    const crowded = fillsAfter(0);
    await refused(
      s3Storage({ ...bucket, endpoint: crowded.endpoint }).put(
        'products/a.webp',
        bytes,
        'image/webp',
      ),
      'uploads.storageFull',
    );
    await crowded.stop();
  });

  test('says plainly that it is away: gone, a bucket that is none, a wrong key', async () => {
    for (const wrong of [
      { endpoint: 'http://127.0.0.1:9' },
      { bucket: 'nobodys' },
      { accessKeyId: 'STRANGER' },
    ]) {
      const away = s3Storage({ ...bucket, ...wrong });
      await refused(away.put('products/a.webp', bytes, 'image/webp'), 'uploads.storageUnavailable');
      await expect(away.probe()).rejects.toThrow();
    }
  });

  test('does not wait for ever for a service that accepts and never answers', async () => {
    const silent = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Promise<Response>(() => {}),
    });
    const away = s3Storage({ ...bucket, endpoint: `http://127.0.0.1:${silent.port}` }, 50);
    await refused(away.put('products/a.webp', bytes, 'image/webp'), 'uploads.storageUnavailable');
    await expect(away.get('products/a.webp')).rejects.toThrow('did not answer');
    await silent.stop(true);
  });
});

describe('a photo in a bucket', async () => {
  const market = await testApp({ storage });
  const elsewhere = await freshDatabase({ empty: true });
  const { seller } = await actors(market);
  beforeEach(() => market.reset());
  const rows = () => market.db.select().from(schema.uploads);
  const files = () =>
    readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.webp'));

  test('is reached under its public URL, and goes when it is taken back', async () => {
    const { body } = await market.call<{ id: string; image: { src: string } }>('/api/uploads', {
      as: seller,
      body: new Uint8Array(await photos.phonePhoto(900)),
      headers: { 'content-type': 'image/jpeg', 'x-file-name': 'phone.jpg' },
    });
    expect(files().length).toBeGreaterThan(0);
    const answer = await market.request(body.image.src);
    expect(answer.status).toBe(200);
    const meta = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([meta.format, meta.exif]).toEqual(['webp', undefined]);
    expect(
      (await market.call(`/api/uploads/${body.id}`, { method: 'DELETE', as: seller })).status,
    ).toBe(200);
    expect(files()).toEqual([]);
    expect((await market.request(body.image.src)).status).toBe(404);
  });

  for (const writes of [0, 1, 2]) {
    test(`is not half-stored when the bucket is full at file ${writes + 1} of three`, async () => {
      const crowded = fillsAfter(writes);
      const ctx = await market.ctx(seller, {
        services: {
          ...market.services,
          storage: s3Storage({ ...bucket, endpoint: crowded.endpoint }),
        },
      });
      await refused(receivePhoto(ctx, await photos.jpeg(1500), 'photo.jpg'), 'uploads.storageFull');
      expect([...crowded.files]).toEqual([]);
      expect(await rows()).toEqual([]);
      await crowded.stop();
    });
  }

  test('is taken out of the bucket by a backup, and put back into one by a restore', async () => {
    const tar = join(folder, 'backup.tar');
    await receivePhoto(await market.ctx(seller), await photos.jpeg(), 'photo.jpg');
    const keys = files();
    expect(keys.length).toBeGreaterThan(0);
    expect(await writeBackup(market.job('back-up'), tar)).toMatchObject({
      missing: [],
      photos: expect.any(Number),
    });
    for await (const { key } of storage.list()) await storage.delete([key]);
    expect(files()).toEqual([]);
    await elsewhere.close();
    const pool = connect(elsewhere.target, { max: 2 });
    await restoreBackup({ client: pool.sql, storage }, tar).finally(() => pool.close());
    expect(files()).toEqual(keys);
  });
});
