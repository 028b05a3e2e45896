import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import type { StoredFile } from '../../../api/ops/storage.ts';
import { restorableMs, restoreProduct } from '../../../api/queue/restore.ts';
import { type Cleaned, cleanUp } from '../../../api/upkeep/cleanup.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { filesOf } from '../../../api/uploads/files.ts';
import { schema } from '../../../db/client.ts';
import { schedule } from '../../../jobs/schedule.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { lastAudit } from '../../support/audit.ts';
import { cleanupCases, nothing } from '../../support/cleanup.ts';
import { productRow } from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, member, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, cleanupRuns, auditLog } = schema;
const { asJob, files, exists, ended, rejected, removed } = cleanupCases(market, { seller, admin });

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
    const contexts = Array.from({ length: 3 }, () => ({
      ...asJob(),
      db: market.database.another({ max: 3 }).db,
    }));
    const runs = await Promise.all(contexts.map((ctx) => cleanUp(ctx, { batch: 1 })));
    const sum = (field: keyof Cleaned) => runs.reduce((total, run) => total + run[field], 0);
    expect({ products: sum('cleaned_products'), images: sum('deleted_images') }).toEqual({
      products: 6,
      images: 6,
    });
    expect(files()).toEqual([]);
  });

  test('leaves alone what somebody holds at this moment, and judges it again later', async () => {
    const id = await removed();
    market.clock.advance({ milliseconds: restorableMs });
    const other = await market.sql.reserve();
    await other.unsafe(`begin; select 1 from products where id = '${id}' for update`);
    expect(await cleanUp(asJob())).toEqual(nothing);
    await other.unsafe(`update products set removed_at = null where id = '${id}'; commit`);
    other.release();
    expect(await cleanUp(asJob())).toMatchObject({ cleaned_products: 0 });
    expect(await exists(id)).toBe(true);
  });

  test('and a restore at the last second never leave half a product', async () => {
    const id = await removed();
    const ctx = await market.ctx(admin);
    const late = { ...asJob(), now: () => new Date(market.clock.now().getTime() + restorableMs) };
    await collide(market.sql, `select 1 from products where id = '${id}' for update`, [
      () => restoreProduct(ctx, id),
    ]);
    expect(await cleanUp(late)).toEqual(nothing);
    expect(
      (await productRow(market, id)).images.flatMap(filesOf).every((key) => files().includes(key)),
    ).toBe(true);
  });

  test('is refused while the storage is away, before anything is touched', async () => {
    const id = await ended();
    market.clock.advance({ days: 30 });
    market.storage.failAfter(0);
    await refused(cleanUp(asJob()), 'upkeep.storageAway');
    expect((await productRow(market, id)).images).toHaveLength(1);
    expect(await market.db.$count(cleanupRuns)).toBe(0);
    const { status, body } = await market.call('/api/admin/cleanup', { method: 'POST', as: admin });
    expect(status).toBe(503);
    expect(body.error.message).toContain('nothing was deleted. Still due: 0 products and 1 image.');
  });

  test('whose deletions fail in the middle stops, says what went and what is left, and is audited; the hourly cleaning takes the rest', async () => {
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
    const ctx: Ctx = {
      ...(await market.ctx(admin)),
      services: { ...market.services, storage: failing },
    };
    const { params } = await refused(cleanUp(ctx), 'upkeep.interrupted');
    expect(params).toEqual({ products: '0 products', images: '1 image', left: '1 image' });
    expect(await market.db.select().from(cleanupRuns)).toMatchObject([
      { archivedProducts: 2, deletedImages: 1, finishedAt: null },
    ]);
    expect(await lastAudit(market)).toMatchObject({
      action: 'cleanup.run',
      after: { deleted_images: 1, left_images: 1 },
    });
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
    await expect(
      cleanUp({ ...asJob(), services: { ...market.services, storage: { ...storage, list } } }),
    ).rejects.toThrow('the network is gone');
    expect(await market.db.select().from(cleanupRuns)).toMatchObject([
      { cleanedProducts: 1, deletedImages: 1, finishedAt: null },
    ]);
  });

  test('is on the timetable every night', () => {
    expect(schedule.find((entry) => entry.name === 'cleanup-expired-products')?.pattern).toBe(
      '41 3 * * *',
    );
  });

  test('by the button is audited, by the timetable it is not', async () => {
    await ended();
    market.clock.advance({ days: 30 });
    const { status, body } = await market.call<Cleaned>('/api/admin/cleanup', {
      method: 'POST',
      as: admin,
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...nothing, archived_products: 1, deleted_images: 1 },
    });
    await cleanUp(asJob());
    expect(
      await market.db.select().from(auditLog).where(eq(auditLog.action, 'cleanup.run')),
    ).toMatchObject([
      {
        actorId: admin.userId,
        subjectKind: 'job',
        after: { archived_products: 1, deleted_images: 1 },
      },
    ]);
    expect(
      (await market.db.select().from(cleanupRuns).orderBy(cleanupRuns.id)).map(
        (run) => run.startedBy,
      ),
    ).toEqual([admin.userId, 'cleanup-expired-products']);
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
