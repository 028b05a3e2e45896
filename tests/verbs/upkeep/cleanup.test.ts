import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { record as logged } from '../../../api/listings/log.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { restorableMs, restoreProduct } from '../../../api/queue/restore.ts';
import { cardKeys } from '../../../api/sharecards/cards.ts';
import { cleanUp } from '../../../api/upkeep/cleanup.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { filesOf } from '../../../api/uploads/files.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { cleanupCases, nothing } from '../../support/cleanup.ts';
import {
  approved,
  draft,
  live,
  productRow,
  runQueue,
  slotOf,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, uploads, productEdits } = schema;
const { asJob, files, exists, change, drawCards, ended, rejected, removed, around } = cleanupCases(
  market,
  { seller, admin },
);

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
      async () =>
        expect(await cleanUp(asJob())).toEqual({
          ...nothing,
          archived_products: 1,
          deleted_images: 1,
        }),
    );
    expect(files()).toEqual([]);
    expect(await market.db.$count(uploads)).toBe(0);
    expect(await productRow(market, id)).toEqual({
      ...before,
      images: [],
      imagesDeletedAt: market.clock.now(),
    });
  });

  test('of what was sold, or taken back after approval, go 30 days after that', async () => {
    const sold = await approved(market, seller, admin);
    await markSold(await market.ctx(seller), sold.id);
    const back = await approved(market, seller, admin);
    await withdraw(await market.ctx(seller), back.id);
    await around(
      { days: 30 },
      async () => expect(await cleanUp(asJob())).toEqual(nothing),
      async () =>
        expect(await cleanUp(asJob())).toMatchObject({ archived_products: 2, deleted_images: 2 }),
    );
  });

  test('that only a forgotten change of an ended listing shows go too, and the change with them', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    const extra = await uploadPhoto(market, seller);
    const [own] = await market.db
      .select({ id: uploads.id })
      .from(uploads)
      .where(eq(uploads.productId, id));
    const { listingType, durationHours, paymentMethod, ...edit } = draft({
      images: [own?.id ?? '', extra],
    });
    expect(
      (await market.call(`/api/products/${id}`, { method: 'PUT', json: edit, as: seller })).status,
    ).toBe(200);
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
    for (const image of images)
      for (const key of filesOf(image)) expect(files(), key).toContain(key);
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
    await market.db
      .insert(schema.productDaily)
      .values({ productId: id, day: '2026-11-23', views: 3 });
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
      async () =>
        expect(await cleanUp(asJob())).toEqual({
          ...nothing,
          cleaned_products: 1,
          deleted_images: 1,
        }),
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
    await market.call(`/api/admin/slots/${paused.slotId}/pause`, {
      json: { productId: paused.id },
      as: admin,
    });
    // Two years pass for all of them; only their slots protect the first two.
    market.clock.advance({ days: 730 });
    const [young, youngRejected, youngRemoved] = [
      await endedBy(29),
      await rejected(),
      await removed(),
    ];
    const everything = [
      inSlot.id,
      paused.id,
      queued.id,
      pending.id,
      again,
      young,
      youngRejected,
      youngRemoved,
    ];
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
      await market.db
        .update(schema.listings)
        .set(endedAt(new Date(market.clock.now().getTime() - days * 86_400_000)))
        .where(eq(schema.listings.productId, id));
      return id;
    }
  });

  test('not even when its row says that it should go', async () => {
    const { id } = await live(market, seller, admin);
    await market.sql.begin((tx) =>
      tx.unsafe(
        `set local session_replication_role = replica; update products set removed_at = now() - interval '3 years' where id = '${id}';
         update listings set opened_at = now() - interval '4 years', started_at = now() - interval '4 years', ended_at = now() - interval '3 years', end_reason = 'time' where product_id = '${id}'`,
      ),
    );
    const before = files();
    expect(await cleanUp(asJob())).toEqual(nothing);
    expect(files()).toEqual(before);
    expect((await slotOf(market, id))?.id).toBeDefined();
  });
});

/** Moves the opening too: a listing cannot end before it opened. */
function endedAt(moment: Date) {
  return {
    openedAt: moment,
    startedAt: null,
    durationSeconds: null,
    slotId: null,
    endedAt: moment,
  };
}

describe('any market at all', () => {
  const dayMs = 86_400_000;
  /** Seeded random numbers. */
  const chance = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
  };
  const ages = [0, 1, 29, 30, 31, 90, 364, 365, 366, 900];
  const fates = [
    'slot',
    'queue',
    'pending',
    'withdrawn',
    'rejected',
    'ended',
    'removed',
    'endedThenRemoved',
  ] as const;

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
        const endedAt =
          fate === 'ended' || fate === 'endedThenRemoved'
            ? at(age)
            : fate === 'removed'
              ? at(other)
              : null;
        const columns = {
          images,
          status: approvedOnce
            ? ('approved' as const)
            : fate === 'rejected'
              ? ('rejected' as const)
              : ('pending' as const),
          approvedAt: approvedOnce ? at(2000) : null,
          rejectedAt: fate === 'rejected' ? at(age) : null,
          withdrawnAt: fate === 'withdrawn' ? at(age) : null,
          removedAt: fate === 'removed' || fate === 'endedThenRemoved' ? at(other) : null,
          createdAt: at(2000),
        };
        await market.db.transaction(async (db) => {
          await db.insert(products).values({ id, slug: `p-${id}`, ...columns });
          await db.insert(schema.listings).values({
            productId: id,
            number: 1,
            openedAt: at(2000),
            ...(fate === 'slot'
              ? { slotId: n + 1, startedAt: at(age + 1), durationSeconds: 86_400 }
              : {}),
            ...(endedAt ? { endedAt, endReason: 'time' as const } : {}),
          });
          if (fate === 'queue')
            await logged(asTx({ ...market.job('queue'), db }), 'queue:regular', [
              { act: 'enter', reason: 'approved', productId: id, to: { band: 1, position: n } },
            ]);
          else if (fate === 'slot')
            await db
              .update(schema.slots)
              .set({ active: true, productId: id, startTime: at(age + 1), endTime: at(age) })
              .where(eq(schema.slots.id, n + 1));
        });
        for (const image of images)
          if (draw(3))
            await market.db
              .insert(uploads)
              .values({ key: image.key, image, productId: id, bytes: 2, createdAt: at(2000) });
        const record =
          (endedAt !== null && now - endedAt.getTime() >= 365 * dayMs) ||
          (fate === 'rejected' && age >= 365) ||
          (columns.removedAt !== null && now - columns.removedAt.getTime() >= restorableMs);
        const pictures =
          endedAt !== null &&
          columns.removedAt === null &&
          now - endedAt.getTime() >= 30 * dayMs &&
          images.length > 0;
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
      expect(
        (await market.db.select({ id: products.id }).from(products)).map(({ id }) => id).sort(),
      ).toEqual(
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
