import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordEvent } from '../../../api/engagement/record.ts';
import { rollUpEngagement } from '../../../api/engagement/rollup.ts';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { adminSlots } from '../../../api/slots/admin.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, productRow } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';
import { slotActions } from '../../support/slots.ts';

const market = await testApp();
const { member, seller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { ofAdmin, inHours, listed } = slotActions(market, { admin });

describe('the list', () => {
  test('has all 54 slots by id, empty ones too, with what only admins see', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const list = await adminSlots(await ofAdmin());
    expect(list.map((slot) => slot.id)).toEqual(Array.from({ length: slotCount }, (_, n) => n + 1));
    expect(list.filter((slot) => slot.premium)).toHaveLength(premiumCount);
    expect(list[0]).toMatchObject({
      state: 'empty',
      product: null,
      endTime: null,
      secondsLeft: null,
      remainingSeconds: null,
    });
    market.clock.advance({ hours: 1 });
    expect(await listed(slotId)).toMatchObject({
      state: 'live',
      secondsLeft: 71 * 3600,
      product: {
        id,
        sellerName: seller.name,
        sellerWhatsapp: seller.whatsapp,
        sellerId: seller.sellerId,
        status: 'approved',
        durationSeconds: 72 * 3600,
      },
    });
  });

  test('counts engagement that is not rolled up yet, and none of an earlier assignment', async () => {
    const { id, slotId } = await live(market, seller, admin);
    for (const type of ['view', 'click', 'share'] as const)
      await recordEvent(await market.ctx(), { type, slotId, productId: id }, randomUUID());
    expect((await listed(slotId))?.engagement).toEqual({
      views: 1,
      clicks: 1,
      messageTaps: 0,
      shares: 1,
    });
    await rollUpEngagement(market.job('roll-up-engagement'));
    await recordEvent(await market.ctx(), { type: 'view', slotId, productId: id }, randomUUID());
    expect((await listed(slotId))?.engagement).toEqual({
      views: 2,
      clicks: 1,
      messageTaps: 0,
      shares: 1,
    });
    market.clock.advance({ minutes: 1 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await assignToSlot(await ofAdmin(), { productId: id, slotId });
    expect((await listed(slotId))?.engagement).toEqual({
      views: 0,
      clicks: 0,
      messageTaps: 0,
      shares: 0,
    });
  });

  test('says when a slot is paused or its time is up, and never counts down from a paused end', async () => {
    const one = await live(market, seller, admin);
    const two = await live(market, seller, admin, { durationHours: 24 });
    await pauseSlot(await ofAdmin(), one.slotId, one.id);
    market.clock.advance({ hours: 25 });
    expect(await listed(one.slotId)).toMatchObject({
      state: 'paused',
      endTime: null,
      secondsLeft: null,
      remainingSeconds: 72 * 3600,
      pausedBy: 'admin',
    });
    expect(await listed(two.slotId)).toMatchObject({
      state: 'expired',
      secondsLeft: 0,
      remainingSeconds: null,
    });
  });
});

describe('the slots are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`${who} neither sees nor touches them`, async () => {
      const ctx = await market.ctx(person);
      const id = randomUUID();
      await refused(adminSlots(ctx), code);
      await refused(assignToSlot(ctx, { productId: id }), code);
      await refused(editSlot(ctx, 1, { productId: id, durationHours: 24 }), code);
      await refused(pauseSlot(ctx, 1, id), code);
      await refused(resumeSlot(ctx, 1, id), code);
      await refused(removeFromSlot(ctx, 1, { productId: id }), code);
    });
  }
});

describe('the routes', () => {
  const send = (path: string, json: unknown, method = 'POST') =>
    market.call<Record<string, unknown>>(`/api/admin/slots${path}`, { json, method, as: admin });

  test('assign, edit, pause, resume and remove', async () => {
    const { id: productId } = await approved(market, seller, admin);
    expect((await send('/12/assign', { productId, duration: 'own' })).body).toEqual({
      slotId: 12,
      productId,
      endTime: inHours(72).toISOString(),
    });
    expect(
      (await send('/12', { productId, durationHours: 24, name: { en: '  Galaxy <A15> ' } }, 'PUT'))
        .body,
    ).toMatchObject({
      endTime: inHours(24).toISOString(),
    });
    expect((await productRow(market, productId)).name).toEqual({ en: 'Galaxy A15' });
    expect((await send('/12/pause', { productId })).body).toEqual({
      slotId: 12,
      remainingSeconds: 24 * 3600,
    });
    const { body } = await market.call<{ slots: unknown[] }>('/api/admin/slots', { as: admin });
    expect(body.slots[11]).toMatchObject({ id: 12, state: 'paused', product: { id: productId } });
    expect((await send('/12/resume', { productId })).body).toEqual({
      slotId: 12,
      endTime: inHours(24).toISOString(),
    });
    expect((await send('/12/remove', { productId, requeue: true })).body).toEqual({
      slotId: 12,
      productId,
      requeued: true,
      remainingSeconds: 24 * 3600,
    });
    const again = await send('/12/remove', { productId });
    expect([again.status, (again.body.error as { code: string }).code]).toEqual([
      409,
      'slots.empty',
    ]);
  });

  test.each([
    ['a duration that is none of the choices', { durationHours: 5 }, 'durationHours', 'oneOf'],
    ['no duration', {}, 'durationHours', 'required'],
    ['a price below the least', { durationHours: 24, price: 99 }, 'price', 'tooSmall'],
    ['a name that is too short', { durationHours: 24, name: { en: 'ab' } }, 'name.en', 'tooShort'],
    [
      'a place that is too long',
      { durationHours: 24, sellerLocation: 'x'.repeat(101) },
      'sellerLocation',
      'tooLong',
    ],
    [
      'a place that is too short',
      { durationHours: 24, sellerLocation: 'x' },
      'sellerLocation',
      'tooShort',
    ],
    ['a status', { durationHours: 24, status: 'rejected' }, 'status', 'unknownField'],
  ])('refuse %s', async (_, input, path, code) => {
    const { status, body } = await send('/12', { productId: randomUUID(), ...input }, 'PUT');
    expect(status).toBe(400);
    expect((body.error as { fields: unknown[] }).fields).toMatchObject([{ path, code }]);
  });
});
