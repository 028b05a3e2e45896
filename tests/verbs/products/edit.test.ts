import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { edit } from '../../../api/products/edit.ts';
import { decideEdit } from '../../../api/products/review/decideEdit.ts';
import { reject } from '../../../api/products/review/reject.ts';
import type { Edit } from '../../../api/products/schema.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { publicSlot } from '../../../api/slots/reads.ts';
import { cleanAbandonedUploads } from '../../../api/uploads/cleanAbandonedUploads.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  draft,
  live,
  productRow,
  queueRows,
  runQueue,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

/** A seller edits a product (product R19). */
const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const mine = () => market.ctx(seller);
/** Product of each upload; null while it has none. */
const owners = async () =>
  Object.fromEntries(
    (await market.db.select().from(schema.uploads)).map((row) => [row.id, row.productId]),
  );
const photoOf = async (id: string) =>
  (await market.db.select().from(schema.uploads).where(eq(schema.uploads.productId, id)))[0]
    ?.id as string;

async function ended(): Promise<string> {
  const { id, endTime } = await live(market, seller, admin);
  market.clock.set(endTime);
  await runQueue(market);
  return id;
}

describe('a change of an own product', () => {
  const changes = (images: string[], overrides: Partial<Edit> = {}): Edit => {
    const { durationHours: _h, listingType: _t, paymentMethod: _p, ...rest } = draft({ images });
    return {
      ...rest,
      name: { en: 'A better name' },
      price: 50_000,
      sellerLocation: 'Kribi, South',
      ...overrides,
    };
  };

  test('that is listed waits for review while the old version stays up', async () => {
    const { id, slotId } = await live(market, seller, admin);
    expect(await edit(await mine(), id, changes([await photoOf(id)]))).toEqual({
      id,
      outcome: 'waiting',
    });
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      product_name: { en: 'Samsung Galaxy A14' },
      product_price: 65_000,
    });
    await decideEdit(await market.ctx(admin), id, 'approve');
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      product_id: id,
      product_name: { en: 'A better name' },
      product_price: 50_000,
      product_city: 'Kribi',
    });
    expect(await market.db.select().from(schema.auditLog)).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: 'product.edit.approve' })]),
    );
  });

  test('that is refused leaves the old version as it was', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await edit(await mine(), id, changes([await photoOf(id)]));
    await decideEdit(await market.ctx(admin), id, 'reject');
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({
      product_name: { en: 'Samsung Galaxy A14' },
    });
    await refused(decideEdit(await market.ctx(admin), id, 'approve'), 'products.changeGone');
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
    expect(await edit(await mine(), id, changes([await photoOf(id)]))).toEqual({
      id,
      outcome: 'resubmitted',
    });
    expect(await productRow(market, id)).toMatchObject({
      status: 'pending',
      rejectedAt: null,
      rejectedReason: null,
      name: { en: 'A better name' },
    });
  });

  test('of an ended one sends it to review again and owes the fee again', async () => {
    const id = await ended();
    const { listing } = await productRow(market, id);
    await edit(await mine(), id, changes([await photoOf(id)]));
    const row = await productRow(market, id);
    expect(row).toMatchObject({
      status: 'pending',
      approvedAt: null,
      listing: { endedAt: null, feeState: 'due' },
    });
    expect(row.listing?.feeReference).not.toBe(listing?.feeReference);
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
    for (const end of [
      async () => decideEdit(await market.ctx(admin), one.id, 'reject'),
      async () => withdraw(await mine(), one.id),
    ]) {
      const fresh = await uploadPhoto(market, seller);
      await edit(await mine(), one.id, changes([fresh, kept]));
      await end();
      expect(await owners()).toMatchObject({ [fresh]: null, [kept]: one.id });
    }
  });

  test('takes no photo of somebody else or of another product', async () => {
    const { id } = await submitted(market, seller);
    const another = await submitted(market, seller);
    for (const photo of [
      await uploadPhoto(market, otherSeller),
      await photoOf(another.id),
      randomUUID(),
    ]) {
      await refused(edit(await mine(), id, changes([photo])), 'uploads.notFound');
    }
    expect((await productRow(market, id)).name).toEqual({
      en: 'Samsung Galaxy A14',
      fr: 'Samsung Galaxy A14, comme neuf',
    });
  });

  test('changes neither seller, status, duration nor lane', async () => {
    const { id } = await submitted(market, seller, { listingType: 'featured' });
    await edit(await mine(), id, {
      ...changes([await photoOf(id)]),
      status: 'approved',
      listingType: 'standard',
      durationSeconds: 1,
    } as never);
    expect(await productRow(market, id)).toMatchObject({
      status: 'pending',
      listingType: 'featured',
      durationSeconds: 259_200,
      sellerId: seller.sellerId,
    });
  });
});

describe('nobody touches', () => {
  test('a waiting change but an admin', async () => {
    const { id } = await live(market, seller, admin);
    await refused(decideEdit(await mine(), id, 'approve'), 'forbidden');
  });
});
