import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { slotCount } from '../../../api/shared/slots.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { homepageProducts, publicSlot } from '../../../api/slots/reads.ts';
import { schema } from '../../../db/client.ts';
import { actors, type Person, signUpSeller, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, productRow, queueRows, runQueue, slotOf } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, slots, slotEngagement, outbox } = schema;
const mailKinds = async () => (await market.db.select().from(outbox)).map((row) => row.kind).sort();
const featured = { listingType: 'featured' } as const;
const many = async (
  n: number,
  overrides: Parameters<typeof approved>[3] = {},
  person: Person = seller,
) => {
  const ids: string[] = [];
  for (let i = 0; i < n; i++) ids.push((await approved(market, person, admin, overrides)).id);
  return ids;
};

describe('process-queue fills', () => {
  test('1-10 from the featured lane and 11-54 from the regular one, each in its order', async () => {
    const [f1, f2] = await many(2, featured);
    const [r1, r2] = await many(2);
    expect(await runQueue(market)).toEqual({
      processedCount: 4,
      availableSlots: 50,
      endedCount: 0,
      assigned: [
        { slotId: 1, productId: f1 },
        { slotId: 2, productId: f2 },
        { slotId: 11, productId: r1 },
        { slotId: 12, productId: r2 },
      ],
    });
    expect(await queueRows(market)).toEqual([]);
  });

  test('what was submitted before the clock was set back', async () => {
    const [id] = await many(1);
    market.clock.advance({ hours: -1 });
    expect((await runQueue(market)).assigned).toEqual([{ slotId: 11, productId: id }]);
    market.clock.advance({ hours: -1 });
    await suspend(market, seller);
    await unsuspend(market, seller);
    expect((await slotOf(market, id as string))?.id).toBe(11);
  });

  test('no more than ten premium slots, and leaves the eleventh featured product waiting', async () => {
    const ids = await many(12, featured);
    expect((await runQueue(market)).processedCount).toBe(10);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual(ids.slice(10));
    expect((await slotOf(market, ids[9] as string))?.id).toBe(10);
  });

  test('a preferred slot first, and another premium one when it is taken', async () => {
    const preferring = { ...featured, preferredFeaturedSlot: 7 };
    const first = await live(market, seller, admin, preferring);
    const second = await live(market, seller, admin, preferring);
    expect([first.slotId, second.slotId]).toEqual([7, 1]);
  });

  test('for the duration that the seller chose', async () => {
    for (const durationHours of [24, 48, 72, 96, 120]) {
      const { endTime } = await live(market, seller, admin, { durationHours });
      expect(endTime.getTime() - market.clock.now().getTime()).toBe(durationHours * 3_600_000);
    }
  });

  test('for six hours when a product has no duration', async () => {
    const { id } = await approved(market, seller, admin);
    await market.db.update(products).set({ durationSeconds: null }).where(eq(products.id, id));
    await runQueue(market);
    const slot = await slotOf(market, id);
    expect(slot?.endTime).toEqual(new Date(market.clock.now().getTime() + 6 * 3_600_000));
  });

  test('from the moment of the run, which it stamps on slot and product', async () => {
    const { id } = await approved(market, seller, admin);
    market.clock.advance({ hours: 5 });
    await runQueue(market);
    expect(await slotOf(market, id)).toMatchObject({ active: true, startTime: market.clock.now() });
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      listing: { startedAt: market.clock.now(), endedAt: null },
    });
  });

  test('counting engagement from zero again (product R9)', async () => {
    const before = await live(market, seller, admin);
    await market.db
      .update(slotEngagement)
      .set({ views: 9, clicks: 8, messageTaps: 7, shares: 6 })
      .where(eq(slotEngagement.slotId, before.slotId));
    market.clock.set(before.endTime);
    const { slotId } = await live(market, seller, admin);
    expect(slotId).toBe(before.slotId);
    const [row] = await market.db
      .select()
      .from(slotEngagement)
      .where(eq(slotEngagement.slotId, slotId));
    expect(row).toMatchObject({ views: 0, clicks: 0, messageTaps: 0, shares: 0 });
  });

  test('and tells each seller in the own language when and where it is live', async () => {
    const english = await approved(market, seller, admin);
    const french = await approved(market, otherSeller, admin, { durationHours: 24 });
    market.clock.advance({ minutes: 5 });
    await runQueue(market);
    const mail = await market.mails.lastTo(seller.email);
    expect(mail.subject).toBe('“Samsung Galaxy A14” is live in slot #11');
    expect(mail.text).toContain('until Thursday');
    expect(mail.text).toContain(
      `http://market.test/en/shop/11/${(await productRow(market, english.id)).slug}`,
    );
    const autre = await market.mails.lastTo(otherSeller.email);
    expect(plain(autre.subject)).toBe(
      '« Samsung Galaxy A14, comme neuf » est en ligne à l’emplacement #12',
    );
    expect(plain(autre.text)).toMatch(/jusqu’au mardi 24 novembre.*09:05/);
    expect(autre.text).toContain(
      `http://market.test/fr/shop/12/${(await productRow(market, french.id)).slug}`,
    );
  });

  test('a product without a seller too, and tells nobody', async () => {
    const { id } = await approved(market, seller, admin);
    await market.db.update(products).set({ sellerId: null }).where(eq(products.id, id));
    await market.db.delete(outbox);
    expect((await runQueue(market)).processedCount).toBe(1);
    expect(await mailKinds()).toEqual([]);
  });
});

describe('process-queue frees', () => {
  test('a slot at its very end and not a millisecond before', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin);
    market.clock.set(new Date(endTime.getTime() - 1));
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    expect((await slotOf(market, id))?.id).toBe(slotId);
    market.clock.set(endTime);
    expect(await runQueue(market)).toMatchObject({
      endedCount: 1,
      processedCount: 0,
      availableSlots: slotCount,
    });
    expect(await slotOf(market, id)).toBeUndefined();
  });

  test('ending the listing in the same transaction; the product does not come back by itself', async () => {
    const { id, endTime } = await live(market, seller, admin);
    market.clock.set(endTime);
    await runQueue(market);
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      listing: { endedAt: market.clock.now() },
    });
    market.clock.advance({ days: 1 });
    expect(await runQueue(market)).toMatchObject({ endedCount: 0, processedCount: 0 });
    expect(await queueRows(market)).toEqual([]);
  });

  test('before it fills, so that the next one gets the place in the same run', async () => {
    const ids = await many(10, { ...featured, durationHours: 24 });
    await runQueue(market);
    const [next] = await many(1, featured);
    market.clock.advance({ hours: 24 });
    expect(await runQueue(market)).toMatchObject({
      endedCount: 10,
      processedCount: 1,
      assigned: [{ slotId: 1, productId: next }],
    });
    expect(await slotOf(market, ids[0] as string)).toBeUndefined();
  });

  test('and tells the seller that time is up', async () => {
    const { endTime } = await live(market, seller, admin);
    market.clock.set(endTime);
    await runQueue(market);
    const mail = await market.mails.lastTo(seller.email);
    expect(mail.subject).toBe('The listing of “Samsung Galaxy A14” has ended');
    expect(mail.text).toContain('slot #11');
  });

  test('no paused slot, however late it is (product R7)', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(slots)
      .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 3600 })
      .where(eq(slots.id, slotId));
    market.clock.advance({ days: 365 });
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
    expect((await slotOf(market, id))?.id).toBe(slotId);
  });
});

describe('a suspended seller’s waiting products', () => {
  test('are passed over and keep their place', async () => {
    const person = await signUpSeller(market);
    const [first] = await many(1, {}, person);
    const [second] = await many(1);
    await suspend(market, person);
    expect((await runQueue(market)).assigned).toEqual([{ slotId: 11, productId: second }]);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([first]);
    const [third] = await many(1);
    await unsuspend(market, person);
    expect((await runQueue(market)).assigned).toEqual([
      { slotId: 12, productId: first },
      { slotId: 13, productId: third },
    ]);
  });

  test('do not keep others from a slot when there are many of them', async () => {
    const person = await signUpSeller(market);
    await many(12, featured, person);
    const [behind] = await many(1, featured);
    await suspend(market, person);
    expect((await runQueue(market)).assigned).toEqual([{ slotId: 1, productId: behind }]);
  });
});

describe('running process-queue again', () => {
  test('changes nothing', async () => {
    await many(3);
    await runQueue(market);
    const before = await market.db.select().from(slots);
    expect(await runQueue(market)).toEqual({
      processedCount: 0,
      availableSlots: 51,
      endedCount: 0,
      assigned: [],
    });
    expect(await market.db.select().from(slots)).toEqual(before);
  });

  test('on two pools at once doubles nothing', async () => {
    const ids = [...(await many(6, featured)), ...(await many(6))];
    const pools = [
      market.database.another({ max: 2 }),
      market.database.another({ max: 2 }),
      market.database.another({ max: 2 }),
      market.database.another({ max: 2 }),
    ];
    const runs = await Promise.all(
      pools.map((pool) => processQueue(market.job('process-queue', pool.db))),
    );
    expect(runs.reduce((sum, run) => sum + run.processedCount, 0)).toBe(12);
    const active = await market.db.select().from(slots).where(eq(slots.active, true));
    expect(active.map((slot) => slot.productId).sort()).toEqual([...ids].sort());
    expect((await mailKinds()).filter((kind) => kind === 'productLive')).toHaveLength(12);
  });

  test('on two pools at the moment of the end frees each slot once and tells each seller once', async () => {
    await many(5);
    await runQueue(market);
    market.clock.advance({ hours: 72 });
    const pools = [market.database.another({ max: 2 }), market.database.another({ max: 2 })];
    const runs = await Promise.all(
      pools.map((pool) => processQueue(market.job('process-queue', pool.db))),
    );
    expect(runs.map((run) => run.endedCount).sort()).toEqual([0, 5]);
    expect((await mailKinds()).filter((kind) => kind === 'listingEnded')).toHaveLength(5);
  });

  test('while products are approved loses none of them', async () => {
    const ids = await many(4);
    const [more] = await Promise.all([many(4), runQueue(market), runQueue(market)]);
    await runQueue(market);
    const active = await market.db.select().from(slots).where(eq(slots.active, true));
    expect(active.map((slot) => slot.productId).sort()).toEqual([...ids, ...more].sort());
  });
});

describe('process-queue may be run', () => {
  test('by an admin, who leaves a line in the audit log, and by the job, which does not', async () => {
    await runQueue(market);
    await processQueue(await market.ctx(admin));
    expect(await market.db.select().from(schema.auditLog)).toMatchObject([
      {
        action: 'queue.process',
        actorId: admin.userId,
        after: { processedCount: 0, availableSlots: slotCount, endedCount: 0 },
      },
    ]);
  });

  test('by nobody else', async () => {
    await refused(processQueue(await market.ctx()), 'signInRequired');
    for (const person of [member, seller])
      await refused(processQueue(await market.ctx(person)), 'forbidden');
  });
});

describe('what the public sees of the slots', () => {
  test('is the same from inside a transaction, whose own changes it sees', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const ctx = await market.ctx();
    const outside = await homepageProducts(ctx);
    const shown = outside[slotId - 1];
    expect(shown).toMatchObject({
      product_id: id,
      start_time: expect.stringMatching(/Z$/),
      end_time: expect.stringMatching(/Z$/),
    });
    await ctx.db.transaction(async (tx) => {
      const inside = { ...ctx, db: tx };
      expect(await homepageProducts(inside)).toEqual(outside);
      expect(await publicSlot(inside, slotId)).toEqual(shown);
      await tx.update(products).set({ price: 77 }).where(eq(products.id, id));
      expect(await publicSlot(inside, slotId)).toMatchObject({ product_price: 77 });
      expect(await publicSlot(ctx, slotId)).toMatchObject({ product_price: 65_000 });
    });
  });

  test('is 54 rows in order, empty ones without any product field', async () => {
    const rows = await homepageProducts(await market.ctx());
    expect(rows.map((row) => row.slot_id)).toEqual(
      Array.from({ length: slotCount }, (_, n) => n + 1),
    );
    expect(rows.filter((row) => row.premium).map((row) => row.slot_id)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(rows[20]).toMatchObject({
      slot_active: false,
      product_id: null,
      product_name: null,
      product_images: [],
      product_price: null,
      end_time: null,
      engagement: null,
    });
  });

  test('is the product of a live slot in both languages', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin, { businessName: 'Chez Ngo' });
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      slot_active: true,
      paused: false,
      product_id: id,
      product_name: { en: 'Samsung Galaxy A14', fr: 'Samsung Galaxy A14, comme neuf' },
      product_price: 65_000,
      product_city: 'Douala',
      product_region: 'Littoral',
      business_name: 'Chez Ngo',
      end_time: endTime.toISOString(),
      seller_verified: null,
      product_status: 'approved',
    });
  });

  test('is still there as expired from zero until the next run (product R3)', async () => {
    const { slotId, endTime } = await live(market, seller, admin);
    market.clock.set(endTime);
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      slot_active: true,
      end_time: endTime.toISOString(),
    });
    await runQueue(market);
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({ slot_active: false });
  });

  test('is nothing of a paused slot but that it is paused (product R7)', async () => {
    const { slotId } = await live(market, seller, admin);
    await market.db
      .update(slots)
      .set({
        pausedAt: market.clock.now(),
        pausedBy: 'admin',
        remainingDuration: 60,
        endTime: new Date('2126-01-01'),
      })
      .where(eq(slots.id, slotId));
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      slot_active: false,
      paused: true,
      product_id: null,
      product_name: null,
      end_time: null,
    });
  });

  test('is the badge of a verified seller and who proved it (product R21)', async () => {
    const { slotId } = await live(market, otherSeller, admin);
    await market.db
      .update(schema.sellers)
      .set({
        verified: true,
        verifiedBy: 'admin',
        verifiedAt: market.clock.now(),
        verifiedWhatsapp: otherSeller.whatsapp,
      })
      .where(eq(schema.sellers.id, otherSeller.sellerId as string));
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      seller_verified: 'admin',
    });
  });

  test('is nothing for numbers that are no slot', async () => {
    for (const slotId of [0, 55, -1, 1.5, Number.NaN])
      expect(await publicSlot(await market.ctx(), slotId)).toBeUndefined();
  });
});
