import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { relist } from '../../../api/products/relist.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import type { SlotEdit } from '../../../api/slots/schema.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { live, productRow, runQueue, submitted } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { slotActions } from '../../support/slots.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { ofAdmin, inHours, lastAudit, slotRow } = slotActions(market, { admin });

describe('an edit', () => {
  const edit = async (slotId: number, input: Partial<SlotEdit> & { productId: string }) =>
    editSlot(await ofAdmin(), slotId, { durationHours: 48, ...input });

  test('sets the end to now plus the duration, on every save', async () => {
    const { id, slotId } = await live(market, seller, admin);
    for (const durationHours of [48, 48, 120] as const) {
      market.clock.advance({ hours: 5 });
      expect(await edit(slotId, { productId: id, durationHours })).toEqual({
        slotId,
        endTime: inHours(durationHours).toISOString(),
        remainingSeconds: null,
      });
      expect(await slotRow(slotId)).toMatchObject({
        endTime: inHours(durationHours),
        pausedAt: null,
      });
    }
  });

  test('leaves the duration that the seller chose, and what this and the next listing cost, as they are', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    const { listing } = await productRow(market, id);
    await edit(slotId, { productId: id, durationHours: 120 });
    expect(await productRow(market, id)).toMatchObject({ durationSeconds: 24 * 3600, listing });
    market.clock.set(inHours(120));
    await runQueue(market);
    await relist(await market.ctx(seller), id);
    expect((await productRow(market, id)).listing).toMatchObject({ number: 2, fee: 1000 });
  });

  test('writes the product’s fields and leaves alone what is left out', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const before = await productRow(market, id);
    market.clock.advance({ minutes: 1 });
    await edit(slotId, { productId: id });
    expect(await productRow(market, id)).toEqual({ ...before, updatedAt: market.clock.now() });
    await edit(slotId, {
      productId: id,
      name: { en: 'Galaxy A15' },
      description: { en: 'A better description', fr: 'Une meilleure description' },
      price: 70_000,
      sellerLocation: 'Yaoundé, Centre',
      businessName: 'Chez Ngo',
    });
    expect(await productRow(market, id)).toMatchObject({
      name: { en: 'Galaxy A15' },
      description: { en: 'A better description', fr: 'Une meilleure description' },
      price: 70_000,
      city: 'Yaoundé',
      region: 'Centre',
      sellerLocation: 'Yaoundé, Centre',
      businessName: 'Chez Ngo',
      images: before.images,
      status: 'approved',
    });
    await edit(slotId, { productId: id, businessName: null, sellerLocation: 'Yaoundé' });
    expect(await productRow(market, id)).toMatchObject({
      businessName: null,
      sellerLocation: 'Yaoundé',
      city: 'Yaoundé',
      region: '',
    });
  });

  test('takes every place that a seller may write, and reads it as the seller’s own form does', async () => {
    for (const sellerLocation of [
      'Kribi',
      'Mfoundi, Yaoundé, Centre',
      'x'.repeat(100),
      `${'x'.repeat(90)}, Ouest`,
    ]) {
      await market.reset();
      const { city, region } = await productRow(
        market,
        (await submitted(market, seller, { sellerLocation })).id,
      );
      const { id, slotId } = await live(market, seller, admin);
      const json = { productId: id, durationHours: 48, sellerLocation };
      expect(
        (await market.call(`/api/admin/slots/${slotId}`, { method: 'PUT', json, as: admin }))
          .status,
      ).toBe(200);
      expect(await productRow(market, id)).toMatchObject({ city, region, sellerLocation });
    }
  });

  test('writes the featured flag only if it changed, and audits only what changed', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const { name } = await productRow(market, id);
    await edit(slotId, {
      productId: id,
      durationHours: 72,
      isFeatured: false,
      name: name as { en: string },
      price: 65_000,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.edit',
      subjectId: String(slotId),
      before: { productId: id, endTime: inHours(72).toISOString(), product: {} },
      after: { productId: id, endTime: inHours(72).toISOString(), product: {} },
    });
    expect((await lastAudit())?.after).not.toHaveProperty('isFeatured');
    await edit(slotId, { productId: id, isFeatured: true, price: 1000 });
    expect((await slotRow(slotId))?.isFeatured).toBe(true);
    expect(await lastAudit()).toMatchObject({
      before: { isFeatured: false, product: { price: 65_000 } },
      after: { isFeatured: true, product: { price: 1000 } },
    });
  });

  test('leaves a paused slot paused, with the chosen time as what it has left (product R7)', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await pauseSlot(await ofAdmin(), slotId, id);
    const { pausedAt, endTime } = (await slotRow(slotId)) ?? {};
    market.clock.advance({ hours: 9 });
    expect(await edit(slotId, { productId: id, durationHours: 24 })).toEqual({
      slotId,
      endTime: null,
      remainingSeconds: 24 * 3600,
    });
    expect(await slotRow(slotId)).toMatchObject({
      pausedAt,
      endTime,
      pausedBy: 'admin',
      remainingDuration: 24 * 3600,
    });
    expect(await resumeSlot(await ofAdmin(), slotId, id)).toEqual({
      slotId,
      endTime: inHours(24).toISOString(),
    });
  });

  test('refuses an empty slot, another product, a slot that is none, and a version that nobody saw', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await refused(edit(slotId + 1, { productId: id }), 'slots.empty');
    await refused(edit(slotId, { productId: randomUUID() }), 'slots.changed');
    await refused(edit(99, { productId: id }), 'slots.notFound');
    const seen = (await productRow(market, id)).updatedAt.toISOString();
    market.clock.advance({ minutes: 1 });
    await edit(slotId, { productId: id, seen });
    await refused(edit(slotId, { productId: id, seen, price: 1 }), 'products.changed');
  });
});
