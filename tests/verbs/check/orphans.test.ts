import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type StoredFile, s3Storage } from '../../../api/ops/storage.ts';
import { cardKeys } from '../../../api/sharecards/cards.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { photoKey } from '../../../api/uploads/names.ts';
import { refinePhotos } from '../../../api/uploads/refine.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cleanupCases, nothing } from '../../support/cleanup.ts';
import { live, uploadPhoto } from '../../support/products.ts';
import { temporaryDisk } from '../../support/storage.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { asJob, files, drawCards, around } = cleanupCases(market, { seller, admin });
const disk = temporaryDisk();

describe('files that belong to nothing', () => {
  const stray = (tail: string) => `${photoKey(market.clock.now())}-${tail}`;
  const strayOfOld = (tail: string) =>
    `products/20261101T080000Z-${randomUUID().replaceAll('-', '').slice(0, 16)}-${tail}`;
  const put = (key: string) => market.storage.put(key, new Uint8Array(3), 'image/webp');

  test('go after 24 hours, photos, halves, cards and cut-short checks alike; not earlier', async () => {
    const gone = [
      stray('320.webp'),
      stray('720.avif'),
      stray('320.webp.part'),
      strayOfOld('320.webp'),
      ...cardKeys(randomUUID()),
      `products/health-${randomUUID()}.txt`,
    ];
    for (const key of gone) await put(key);
    await around(
      { days: 1 },
      async () => expect((await cleanUp(asJob())).orphaned_files).toBe(0),
      async () => expect((await cleanUp(asJob())).orphaned_files).toBe(0),
    );
    market.clock.advance({ seconds: 1 });
    expect(await cleanUp(asJob())).toEqual({ ...nothing, orphaned_files: gone.length });
    expect(files()).toEqual([]);
  });

  test('are none of those that a product, an upload or a card of a product owns, nor what somebody else put there', async () => {
    const { id } = await live(market, seller, admin);
    await refinePhotos(asJob());
    await drawCards(id);
    await uploadPhoto(market, seller);
    await put('products/logo.webp');
    const before = files();
    market.clock.advance({ days: 2 });
    expect((await cleanUp(asJob())).orphaned_files).toBe(0);
    expect(files()).toEqual(before);
  });

  test('stay where most files are strange: that storage is another market’s', async () => {
    for (let n = 0; n < 60; n++) await put(stray('320.webp'));
    market.clock.advance({ days: 2 });
    expect(await cleanUp(asJob())).toEqual({ ...nothing, held_files: 60 });
    expect(files()).toHaveLength(60);
    expect(market.logged.some((line) => line.level === 'error' && line.orphaned === 60)).toBe(true);
  });

  test('are found on a disk as well, halves included, and what goes meanwhile is no error', async () => {
    const listed: StoredFile[] = [];
    for await (const file of disk.storage.list()) listed.push(file);
    expect(listed).toEqual([]);
    await disk.storage.put('products/a-320.webp', new Uint8Array(5), 'image/webp');
    const modifiedAt = new Date('2026-10-01T12:00:00Z');
    await utimes(join(disk.folder, 'products/a-320.webp'), modifiedAt, modifiedAt);
    for await (const file of disk.storage.list()) listed.push(file);
    expect(listed).toMatchObject([{ key: 'products/a-320.webp', bytes: 5, modifiedAt }]);
  });

  test('are found in a bucket as well, page by page', async () => {
    const asked: URL[] = [];
    const page = (key: string, next?: string) =>
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>products/</Prefix>
       <KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>${next !== undefined}</IsTruncated>${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}
       <Contents><Key>${key}</Key><LastModified>2026-11-20T08:00:00.000Z</LastModified><ETag>&quot;x&quot;</ETag><Size>7</Size><StorageClass>STANDARD</StorageClass></Contents>
       </ListBucketResult>`;
    const bucket = Bun.serve({
      port: 0,
      fetch(request) {
        const url = new URL(request.url);
        asked.push(url);
        const second = url.searchParams.get('continuation-token') === 'more';
        return new Response(
          second ? page('products/b-320.webp') : page('products/a-320.webp', 'more'),
          { headers: { 'content-type': 'application/xml' } },
        );
      },
    });
    try {
      const storage = s3Storage({
        bucket: 'b',
        endpoint: `http://localhost:${bucket.port}`,
        region: 'us-east-1',
        accessKeyId: 'k',
        secretAccessKey: 's',
      });
      const listed: StoredFile[] = [];
      for await (const file of storage.list()) listed.push(file);
      expect(listed).toEqual([
        { key: 'products/a-320.webp', bytes: 7, modifiedAt: new Date('2026-11-20T08:00:00.000Z') },
        { key: 'products/b-320.webp', bytes: 7, modifiedAt: new Date('2026-11-20T08:00:00.000Z') },
      ]);
      expect(asked.map((url) => url.searchParams.get('prefix'))).toEqual([
        'products/',
        'products/',
      ]);
    } finally {
      await bucket.stop(true);
    }
  });
});
