import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { enqueue } from '../../../api/listings/enqueue.ts';
import { leaveLanes } from '../../../api/listings/log.ts';
import { openListing } from '../../../api/listings/open.ts';
import { publicProduct } from '../../../api/productpages/read.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { schema, sql } from '../../../db/client.ts';
import { actors, signUpSeller, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { endOf } from '../../support/listings.ts';
import { approved, live, productRow, runQueue, submitted } from '../../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, slots } = schema;

const find = async (id: string) =>
  publicProduct(await market.ctx(), (await productRow(market, id)).slug);

/** Ends a listing as the market does: slot and product in one transaction. */
async function leave(
  id: string,
  stamps: Partial<typeof products.$inferInsert> = {},
): Promise<void> {
  await market.db.transaction(async (tx) => {
    await endOf(tx, id, market.clock.now());
    if (Object.keys(stamps).length > 0)
      await tx.update(products).set(stamps).where(eq(products.id, id));
  });
}

describe('a product’s canonical page', () => {
  test('has the slot’s own shape while the product is live', async () => {
    const { id, slotId } = await live(market, seller, admin);
    expect(await find(id)).toMatchObject({
      state: 'live',
      slot: { slot_id: slotId, product_id: id, slot_active: true, product_price: 65_000 },
    });
  });

  test('is not called missing when its listing ends between two reads', async () => {
    const { id } = await live(market, seller, admin);
    const { slug } = await productRow(market, id);
    const ctx = await market.ctx();
    let found: ReturnType<typeof publicProduct> | undefined;
    const waiting = () =>
      market.sql`select 1 from pg_locks where not granted and relation = 'slot_engagement'::regclass`;
    await market.db.transaction(async (tx) => {
      // Only the second read needs this table.
      await tx.execute(sql`lock table slot_engagement`);
      await endOf(tx, id, market.clock.now());
      found = publicProduct(ctx, slug);
      await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBe(1);
    });
    expect(await found).toMatchObject({ state: 'ended', name: { en: 'Samsung Galaxy A14' } });
  });

  test('reads expired from zero, before the next run frees the slot', async () => {
    const { id, endTime } = await live(market, seller, admin);
    market.clock.set(new Date(endTime.getTime() - 1));
    expect(await find(id)).toMatchObject({ state: 'live' });
    market.clock.set(endTime);
    expect(await find(id)).toMatchObject({ state: 'expired', slot: { product_id: id } });
  });

  test('of a paused listing says its name and slot, and nothing else of the product', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(slots)
      .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 })
      .where(eq(slots.id, slotId));
    const answer = await find(id);
    expect(answer).toMatchObject({ state: 'paused', slotId, name: { en: 'Samsung Galaxy A14' } });
    expect(Object.keys(answer ?? {}).sort()).toEqual(['name', 'shareCard', 'slotId', 'state']);
  });

  test('of a listing that ended keeps name, description and picture, and never shows who is in the slot now', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    const next = await approved(market, seller, admin, { name: { en: 'A sack of beans' } });
    market.clock.advance({ hours: 25 });
    await runQueue(market);
    const [slot] = await market.db.select().from(slots).where(eq(slots.id, slotId));
    expect(slot?.productId).toBe(next.id);
    const answer = await find(id);
    expect(answer).toMatchObject({
      state: 'ended',
      name: { en: 'Samsung Galaxy A14' },
      description: { en: 'Bought in March, with box and charger.' },
      image: { width: 120 },
    });
    expect(JSON.stringify(answer)).not.toContain('beans');
  });

  test('tells sold from withdrawn', async () => {
    const sold = await live(market, seller, admin);
    const withdrawn = await live(market, seller, admin);
    await leave(sold.id, { soldAt: market.clock.now() });
    await leave(withdrawn.id, { withdrawnAt: market.clock.now() });
    expect(await find(sold.id)).toMatchObject({ state: 'sold' });
    expect(await find(withdrawn.id)).toMatchObject({ state: 'withdrawn' });
  });

  test('of a product that was live and waits in the queue again says that it waits', async () => {
    const { id } = await live(market, seller, admin);
    await leave(id);
    await market.db.transaction(async (tx) => {
      const job = { ...market.job('relist'), db: tx };
      await openListing(asTx(job), await productRow(market, id));
      await enqueue(asTx(job), id, 'relisted');
    });
    expect(await find(id)).toMatchObject({ state: 'waiting' });
  });

  test('has no picture once the cleanup took the files', async () => {
    const { id } = await live(market, seller, admin);
    await leave(id, { imagesDeletedAt: market.clock.now() });
    expect(await find(id)).toMatchObject({ state: 'ended', image: null });
  });

  test('names the share card of each language by absolute addresses', async () => {
    const { id } = await live(market, seller, admin);
    const answer = await find(id);
    expect(answer?.shareCard.en).toMatch(
      new RegExp(`^http://market\\.test/media/cards/${id}-en-[0-9a-f]{12}\\.jpg$`),
    );
    expect(answer?.shareCard.fr).toMatch(new RegExp(`/${id}-fr-`));
  });

  test('never holds a number or the seller’s name', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const row = await productRow(market, id);
    const open = await market.request(`/api/market/products/${row.slug}`);
    await leave(id);
    const over = await market.request(`/api/market/products/${row.slug}`);
    for (const text of [await open.text(), await over.text()]) {
      expect(text).toContain('Samsung');
      expect(text).not.toContain(seller.whatsapp.slice(4));
      expect(text).not.toContain(seller.name);
    }
    expect(slotId).toBeGreaterThan(0);
  });
});

describe('a product is not found by the public', () => {
  const lost = async (id: string) => {
    expect(await find(id)).toBeUndefined();
    expect(
      (await market.request(`/api/market/products/${(await productRow(market, id)).slug}`)).status,
    ).toBe(404);
  };

  test('when it does not exist', async () => {
    const { status, body } = await market.call(
      `/api/market/products/nothing-${randomUUID().slice(0, 8)}`,
    );
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'products.notFound' });
  });

  test('while it waits for review', async () => lost((await submitted(market, seller)).id));
  test('while it waits for its first slot', async () =>
    lost((await approved(market, seller, admin)).id));

  test('when it was rejected', async () => {
    const { id } = await submitted(market, seller);
    await reject(await market.ctx(admin), id, 'No photo of the thing itself');
    await lost(id);
  });

  test('when it was removed', async () => {
    const { id } = await live(market, seller, admin);
    await leave(id, { removedAt: market.clock.now() });
    await lost(id);
  });

  test('when it left the queue without ever having been live', async () => {
    const { id } = await approved(market, seller, admin);
    await market.db.transaction(async (tx) => {
      await leaveLanes(asTx({ ...market.job('withdraw'), db: tx }), [id], 'withdrawn');
      await tx.update(products).set({ withdrawnAt: market.clock.now() }).where(eq(products.id, id));
      await endOf(tx, id, market.clock.now(), 'withdrawn');
    });
    await lost(id);
  });

  test('while its seller is suspended, also long after it ended', async () => {
    const person = await signUpSeller(market);
    const here = await live(market, person, admin);
    const gone = await live(market, person, admin);
    await leave(gone.id);
    await suspend(market, person);
    await lost(here.id);
    await lost(gone.id);
    await unsuspend(market, person);
    expect(await find(gone.id)).toMatchObject({ state: 'ended' });
  });

  test('when its status went back to pending', async () => {
    const { id } = await live(market, seller, admin);
    await leave(id);
    await market.db.transaction(async (tx) => {
      await tx
        .update(products)
        .set({ status: 'pending', approvedAt: null })
        .where(eq(products.id, id));
      await openListing(asTx({ ...market.job('edit'), db: tx }), await productRow(market, id));
    });
    await lost(id);
  });
});
