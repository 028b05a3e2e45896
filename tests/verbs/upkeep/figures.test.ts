import { beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import type { StoredFile } from '../../../api/ops/storage.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import type { cleanupStats, storageFigures } from '../../../api/upkeep/figures.ts';
import { storageStatus, storageWarns } from '../../../api/upkeep/rules.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { cleanupCases } from '../../support/cleanup.ts';
import { productRow, submitted } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products } = schema;
const { asJob, files, ended, rejected } = cleanupCases(market, { seller, admin });

describe('the statistics (get_cleanup_stats)', () => {
  type Stats = Awaited<ReturnType<typeof cleanupStats>>;
  const stats = async (query = '') =>
    (await market.call<Stats>(`/api/admin/cleanup/stats${query}`, { as: admin })).body;

  test('add up the runs of the last 30 days, and name the last one', async () => {
    expect(await stats()).toMatchObject({
      total_operations: 0,
      total_cleaned_products: 0,
      last_cleanup: null,
      days_back: 30,
    });
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
    expect(await cleanUp(asJob())).toMatchObject({
      cleaned_products: due.products,
      archived_products: due.archived,
      deleted_images: due.images,
    });
    expect((await stats()).due).toEqual({ products: 0, archived: 0, images: 0 });
  });

  test('refuse a window that is none', async () => {
    for (const query of [
      '?days_back=0',
      '?days_back=366',
      '?days_back=x',
      '?days_back=1.5',
      '?other=1',
    ])
      expect(
        (await market.call(`/api/admin/cleanup/stats${query}`, { as: admin })).status,
        query,
      ).toBe(400);
  });
});

describe('the storage (product §4, §9)', () => {
  type Figures = Awaited<ReturnType<typeof storageFigures>>;
  const figures = async () =>
    (await market.call<Figures>('/api/admin/cleanup/storage', { as: admin })).body;

  test('is Optimal under 60 percent, Moderate under 80, High Usage from 80, and warns above 80', () => {
    expect([0, 59.99, 60, 79.99, 80, 120].map(storageStatus)).toEqual([
      'optimal',
      'optimal',
      'moderate',
      'moderate',
      'high',
      'high',
    ]);
    expect([79.9, 80, 80.01].map(storageWarns)).toEqual([false, false, true]);
  });

  test('is estimated at 0.5 MB an image against 1000 MB, and measured beside it', async () => {
    const { id } = await submitted(market, seller);
    const { images } = await productRow(market, id);
    const real = [...market.storage.files.values()].reduce(
      (sum, bytes) => sum + bytes.byteLength,
      0,
    );
    expect(await figures()).toEqual({
      estimate: { images: 1, bytes: 500_000, totalBytes: 1_000_000_000, percent: 0.05 },
      measured: { bytes: real, files: files().length },
      percent: 0.05,
      status: 'optimal',
      warning: false,
    });
    const many = Array.from({ length: 5 }, () => images).flat();
    await market.db
      .insert(products)
      .values(Array.from({ length: 240 }, (_, n) => ({ slug: `p-${n}`, images: many })));
    expect(await figures()).toMatchObject({
      estimate: { images: 1201 },
      status: 'moderate',
      warning: false,
    });
  });

  test('that really holds more than the estimate is judged by what it holds', async () => {
    const list = async function* (): AsyncGenerator<StoredFile> {
      yield { key: 'products/a-320.webp', bytes: 810_000_000, modifiedAt: market.clock.now() };
    };
    const { storageFigures } = await import('../../../api/upkeep/figures.ts');
    const ctx: Ctx = {
      ...asJob(),
      services: { ...market.services, storage: { ...market.services.storage, list } },
    };
    expect(await storageFigures(ctx)).toMatchObject({
      measured: { bytes: 810_000_000, files: 1 },
      percent: 81,
      status: 'high',
      warning: true,
    });
  });

  test('that is away is estimated only', async () => {
    market.storage.failAfter(0);
    expect(await figures()).toMatchObject({ measured: null, status: 'optimal' });
  });
});
