import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { reject } from '../../api/products/approve.ts';
import { decideEdit, edit } from '../../api/products/edit.ts';
import { ownProducts } from '../../api/products/reads.ts';
import { relist } from '../../api/products/relist.ts';
import type { Edit } from '../../api/products/schema.ts';
import { markSold, withdraw } from '../../api/products/withdraw.ts';
import { publicSlot } from '../../api/slots/reads.ts';
import { cleanAbandonedUploads } from '../../api/uploads/receive.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, draft, live, productRow, queueRows, runQueue, slotOf, submitted, uploadPhoto } from '../support/products.ts';
import { collide } from '../support/race.ts';
import { outcomesOf, refused } from '../support/refusals.ts';

/** What a seller does with an own product after it was submitted (product R1, R2, R19). */
const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const mine = () => market.ctx(seller);
const labelOf = async (id: string) => (await ownProducts(await mine())).find((product) => product.id === id)?.label;
/** Whose each photo is: its product's, or nobody's. */
const owners = async () => Object.fromEntries((await market.db.select().from(schema.uploads)).map((row) => [row.id, row.productId]));
const photoOf = async (id: string) => (await market.db.select().from(schema.uploads).where(eq(schema.uploads.productId, id)))[0]?.id as string;

async function ended(): Promise<string> {
  const { id, endTime } = await live(market, seller, admin);
  market.clock.set(endTime);
  await runQueue(market);
  return id;
}

describe('a seller withdraws', () => {
  test('a product that waits for review', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({ status: 'pending', withdrawnAt: market.clock.now(), listingEndedAt: null });
    expect(await labelOf(id)).toBe('withdrawn');
  });

  test('one that waits in its queue, which closes up', async () => {
    const { id } = await approved(market, seller, admin);
    const other = await approved(market, otherSeller, admin);
    await withdraw(await mine(), id);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([other.id]);
    expect(await productRow(market, id)).toMatchObject({ status: 'approved', withdrawnAt: market.clock.now(), listingEndedAt: market.clock.now() });
  });

  test('one that is live, whose slot is free for the next at once', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await withdraw(await mine(), id);
    expect(await slotOf(market, id)).toBeUndefined();
    expect((await live(market, otherSeller, admin)).slotId).toBe(slotId);
  });

  test('one that is paused too', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db.update(schema.slots).set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 }).where(eq(schema.slots.id, slotId));
    await withdraw(await mine(), id);
    expect((await market.db.select().from(schema.slots).where(eq(schema.slots.id, slotId)))[0]).toMatchObject({
      active: false,
      pausedAt: null,
      pausedBy: null,
    });
  });

  test('nothing that is over: withdrawn, ended, rejected', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    await refused(withdraw(await mine(), id), 'products.notLive');
    await refused(withdraw(await mine(), await ended()), 'products.notLive');
    const no = await submitted(market, seller);
    await reject(await market.ctx(admin), no.id, 'No');
    await refused(withdraw(await mine(), no.id), 'products.notLive');
  });
});

describe('a seller marks as sold', () => {
  test('a live product: its listing ends, its slot is free, its counters are zero', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db.update(schema.slotEngagement).set({ views: 5 }).where(eq(schema.slotEngagement.slotId, slotId));
    await markSold(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({ soldAt: market.clock.now(), listingEndedAt: market.clock.now() });
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({ slot_active: false });
    expect((await market.db.select().from(schema.slotEngagement).where(eq(schema.slotEngagement.slotId, slotId)))[0]?.views).toBe(0);
    expect(await labelOf(id)).toBe('sold');
  });

  test('one whose time was up, without moving that time', async () => {
    const id = await ended();
    const { listingEndedAt } = await productRow(market, id);
    market.clock.advance({ hours: 1 });
    await markSold(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({ soldAt: market.clock.now(), listingEndedAt });
  });

  test('nothing before its approval and nothing twice', async () => {
    const { id } = await submitted(market, seller);
    await refused(markSold(await mine(), id), 'products.notLive');
    const there = await live(market, seller, admin);
    await markSold(await mine(), there.id);
    await refused(markSold(await mine(), there.id), 'products.notLive');
  });
});

describe('a seller lists again', () => {
  test('an ended product: without a review, straight into its queue, and the fee is due again', async () => {
    const id = await ended();
    const before = await productRow(market, id);
    await market.db.update(schema.products).set({ feeState: 'paid' }).where(eq(schema.products.id, id));
    market.clock.advance({ days: 1 });
    expect(await relist(await mine(), id)).toEqual({ id, status: 'approved' });
    const after = await productRow(market, id);
    expect(after).toMatchObject({ status: 'approved', approvedAt: market.clock.now(), listingEndedAt: null, soldAt: null, listingFee: 3000, feeState: 'due' });
    expect(after.feeReference).not.toBe(before.feeReference);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    await runQueue(market);
    expect((await slotOf(market, id))?.active).toBe(true);
  });

  test('a withdrawn or sold one', async () => {
    const { id } = await live(market, seller, admin);
    await withdraw(await mine(), id);
    await relist(await mine(), id);
    expect(await labelOf(id)).toBe('queued');
    await markSold(await mine(), id);
    await relist(await mine(), id);
    expect(await labelOf(id)).toBe('queued');
  });

  test('one that was withdrawn before its review: back to review', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    expect(await relist(await mine(), id)).toEqual({ id, status: 'pending' });
    expect(await queueRows(market)).toEqual([]);
  });

  test('nothing that is listed, waits for review, was rejected, or has lost its photos', async () => {
    await refused(relist(await mine(), (await live(market, seller, admin)).id), 'products.notRelistable');
    await refused(relist(await mine(), (await approved(market, seller, admin)).id), 'products.notRelistable');
    await refused(relist(await mine(), (await submitted(market, seller)).id), 'products.notRelistable');
    const no = await submitted(market, seller);
    await reject(await market.ctx(admin), no.id, 'No');
    await refused(relist(await mine(), no.id), 'products.notRelistable');
    const id = await ended();
    await market.db.update(schema.products).set({ images: [] }).where(eq(schema.products.id, id));
    await refused(relist(await mine(), id), 'products.notRelistable');
  });

  test('once, however often the button is pressed', async () => {
    const id = await ended();
    const ctx = await mine();
    const ends = await collide(
      market.sql,
      `select from products where id = '${id}' for update`,
      [1, 2, 3].map(() => () => relist(ctx, id)),
    );
    expect(outcomesOf(ends)).toEqual(['kept', 'products.notRelistable', 'products.notRelistable']);
    expect(await queueRows(market)).toHaveLength(1);
  });
});

describe('a change of an own product', () => {
  const changes = (images: string[], overrides: Partial<Edit> = {}): Edit => {
    const { durationHours: _h, listingType: _t, paymentMethod: _p, ...rest } = draft({ images });
    return { ...rest, name: { en: 'A better name' }, price: 50_000, sellerLocation: 'Kribi, South', ...overrides };
  };

  test('that is listed waits for review while the old version stays up', async () => {
    const { id, slotId } = await live(market, seller, admin);
    expect(await edit(await mine(), id, changes([await photoOf(id)]))).toEqual({ id, outcome: 'waiting' });
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({ product_name: { en: 'Samsung Galaxy A14' }, product_price: 65_000 });
    await decideEdit(await market.ctx(admin), id, 'approve');
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      product_id: id,
      product_name: { en: 'A better name' },
      product_price: 50_000,
      product_city: 'Kribi',
    });
    expect(await market.db.select().from(schema.auditLog)).toEqual(expect.arrayContaining([expect.objectContaining({ action: 'product.edit.approve' })]));
  });

  test('that is refused leaves the old version as it was', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await edit(await mine(), id, changes([await photoOf(id)]));
    await decideEdit(await market.ctx(admin), id, 'reject');
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({ product_name: { en: 'Samsung Galaxy A14' } });
    await refused(decideEdit(await market.ctx(admin), id, 'approve'), 'products.notFound');
  });

  test('sent twice is the newer one', async () => {
    const { id } = await live(market, seller, admin);
    await edit(await mine(), id, changes([await photoOf(id)], { price: 40_000 }));
    await edit(await mine(), id, changes([await photoOf(id)], { price: 30_000 }));
    await decideEdit(await market.ctx(admin), id, 'approve');
    expect((await productRow(market, id)).price).toBe(30_000);
  });

  test('corrects a rejected one, which waits for review again', async () => {
    const { id } = await submitted(market, seller);
    await reject(await market.ctx(admin), id, 'No');
    expect(await edit(await mine(), id, changes([await photoOf(id)]))).toEqual({ id, outcome: 'resubmitted' });
    expect(await productRow(market, id)).toMatchObject({ status: 'pending', rejectedAt: null, rejectedReason: null, name: { en: 'A better name' } });
  });

  test('of an ended one sends it to review again and owes the fee again', async () => {
    const id = await ended();
    const { feeReference } = await productRow(market, id);
    await edit(await mine(), id, changes([await photoOf(id)]));
    const row = await productRow(market, id);
    expect(row).toMatchObject({ status: 'pending', approvedAt: null, listingEndedAt: null, feeState: 'due' });
    expect(row.feeReference).not.toBe(feeReference);
    expect(await queueRows(market)).toEqual([]);
  });

  test('may bring a new photo, which no cleaning takes while the change waits', async () => {
    const { id } = await live(market, seller, admin);
    const photo = await uploadPhoto(market, seller);
    await edit(await mine(), id, changes([photo, await photoOf(id)]));
    market.clock.advance({ hours: 25 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(0);
    await decideEdit(await market.ctx(admin), id, 'approve');
    expect((await productRow(market, id)).images).toHaveLength(2);
  });

  test('that is approved lets go of the photos it no longer shows, and of no others', async () => {
    const { id } = await live(market, seller, admin);
    const [old, fresh] = [await photoOf(id), await uploadPhoto(market, seller)];
    await edit(await mine(), id, changes([fresh]));
    await decideEdit(await market.ctx(admin), id, 'approve');
    expect(await owners()).toEqual({ [old]: null, [fresh]: id });
    market.clock.advance({ hours: 25 });
    expect(await cleanAbandonedUploads(market.job('clean-abandoned-uploads'))).toBe(1);
    expect(market.storage.files.size).toBe(1);
  });

  test('that is refused, or taken back with its product, lets go of the photos it brought', async () => {
    const one = await live(market, seller, admin);
    const kept = await photoOf(one.id);
    for (const end of [async () => decideEdit(await market.ctx(admin), one.id, 'reject'), async () => withdraw(await mine(), one.id)]) {
      const fresh = await uploadPhoto(market, seller);
      await edit(await mine(), one.id, changes([fresh, kept]));
      await end();
      expect(await owners()).toMatchObject({ [fresh]: null, [kept]: one.id });
    }
  });

  test('takes no photo of somebody else or of another product', async () => {
    const { id } = await submitted(market, seller);
    const another = await submitted(market, seller);
    for (const photo of [await uploadPhoto(market, otherSeller), await photoOf(another.id), randomUUID()]) {
      await refused(edit(await mine(), id, changes([photo])), 'uploads.notFound');
    }
    expect((await productRow(market, id)).name).toEqual({ en: 'Samsung Galaxy A14', fr: 'Samsung Galaxy A14, comme neuf' });
  });

  test('changes neither seller, status, duration nor lane', async () => {
    const { id } = await submitted(market, seller, { listingType: 'featured' });
    await edit(await mine(), id, { ...changes([await photoOf(id)]), status: 'approved', listingType: 'standard', durationSeconds: 1 } as never);
    expect(await productRow(market, id)).toMatchObject({ status: 'pending', listingType: 'featured', durationSeconds: 259_200, sellerId: seller.sellerId });
  });
});

describe('nobody touches', () => {
  test('a product of another seller: it is not found, whoever asks', async () => {
    const { id } = await live(market, otherSeller, admin);
    for (const verb of [withdraw, markSold, relist]) await refused(verb(await mine(), id), 'products.notFound');
    await refused(withdraw(await mine(), randomUUID()), 'products.notFound');
    expect((await slotOf(market, id))?.active).toBe(true);
  });

  test('a product that an admin removed', async () => {
    const { id } = await submitted(market, seller);
    await market.db.update(schema.products).set({ removedAt: market.clock.now() }).where(eq(schema.products.id, id));
    for (const verb of [withdraw, markSold, relist]) await refused(verb(await mine(), id), 'products.notFound');
  });

  test('any product as a visitor, member or suspended seller', async () => {
    const { id } = await live(market, seller, admin);
    for (const verb of [withdraw, markSold, relist]) {
      await refused(verb(await market.ctx(), id), 'signInRequired');
      await refused(verb(await market.ctx(member), id), 'sellers.profileMissing');
      await refused(verb(await market.ctx(suspendedSeller), id), 'sellers.suspended');
    }
  });

  test('a waiting change but an admin', async () => {
    const { id } = await live(market, seller, admin);
    await refused(decideEdit(await mine(), id, 'approve'), 'forbidden');
  });
});
