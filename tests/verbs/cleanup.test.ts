import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { type StoredFile, s3Storage } from '../../api/core/storage.ts';
import { rollUpEngagement } from '../../api/engagement/rollup.ts';
import { markSold, withdraw } from '../../api/products/withdraw.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { restorableMs, restoreProduct } from '../../api/queue/restore.ts';
import { cardKeys } from '../../api/sharecards/cards.ts';
import { type Cleaned, cleanUp } from '../../api/upkeep/cleanup.ts';
import type { cleanupStats, storageFigures } from '../../api/upkeep/figures.ts';
import { forgetOldRows } from '../../api/upkeep/forget.ts';
import { storageStatus, storageWarns } from '../../api/upkeep/rules.ts';
import { photoKey } from '../../api/uploads/names.ts';
import { cleanAbandonedUploads, filesOf } from '../../api/uploads/receive.ts';
import { refinePhotos } from '../../api/uploads/refine.ts';
import { schema } from '../../db/client.ts';
import { schedule } from '../../jobs/schedule.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import type { Span } from '../support/clock.ts';
import { jpeg } from '../support/photos.ts';
import { approved, draft, live, productRow, runQueue, slotOf, submitted, uploadPhoto } from '../support/products.ts';
import { collide } from '../support/race.ts';
import { refused } from '../support/refusals.ts';
import { temporaryDisk } from '../support/storage.ts';

const market = await testApp();
const { seller, otherSeller, member, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, uploads, cleanupRuns, auditLog, productEdits } = schema;

const asJob = () => market.job('cleanup-expired-products');
const nothing: Cleaned = { cleaned_products: 0, deleted_images: 0, archived_products: 0, orphaned_files: 0, held_files: 0 };
const files = () => [...market.storage.files.keys()].sort();
const exists = async (id: string) => (await market.db.$count(products, eq(products.id, id))) === 1;
const change = (id: string, columns: Partial<typeof products.$inferInsert>) => market.db.update(products).set(columns).where(eq(products.id, id));
const drawCards = async (id: string) => {
  for (const key of cardKeys(id)) await market.storage.put(key, new Uint8Array(8), 'image/jpeg');
};

/** A product whose listing ended just now, with its photo, the photo's AVIF files, and share cards. */
async function ended(owner = seller): Promise<string> {
  const images = [await uploadPhoto(market, owner, await jpeg(400))];
  const { id } = await live(market, owner, admin, { durationHours: 24, images });
  await refinePhotos(asJob());
  await drawCards(id);
  market.clock.advance({ hours: 24 });
  await runQueue(market);
  expect((await productRow(market, id)).listingEndedAt).toEqual(market.clock.now());
  return id;
}
async function rejected(): Promise<string> {
  const { id } = await submitted(market, seller);
  await change(id, { status: 'rejected', rejectedAt: market.clock.now(), rejectedReason: 'x' });
  return id;
}
async function removed(): Promise<string> {
  const { id } = await approved(market, seller, admin);
  await removeFromQueue(await market.ctx(admin), id);
  return id;
}
/** Looks a second before a limit, and at it: nothing goes too early, and everything when it is due. */
async function around(limit: Span, early: () => Promise<unknown>, due: () => Promise<unknown>) {
  market.clock.advance(limit);
  market.clock.advance({ seconds: -1 });
  await early();
  market.clock.advance({ seconds: 1 });
  await due();
}

describe('photos', () => {
  test('go 30 days after the listing’s end, with every derivative and card; the data stays (product §4)', async () => {
    const id = await ended();
    const before = await productRow(market, id);
    expect(files().filter((key) => key.endsWith('.avif')).length).toBeGreaterThan(0);
    await around(
      { days: 30 },
      async () => {
        expect(await cleanUp(asJob())).toEqual(nothing);
        expect(files().length).toBeGreaterThan(4);
      },
      async () => expect(await cleanUp(asJob())).toEqual({ ...nothing, archived_products: 1, deleted_images: 1 }),
    );
    expect(files()).toEqual([]);
    expect(await market.db.$count(uploads)).toBe(0);
    expect(await productRow(market, id)).toEqual({ ...before, images: [], imagesDeletedAt: market.clock.now() });
  });

  test('of what was sold, or taken back after approval, go 30 days after that', async () => {
    const sold = await approved(market, seller, admin);
    await markSold(await market.ctx(seller), sold.id);
    const back = await approved(market, seller, admin);
    await withdraw(await market.ctx(seller), back.id);
    await around(
      { days: 30 },
      async () => expect(await cleanUp(asJob())).toEqual(nothing),
      async () => expect(await cleanUp(asJob())).toMatchObject({ archived_products: 2, deleted_images: 2 }),
    );
  });

  test('that only a forgotten change of an ended listing shows go too, and the change with them', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    const extra = await uploadPhoto(market, seller);
    const [own] = await market.db.select({ id: uploads.id }).from(uploads).where(eq(uploads.productId, id));
    const { listingType, durationHours, paymentMethod, ...edit } = draft({ images: [own?.id ?? '', extra] });
    expect((await market.call(`/api/products/${id}`, { method: 'PUT', json: edit, as: seller })).status).toBe(200);
    expect(await market.db.$count(productEdits)).toBe(1);
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    market.clock.advance({ days: 30 });
    expect(await cleanUp(asJob())).toMatchObject({ archived_products: 1, deleted_images: 2 });
    expect(files()).toEqual([]);
    expect(await market.db.$count(productEdits)).toBe(0);
  });

  test('that another product shows as well stay', async () => {
    const id = await ended();
    const { images } = await productRow(market, id);
    const copy = await submitted(market, otherSeller);
    await change(copy.id, { images });
    market.clock.advance({ days: 30 });
    await cleanUp(asJob());
    market.clock.advance({ days: 3 });
    await cleanAbandonedUploads(asJob());
    for (const image of images) for (const key of filesOf(image)) expect(files(), key).toContain(key);
    expect((await productRow(market, id)).images).toEqual([]);
  });

  test('of an import, without a row of their own, go as well', async () => {
    await ended();
    await market.db.delete(uploads);
    market.clock.advance({ days: 30 });
    expect(await cleanUp(asJob())).toMatchObject({ archived_products: 1, deleted_images: 1 });
    expect(files()).toEqual([]);
    expect(await market.db.$count(uploads)).toBe(0);
  });
});

describe('records', () => {
  test('of ended listings go a year after the end, with everything that hangs on them', async () => {
    const id = await ended();
    await market.db.insert(schema.productDaily).values({ productId: id, day: '2026-11-23', views: 3 });
    await market.db.insert(schema.reports).values({ productId: id, reason: 'fraud', visitor: 'v' });
    await around(
      { days: 365 },
      async () => {
        await cleanUp(asJob());
        expect(await exists(id)).toBe(true);
      },
      async () => expect(await cleanUp(asJob())).toMatchObject({ cleaned_products: 1 }),
    );
    expect(await exists(id)).toBe(false);
    expect(await market.db.$count(schema.productDaily)).toBe(0);
    expect(await market.db.$count(schema.reports)).toBe(0);
    expect(files()).toEqual([]);
  });

  test('that were rejected go after a year, with their photos, not earlier', async () => {
    const id = await rejected();
    await around(
      { days: 365 },
      async () => {
        expect(await cleanUp(asJob())).toEqual(nothing);
        expect(files().length).toBeGreaterThan(0);
      },
      async () => expect(await cleanUp(asJob())).toEqual({ ...nothing, cleaned_products: 1, deleted_images: 1 }),
    );
    expect(await exists(id)).toBe(false);
    expect(files()).toEqual([]);
  });

  test('that were removed go when they can be restored no longer (product R16), to the second', async () => {
    const [id, kept] = [await removed(), await removed()];
    await drawCards(id);
    await around(
      { milliseconds: restorableMs },
      async () => {
        expect(await cleanUp(asJob())).toEqual(nothing);
        await restoreProduct(await market.ctx(admin), kept);
      },
      async () => {
        await refused(restoreProduct(await market.ctx(admin), id), 'queue.notRestorable');
        expect(await cleanUp(asJob())).toMatchObject({ cleaned_products: 1, deleted_images: 1 });
      },
    );
    expect([await exists(id), await exists(kept)]).toEqual([false, true]);
    expect(files()).toEqual((await productRow(market, kept)).images.flatMap(filesOf).sort());
  });
});

describe('what lives is never touched', () => {
  test('however old it is: live, paused, queued, pending, listed again, and what is younger than the limits', async () => {
    const inSlot = await live(market, seller, admin);
    const paused = await live(market, otherSeller, admin);
    const queued = await approved(market, seller, admin);
    const pending = await submitted(market, seller);
    const again = await ended();
    await market.call(`/api/products/${again}/relist`, { method: 'POST', as: seller });
    const long = market.clock.now();
    await market.call(`/api/admin/slots/${paused.slotId}/pause`, { json: { productId: paused.id }, as: admin });
    // Two years pass for all of them; the slots are what keeps the first two.
    market.clock.advance({ days: 730 });
    const [young, youngRejected, youngRemoved] = [await endedBy(29), await rejected(), await removed()];
    const everything = [inSlot.id, paused.id, queued.id, pending.id, again, young, youngRejected, youngRemoved];
    const shown = files();
    const rows = await market.db.select().from(products).orderBy(products.id);
    for (let run = 0; run < 3; run++) expect(await cleanUp(asJob())).toEqual(nothing);
    expect(await market.db.select().from(products).orderBy(products.id)).toEqual(rows);
    expect(files()).toEqual(shown);
    for (const id of everything) expect(await exists(id)).toBe(true);
    expect(long.getTime()).toBeLessThan(market.clock.now().getTime());

    async function endedBy(days: number): Promise<string> {
      const { id } = await approved(market, seller, admin);
      await markSold(await market.ctx(seller), id);
      await change(id, { listingEndedAt: new Date(market.clock.now().getTime() - days * 86_400_000) });
      return id;
    }
  });

  test('not even when its row says that it should go', async () => {
    const { id } = await live(market, seller, admin);
    await market.sql.begin((tx) =>
      tx.unsafe(
        `set local session_replication_role = replica; update products set listing_ended_at = now() - interval '3 years', removed_at = now() - interval '3 years' where id = '${id}'`,
      ),
    );
    const before = files();
    expect(await cleanUp(asJob())).toEqual(nothing);
    expect(files()).toEqual(before);
    expect((await slotOf(market, id))?.id).toBeDefined();
  });
});

describe('any market at all', () => {
  const dayMs = 86_400_000;
  /** Numbers that look like chance and are the same in every run. */
  const chance = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  };
  const ages = [0, 1, 29, 30, 31, 90, 364, 365, 366, 900];
  const fates = ['slot', 'queue', 'pending', 'withdrawn', 'rejected', 'ended', 'removed', 'endedThenRemoved'] as const;

  for (const seed of [1, 2, 3, 4]) {
    test(`loses exactly what is due, and a second run finds nothing (seed ${seed})`, async () => {
      const draw = chance(seed);
      const now = market.clock.now().getTime();
      const made: { id: string; due: 'record' | 'images' | 'nothing'; files: string[] }[] = [];
      for (let n = 0; n < 40; n++) {
        const id = randomUUID();
        const fate = fates[draw(fates.length)] ?? 'pending';
        const [age, other] = [ages[draw(ages.length)] ?? 0, ages[draw(ages.length)] ?? 0];
        const at = (days: number) => new Date(now - days * dayMs);
        const images = Array.from({ length: draw(3) }, (_, i) => ({
          key: `products/20260101T000000Z-${id.replaceAll('-', '').slice(0, 15)}${i}`,
          width: 720,
          height: 480,
          widths: [320, 720],
          colour: '#ffffff',
          ...(draw(2) ? { avif: [320] } : {}),
        }));
        const shown = [...images.flatMap(filesOf), ...(draw(2) ? cardKeys(id) : [])];
        for (const key of shown) await market.storage.put(key, new Uint8Array(2), 'image/webp');
        const approvedOnce = !['pending', 'withdrawn', 'rejected'].includes(fate);
        const endedAt = fate === 'ended' || fate === 'endedThenRemoved' ? at(age) : fate === 'removed' ? at(other) : null;
        const columns = {
          images,
          status: approvedOnce ? ('approved' as const) : fate === 'rejected' ? ('rejected' as const) : ('pending' as const),
          approvedAt: approvedOnce ? at(2000) : null,
          rejectedAt: fate === 'rejected' ? at(age) : null,
          withdrawnAt: fate === 'withdrawn' ? at(age) : null,
          listingEndedAt: endedAt,
          removedAt: fate === 'removed' || fate === 'endedThenRemoved' ? at(other) : null,
          createdAt: at(2000),
        };
        await market.db.transaction(async (db) => {
          await db.insert(products).values({ id, slug: `p-${id}`, ...columns });
          if (fate === 'queue')
            await db.insert(schema.queueItems).values({
              productId: id,
              queueName: 'queue:regular',
              band: 1,
              position: n,
              queuedAt: at(age),
              itemData: { productId: id, queuedAt: at(age).toISOString(), priority: 0 },
            });
          else if (fate === 'slot')
            await db
              .update(schema.slots)
              .set({ active: true, productId: id, startTime: at(age + 1), endTime: at(age) })
              .where(eq(schema.slots.id, n + 1));
        });
        for (const image of images)
          if (draw(3)) await market.db.insert(uploads).values({ key: image.key, image, productId: id, bytes: 2, createdAt: at(2000) });
        const record =
          (endedAt !== null && now - endedAt.getTime() >= 365 * dayMs) ||
          (fate === 'rejected' && age >= 365) ||
          (columns.removedAt !== null && now - columns.removedAt.getTime() >= restorableMs);
        const pictures = endedAt !== null && columns.removedAt === null && now - endedAt.getTime() >= 30 * dayMs && images.length > 0;
        made.push({ id, due: record ? 'record' : pictures ? 'images' : 'nothing', files: shown });
      }
      const lost = made.filter(({ due }) => due !== 'nothing');
      expect(lost.length).toBeGreaterThan(0);
      expect(lost.length).toBeLessThan(made.length);
      const done = await cleanUp(asJob(), { batch: 7 });
      expect(done).toMatchObject({
        cleaned_products: made.filter(({ due }) => due === 'record').length,
        archived_products: made.filter(({ due }) => due === 'images').length,
      });
      expect((await market.db.select({ id: products.id }).from(products)).map(({ id }) => id).sort()).toEqual(
        made
          .filter(({ due }) => due !== 'record')
          .map(({ id }) => id)
          .sort(),
      );
      expect(files()).toEqual(
        made
          .filter(({ due }) => due === 'nothing')
          .flatMap((product) => product.files)
          .sort(),
      );
      expect(await cleanUp(asJob())).toEqual(nothing);
    });
  }
});

describe('a run', () => {
  test('twice changes nothing the second time', async () => {
    await ended();
    market.clock.advance({ days: 30 });
    await cleanUp(asJob());
    const rows = await market.db.select().from(products);
    expect(await cleanUp(asJob())).toEqual(nothing);
    expect(await market.db.select().from(products)).toEqual(rows);
  });

  test('beside another one does each product once', async () => {
    for (let n = 0; n < 6; n++) await rejected();
    market.clock.advance({ days: 365 });
    const contexts = Array.from({ length: 3 }, () => ({ ...asJob(), db: market.database.another({ max: 3 }).db }));
    const runs = await Promise.all(contexts.map((ctx) => cleanUp(ctx, { batch: 1 })));
    const sum = (field: keyof Cleaned) => runs.reduce((total, run) => total + run[field], 0);
    expect({ products: sum('cleaned_products'), images: sum('deleted_images') }).toEqual({ products: 6, images: 6 });
    expect(files()).toEqual([]);
  });

  test('leaves alone what somebody holds at this moment, and judges it again later', async () => {
    const id = await removed();
    market.clock.advance({ milliseconds: restorableMs });
    const other = await market.sql.reserve();
    await other.unsafe(`begin; select 1 from products where id = '${id}' for update`);
    expect(await cleanUp(asJob())).toEqual(nothing);
    await other.unsafe(`update products set removed_at = null, listing_ended_at = now() where id = '${id}'; commit`);
    other.release();
    expect(await cleanUp(asJob())).toMatchObject({ cleaned_products: 0 });
    expect(await exists(id)).toBe(true);
  });

  test('and a restore at the last second never leave half a product', async () => {
    const id = await removed();
    const ctx = await market.ctx(admin);
    const late = { ...asJob(), now: () => new Date(market.clock.now().getTime() + restorableMs) };
    await collide(market.sql, `select 1 from products where id = '${id}' for update`, [() => restoreProduct(ctx, id)]);
    expect(await cleanUp(late)).toEqual(nothing);
    expect((await productRow(market, id)).images.flatMap(filesOf).every((key) => files().includes(key))).toBe(true);
  });

  test('is refused while the storage is away, before anything is touched', async () => {
    const id = await ended();
    market.clock.advance({ days: 30 });
    market.storage.failAfter(0);
    await refused(cleanUp(asJob()), 'uploads.storageUnavailable');
    expect((await productRow(market, id)).images).toHaveLength(1);
    expect(await market.db.$count(cleanupRuns)).toBe(0);
    expect(await market.call('/api/admin/cleanup', { method: 'POST', as: admin })).toMatchObject({ status: 503 });
  });

  test('whose deletions fail in the middle says what went; the hourly cleaning takes the rest', async () => {
    await ended();
    await ended(otherSeller);
    market.clock.advance({ days: 30 });
    let deletions = 0;
    const { storage } = market.services;
    const failing: typeof storage = {
      ...storage,
      async delete(keys) {
        if (++deletions > 2) throw new Error('the network is gone');
        await storage.delete(keys);
      },
    };
    const ctx: Ctx = { ...asJob(), services: { ...market.services, storage: failing } };
    expect(await cleanUp(ctx)).toEqual({ ...nothing, archived_products: 2, deleted_images: 1 });
    expect(files().length).toBeGreaterThan(0);
    expect(await cleanAbandonedUploads(asJob())).toBe(1);
    expect(files()).toEqual([]);
  });

  test('deletes no file before its rows are committed', async () => {
    const id = await ended();
    market.clock.advance({ days: 30 });
    const { storage } = market.services;
    const seen: number[] = [];
    const watching: typeof storage = {
      ...storage,
      async delete(keys) {
        if (keys.length > 0) seen.push((await productRow(market, id)).images.length);
        await storage.delete(keys);
      },
    };
    await cleanUp({ ...asJob(), services: { ...market.services, storage: watching } });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every((images) => images === 0)).toBe(true);
  });

  test('that cannot go on is recorded with what it did, and loses nothing', async () => {
    await rejected();
    market.clock.advance({ days: 365 });
    const { storage } = market.services;
    // biome-ignore lint/correctness/useYield: it fails before its first file
    const list = async function* (): AsyncGenerator<StoredFile> {
      throw new Error('the network is gone');
    };
    await expect(cleanUp({ ...asJob(), services: { ...market.services, storage: { ...storage, list } } })).rejects.toThrow('the network is gone');
    expect(await market.db.select().from(cleanupRuns)).toMatchObject([{ cleanedProducts: 1, deletedImages: 1, finishedAt: null }]);
  });

  test('is on the timetable every night', () => {
    expect(schedule.find((entry) => entry.name === 'cleanup-expired-products')?.pattern).toBe('41 3 * * *');
  });

  test('by the button is audited, by the timetable it is not', async () => {
    await ended();
    market.clock.advance({ days: 30 });
    const { status, body } = await market.call<Cleaned>('/api/admin/cleanup', { method: 'POST', as: admin });
    expect({ status, body }).toEqual({ status: 200, body: { ...nothing, archived_products: 1, deleted_images: 1 } });
    await cleanUp(asJob());
    expect(await market.db.select().from(auditLog).where(eq(auditLog.action, 'cleanup.run'))).toMatchObject([
      { actorId: admin.userId, subjectKind: 'job', after: { archived_products: 1, deleted_images: 1 } },
    ]);
    expect((await market.db.select().from(cleanupRuns).orderBy(cleanupRuns.id)).map((run) => run.startedBy)).toEqual([
      admin.userId,
      'cleanup-expired-products',
    ]);
  });
});

describe('files that belong to nothing', () => {
  const stray = (tail: string) => `${photoKey(market.clock.now())}-${tail}`;
  const strayOfOld = (tail: string) => `products/20261101T080000Z-${randomUUID().replaceAll('-', '').slice(0, 16)}-${tail}`;
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
    for await (const file of disk.storage.list()) listed.push(file);
    expect(listed).toMatchObject([{ key: 'products/a-320.webp', bytes: 5 }]);
    expect(Math.abs((listed[0]?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
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
        return new Response(second ? page('products/b-320.webp') : page('products/a-320.webp', 'more'), { headers: { 'content-type': 'application/xml' } });
      },
    });
    try {
      const storage = s3Storage({ bucket: 'b', endpoint: `http://localhost:${bucket.port}`, region: 'us-east-1', accessKeyId: 'k', secretAccessKey: 's' });
      const listed: StoredFile[] = [];
      for await (const file of storage.list()) listed.push(file);
      expect(listed).toEqual([
        { key: 'products/a-320.webp', bytes: 7, modifiedAt: new Date('2026-11-20T08:00:00.000Z') },
        { key: 'products/b-320.webp', bytes: 7, modifiedAt: new Date('2026-11-20T08:00:00.000Z') },
      ]);
      expect(asked.map((url) => url.searchParams.get('prefix'))).toEqual(['products/', 'products/']);
    } finally {
      await bucket.stop(true);
    }
  });
});
const disk = temporaryDisk();

describe('the statistics (get_cleanup_stats)', () => {
  type Stats = Awaited<ReturnType<typeof cleanupStats>>;
  const stats = async (query = '') => (await market.call<Stats>(`/api/admin/cleanup/stats${query}`, { as: admin })).body;

  test('add up the runs of the last 30 days, and name the last one', async () => {
    expect(await stats()).toMatchObject({ total_operations: 0, total_cleaned_products: 0, last_cleanup: null, days_back: 30 });
    await rejected();
    await ended();
    market.clock.advance({ days: 365 });
    await cleanUp(asJob());
    const at = market.clock.now().toISOString();
    expect(await stats()).toMatchObject({
      total_operations: 1,
      total_cleaned_products: 2,
      total_deleted_images: 2,
      total_archived_products: 0,
      last_cleanup: at,
    });
    market.clock.advance({ days: 30 });
    expect((await stats()).total_operations).toBe(1);
    market.clock.advance({ seconds: 1 });
    expect(await stats()).toMatchObject({ total_operations: 0, last_cleanup: at });
    expect((await stats('?days_back=60')).total_operations).toBe(1);
  });

  test('tell what a run would do now, and a run does just that', async () => {
    await rejected();
    market.clock.advance({ days: 335 });
    await ended();
    market.clock.advance({ days: 30 });
    const { due } = await stats();
    expect(due).toEqual({ products: 1, archived: 1, images: 2 });
    expect(await cleanUp(asJob())).toMatchObject({ cleaned_products: due.products, archived_products: due.archived, deleted_images: due.images });
    expect((await stats()).due).toEqual({ products: 0, archived: 0, images: 0 });
  });

  test('refuse a window that is none', async () => {
    for (const query of ['?days_back=0', '?days_back=366', '?days_back=x', '?days_back=1.5', '?other=1'])
      expect((await market.call(`/api/admin/cleanup/stats${query}`, { as: admin })).status, query).toBe(400);
  });
});

describe('the storage (product §4, §9)', () => {
  type Figures = Awaited<ReturnType<typeof storageFigures>>;
  const figures = async () => (await market.call<Figures>('/api/admin/cleanup/storage', { as: admin })).body;

  test('is Optimal under 60 percent, Moderate under 80, High Usage from 80, and warns above 80', () => {
    expect([0, 59.99, 60, 79.99, 80, 120].map(storageStatus)).toEqual(['optimal', 'optimal', 'moderate', 'moderate', 'high', 'high']);
    expect([79.9, 80, 80.01].map(storageWarns)).toEqual([false, false, true]);
  });

  test('is estimated at 0.5 MB an image against 1000 MB, and measured beside it', async () => {
    const { id } = await submitted(market, seller);
    const { images } = await productRow(market, id);
    const real = [...market.storage.files.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0);
    expect(await figures()).toEqual({
      estimate: { images: 1, bytes: 500_000, totalBytes: 1_000_000_000, percent: 0.05 },
      measured: { bytes: real, files: files().length },
      percent: 0.05,
      status: 'optimal',
      warning: false,
    });
    const many = Array.from({ length: 5 }, () => images).flat();
    await market.db.insert(products).values(Array.from({ length: 240 }, (_, n) => ({ slug: `p-${n}`, images: many })));
    expect(await figures()).toMatchObject({ estimate: { images: 1201 }, status: 'moderate', warning: false });
  });

  test('that really holds more than the estimate is judged by what it holds', async () => {
    const list = async function* (): AsyncGenerator<StoredFile> {
      yield { key: 'products/a-320.webp', bytes: 810_000_000, modifiedAt: market.clock.now() };
    };
    const { storageFigures } = await import('../../api/upkeep/figures.ts');
    const ctx: Ctx = { ...asJob(), services: { ...market.services, storage: { ...market.services.storage, list } } };
    expect(await storageFigures(ctx)).toMatchObject({ measured: { bytes: 810_000_000, files: 1 }, percent: 81, status: 'high', warning: true });
  });

  test('that is away is estimated only', async () => {
    market.storage.failAfter(0);
    expect(await figures()).toMatchObject({ measured: null, status: 'optimal' });
  });
});

describe('the cleanup is for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(who, async () => {
      const id = await rejected();
      market.clock.advance({ days: 365 });
      await refused(cleanUp(await market.ctx(person)), code);
      expect(await exists(id)).toBe(true);
    });
  }
});

test('an event is forgotten a month after it was counted, a mail three months after it was written; what waits stays', async () => {
  const { id, slotId } = await live(market, seller, admin);
  const { engagementEvents, productDaily, outbox } = schema;
  const event = { type: 'view', slotId, productId: id, visitor: 'v', occurredAt: market.clock.now() } as const;
  await market.db.insert(engagementEvents).values(event);
  await rollUpEngagement(asJob());
  await market.db.insert(engagementEvents).values({ ...event, visitor: 'not yet counted' });
  await market.db.update(outbox).set({ state: 'sent', sentAt: market.clock.now() });
  const mail = await market.db.select().from(outbox).limit(1);
  const { id: _, ...another } = mail[0] ?? expect.fail('an approval writes a mail');
  await market.db.insert(outbox).values({ ...another, state: 'waiting', sentAt: null });
  const mails = await market.db.$count(outbox);

  market.clock.advance({ days: 30 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(engagementEvents)).toBe(2);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(engagementEvents)).toMatchObject([{ visitor: 'not yet counted', rolledAt: null }]);
  expect(await market.db.select().from(productDaily)).toMatchObject([{ productId: id, views: 1 }]);
  expect(await market.db.$count(outbox)).toBe(mails);

  market.clock.advance({ days: 60 });
  await forgetOldRows(asJob());
  expect(await market.db.select().from(outbox)).toMatchObject([{ state: 'waiting' }]);
});

// Last: it forgets the sessions of everybody above as well.
test('a run is forgotten after a year', async () => {
  await cleanUp(asJob());
  market.clock.advance({ days: 365 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(cleanupRuns)).toBe(1);
  market.clock.advance({ seconds: 1 });
  await forgetOldRows(asJob());
  expect(await market.db.$count(cleanupRuns)).toBe(0);
});
