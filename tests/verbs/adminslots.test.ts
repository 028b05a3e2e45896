import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordEvent } from '../../api/engagement/record.ts';
import { rollUpEngagement } from '../../api/engagement/rollup.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { adminSlots } from '../../api/slots/admin.ts';
import { assignToSlot } from '../../api/slots/assign.ts';
import { editSlot } from '../../api/slots/edit.ts';
import { pauseSlot, resumeSlot } from '../../api/slots/pause.ts';
import { homepageProducts } from '../../api/slots/reads.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import type { SlotEdit } from '../../api/slots/schema.ts';
import { schema } from '../../db/client.ts';
import { actors, suspend, unsuspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, live, productRow, queueRows, runQueue, slotOf, submitted } from '../support/products.ts';
import { refused } from '../support/refusals.ts';
import { rawRows } from '../support/rows.ts';
import { plain } from '../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await unsuspend(market, seller);
});
const { products, slots, slotEngagement, auditLog } = schema;
const ofAdmin = () => market.ctx(admin);
const rows = rawRows(market.sql);
const hour = 3_600_000;
const featured = { listingType: 'featured' } as const;
const inHours = (hours: number) => new Date(market.clock.now().getTime() + hours * hour);
const lastAudit = async () => (await market.db.select().from(auditLog).orderBy(sql`id desc`).limit(1))[0];
const audits = async (action: string) => market.db.select().from(auditLog).where(eq(auditLog.action, action));
const slotRow = async (id: number) => (await market.db.select().from(slots).where(eq(slots.id, id)))[0];
const listed = async (id: number) => (await adminSlots(await ofAdmin()))[id - 1];
/** Fills slots with products that nobody approved by hand. */
const occupy = async (from: number, to: number) => {
  for (let id = from; id <= to; id++) await rows.placed(id);
};

describe('the list', () => {
  test('has all 54 slots by id, empty ones too, with what only admins see', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const list = await adminSlots(await ofAdmin());
    expect(list.map((slot) => slot.id)).toEqual(Array.from({ length: 54 }, (_, n) => n + 1));
    expect(list.filter((slot) => slot.premium)).toHaveLength(10);
    expect(list[0]).toMatchObject({ state: 'empty', product: null, endTime: null, secondsLeft: null, remainingSeconds: null });
    market.clock.advance({ hours: 1 });
    expect(await listed(slotId)).toMatchObject({
      state: 'live',
      secondsLeft: 71 * 3600,
      product: { id, sellerName: seller.name, sellerWhatsapp: seller.whatsapp, sellerId: seller.sellerId, status: 'approved', durationSeconds: 72 * 3600 },
    });
  });

  test('counts engagement that is not rolled up yet, and none of an earlier assignment', async () => {
    const { id, slotId } = await live(market, seller, admin);
    for (const type of ['view', 'click', 'share'] as const) await recordEvent(await market.ctx(), { type, slotId, productId: id }, randomUUID());
    expect((await listed(slotId))?.engagement).toEqual({ views: 1, clicks: 1, messageTaps: 0, shares: 1 });
    await rollUpEngagement(market.job('roll-up-engagement'));
    await recordEvent(await market.ctx(), { type: 'view', slotId, productId: id }, randomUUID());
    expect((await listed(slotId))?.engagement).toEqual({ views: 2, clicks: 1, messageTaps: 0, shares: 1 });
    market.clock.advance({ minutes: 1 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await assignToSlot(await ofAdmin(), { productId: id, slotId });
    expect((await listed(slotId))?.engagement).toEqual({ views: 0, clicks: 0, messageTaps: 0, shares: 0 });
  });

  test('says when a slot is paused or its time is up, and never counts down from a paused end', async () => {
    const one = await live(market, seller, admin);
    const two = await live(market, seller, admin, { durationHours: 24 });
    await pauseSlot(await ofAdmin(), one.slotId, one.id);
    market.clock.advance({ hours: 25 });
    expect(await listed(one.slotId)).toMatchObject({ state: 'paused', endTime: null, secondsLeft: null, remainingSeconds: 72 * 3600, pausedBy: 'admin' });
    expect(await listed(two.slotId)).toMatchObject({ state: 'expired', secondsLeft: 0, remainingSeconds: null });
  });
});

describe('an assignment', () => {
  test('gives 72 hours in the first inactive slot of the lane, and takes the product out of its queue', async () => {
    const { id } = await approved(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 1 });
    expect(await assignToSlot(await ofAdmin(), { productId: id })).toEqual({ slotId: 11, productId: id, endTime: inHours(72).toISOString() });
    expect(await slotOf(market, id)).toMatchObject({ id: 11, active: true, startTime: market.clock.now(), endTime: inHours(72) });
    expect(await queueRows(market)).toEqual([]);
    expect(await productRow(market, id)).toMatchObject({ listingStartedAt: market.clock.now(), listingEndedAt: null, durationSeconds: 24 * 3600 });
  });

  test('gives the seller’s own duration when that is chosen, and six hours to a product without one', async () => {
    const { id } = await approved(market, seller, admin, { durationHours: 24 });
    expect((await assignToSlot(await ofAdmin(), { productId: id, duration: 'own' })).endTime).toBe(inHours(24).toISOString());
    const other = await approved(market, seller, admin);
    await market.db.update(products).set({ durationSeconds: null }).where(eq(products.id, other.id));
    expect((await assignToSlot(await ofAdmin(), { productId: other.id, duration: 'own' })).endTime).toBe(inHours(6).toISOString());
  });

  test('starts at 1 for featured products, fills the lowest gap, and takes any slot that is chosen', async () => {
    const first = await approved(market, seller, admin, featured);
    expect((await assignToSlot(await ofAdmin(), { productId: first.id })).slotId).toBe(1);
    await occupy(2, 3);
    await occupy(5, 5);
    const second = await approved(market, seller, admin, featured);
    expect((await assignToSlot(await ofAdmin(), { productId: second.id })).slotId).toBe(4);
    const standard = await approved(market, seller, admin);
    expect((await assignToSlot(await ofAdmin(), { productId: standard.id, slotId: 7 })).slotId).toBe(7);
  });

  test('starts engagement at zero, is audited and told to the seller in the seller’s language', async () => {
    const { id } = await approved(market, otherSeller, admin);
    await market.db.update(slotEngagement).set({ views: 9, shares: 3 }).where(eq(slotEngagement.slotId, 20));
    market.clock.advance({ minutes: 1 });
    await assignToSlot(await ofAdmin(), { productId: id, slotId: 20 });
    expect((await listed(20))?.engagement).toEqual({ views: 0, clicks: 0, messageTaps: 0, shares: 0 });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.assign',
      subjectKind: 'slot',
      subjectId: '20',
      actorId: admin.userId,
      before: { productId: null },
      after: { productId: id, duration: 'manual', seconds: 72 * 3600, endTime: inHours(72).toISOString() },
    });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('« Samsung Galaxy A14, comme neuf » est en ligne à l’emplacement #20');
  });

  test('refuses a taken slot and keeps the product’s place; a slot whose time is up is taken until it is freed', async () => {
    const { slotId, endTime } = await live(market, seller, admin);
    const { id } = await approved(market, seller, admin);
    await refused(assignToSlot(await ofAdmin(), { productId: id, slotId }), 'slots.taken');
    market.clock.set(endTime);
    await refused(assignToSlot(await ofAdmin(), { productId: id, slotId }), 'slots.taken');
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    expect(await audits('slot.assign')).toEqual([]);
  });

  test('refuses when no slot is inactive, and says so differently when only the other lane has one', async () => {
    const { id } = await approved(market, seller, admin, featured);
    await occupy(1, 10);
    await refused(assignToSlot(await ofAdmin(), { productId: id }), 'queue.laneFull');
    await occupy(11, 54);
    await refused(assignToSlot(await ofAdmin(), { productId: id }), 'queue.noneAvailable');
    expect(await queueRows(market)).toHaveLength(1);
  });

  test('refuses what is not there, not approved, ended, in a slot already, or a suspended seller’s', async () => {
    const assign = async (productId: string, slotId?: number) => assignToSlot(await ofAdmin(), { productId, slotId });
    await refused(assign(randomUUID()), 'queue.notFound');
    await refused(assign((await submitted(market, seller)).id), 'queue.notWaiting');
    const placed = await live(market, seller, admin);
    const { params } = await refused(assign(placed.id, 30), 'queue.alreadyAssigned');
    expect(params).toEqual({ slot: '11' });
    await withdraw(await market.ctx(seller), placed.id);
    await refused(assign(placed.id), 'queue.notWaiting');
    const { id } = await approved(market, seller, admin);
    await refused(assign(id, 55), 'slots.notFound');
    await suspend(market, seller);
    await refused(assign(id), 'sellers.suspended');
  });

  test('puts in a product that was approved but missing from its queue', async () => {
    const { id } = await approved(market, seller, admin);
    await market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from queue_items`;
    });
    expect((await assignToSlot(await ofAdmin(), { productId: id })).slotId).toBe(11);
  });
});

describe('an edit', () => {
  const edit = async (slotId: number, wish: Partial<SlotEdit> & { productId: string }) => editSlot(await ofAdmin(), slotId, { durationHours: 48, ...wish });

  test('sets the end to now plus the duration, on every save', async () => {
    const { id, slotId } = await live(market, seller, admin);
    for (const durationHours of [48, 48, 120] as const) {
      market.clock.advance({ hours: 5 });
      expect(await edit(slotId, { productId: id, durationHours })).toEqual({ slotId, endTime: inHours(durationHours).toISOString(), remainingSeconds: null });
      expect(await slotRow(slotId)).toMatchObject({ endTime: inHours(durationHours), pausedAt: null });
      expect((await productRow(market, id)).durationSeconds).toBe(durationHours * 3600);
    }
  });

  test('writes the product’s fields and leaves alone what is left out', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const before = await productRow(market, id);
    market.clock.advance({ minutes: 1 });
    await edit(slotId, { productId: id });
    expect(await productRow(market, id)).toEqual({ ...before, durationSeconds: 48 * 3600, updatedAt: market.clock.now() });
    await edit(slotId, {
      productId: id,
      name: { en: 'Galaxy A15' },
      description: { en: 'A better description', fr: 'Une meilleure description' },
      price: 70_000,
      city: 'Yaoundé',
      region: 'Centre',
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
    await edit(slotId, { productId: id, businessName: null, region: '' });
    expect(await productRow(market, id)).toMatchObject({ businessName: null, sellerLocation: 'Yaoundé' });
  });

  test('writes the featured flag only if it changed, and audits only what changed', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const { name } = await productRow(market, id);
    await edit(slotId, { productId: id, durationHours: 72, isFeatured: false, name: name as { en: string }, price: 65_000 });
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
      before: { isFeatured: false, product: { price: 65_000, durationSeconds: 72 * 3600 } },
      after: { isFeatured: true, product: { price: 1000, durationSeconds: 48 * 3600 } },
    });
  });

  test('leaves a paused slot paused, with the chosen time as what it has left (product R7)', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await pauseSlot(await ofAdmin(), slotId, id);
    const { pausedAt, endTime } = (await slotRow(slotId)) ?? {};
    market.clock.advance({ hours: 9 });
    expect(await edit(slotId, { productId: id, durationHours: 24 })).toEqual({ slotId, endTime: null, remainingSeconds: 24 * 3600 });
    expect(await slotRow(slotId)).toMatchObject({ pausedAt, endTime, pausedBy: 'admin', remainingDuration: 24 * 3600 });
    expect(await resumeSlot(await ofAdmin(), slotId, id)).toEqual({ slotId, endTime: inHours(24).toISOString() });
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

describe('a pause', () => {
  test('keeps the seconds left, pushes the end a hundred years ahead and hides the product', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 10, seconds: 30 });
    const left = 62 * 3600 - 30;
    expect(await pauseSlot(await ofAdmin(), slotId, id)).toEqual({ slotId, remainingSeconds: left });
    const slot = await slotRow(slotId);
    expect(slot).toMatchObject({ active: true, productId: id, pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: left });
    expect(slot?.endTime?.getUTCFullYear()).toBe(2126);
    expect((await homepageProducts(await market.ctx()))[slotId - 1]).toMatchObject({ slot_active: false, paused: true, product_name: null });
    expect(await lastAudit()).toMatchObject({ action: 'slot.pause', subjectId: String(slotId), after: { productId: id, remainingSeconds: left } });
    market.clock.advance({ days: 30 });
    expect(await runQueue(market)).toMatchObject({ endedCount: 0 });
  });

  test('ends with a resume that gives exactly the time left', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 70 });
    await pauseSlot(await ofAdmin(), slotId, id);
    market.clock.advance({ days: 10 });
    expect(await resumeSlot(await ofAdmin(), slotId, id)).toEqual({ slotId, endTime: inHours(2).toISOString() });
    expect(await slotRow(slotId)).toMatchObject({ endTime: inHours(2), pausedAt: null, pausedBy: null, remainingDuration: null });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.resume',
      before: { pausedBy: 'admin', remainingSeconds: 7200 },
      after: { endTime: inHours(2).toISOString() },
    });
  });

  test('without a stored remainder resumes for the product’s duration, then for a day', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 48 });
    const resumed = async () => {
      await pauseSlot(await ofAdmin(), slotId, id);
      await market.db.update(slots).set({ remainingDuration: null }).where(eq(slots.id, slotId));
      return resumeSlot(await ofAdmin(), slotId, id);
    };
    expect((await resumed()).endTime).toBe(inHours(48).toISOString());
    await market.db.update(products).set({ durationSeconds: null }).where(eq(products.id, id));
    expect((await resumed()).endTime).toBe(inHours(24).toISOString());
  });

  test('is refused twice, and of a slot whose time is up; a resume of what is not paused too', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin);
    await refused(resumeSlot(await ofAdmin(), slotId, id), 'slots.notPaused');
    await pauseSlot(await ofAdmin(), slotId, id);
    await refused(pauseSlot(await ofAdmin(), slotId, id), 'slots.paused');
    await resumeSlot(await ofAdmin(), slotId, id);
    market.clock.set(endTime);
    await refused(pauseSlot(await ofAdmin(), slotId, id), 'slots.expired');
    for (const verb of [pauseSlot, resumeSlot]) {
      await refused(verb(await ofAdmin(), 54, id), 'slots.empty');
      await refused(verb(await ofAdmin(), 0, id), 'slots.notFound');
      await refused(verb(await ofAdmin(), slotId, randomUUID()), 'slots.changed');
    }
  });

  test('is not lifted while the seller is suspended', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await pauseSlot(await ofAdmin(), slotId, id);
    await suspend(market, seller);
    await refused(resumeSlot(await ofAdmin(), slotId, id), 'sellers.suspended');
    await unsuspend(market, seller);
    await resumeSlot(await ofAdmin(), slotId, id);
  });
});

describe('a removal', () => {
  test('empties the slot, ends the listing, zeroes engagement and tells the seller', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db.update(slotEngagement).set({ views: 5 }).where(eq(slotEngagement.slotId, slotId));
    market.clock.advance({ hours: 1 });
    expect(await removeFromSlot(await ofAdmin(), slotId, { productId: id })).toEqual({ slotId, productId: id, requeued: false, remainingSeconds: null });
    expect(await slotRow(slotId)).toMatchObject({ active: false, productId: null, startTime: null, endTime: null });
    expect((await listed(slotId))?.engagement.views).toBe(0);
    expect(await productRow(market, id)).toMatchObject({ status: 'approved', listingEndedAt: market.clock.now(), removedAt: null });
    expect(await queueRows(market)).toEqual([]);
    expect(await lastAudit()).toMatchObject({
      action: 'slot.remove',
      subjectId: String(slotId),
      before: { productId: id, remainingSeconds: 71 * 3600 },
      after: { productId: null, requeued: false },
    });
    expect((await market.mails.lastTo(seller.email)).subject).toBe(`“Samsung Galaxy A14” has been taken out of slot #${slotId}`);
  });

  test('with requeue puts it at the back of its lane, and the next slot gives exactly the time left', async () => {
    const { id, slotId } = await live(market, otherSeller, admin);
    const waiting = await approved(market, seller, admin);
    market.clock.advance({ hours: 42 });
    expect(await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true })).toMatchObject({ requeued: true, remainingSeconds: 30 * 3600 });
    expect(await queueRows(market)).toMatchObject([
      { productId: waiting.id, remainingSeconds: null },
      { productId: id, remainingSeconds: 30 * 3600 },
    ]);
    // What the seller chose, and pays for again when it is listed again, stays.
    expect(await productRow(market, id)).toMatchObject({ listingEndedAt: null, durationSeconds: 72 * 3600 });
    expect(await audits('product.requeue')).toMatchObject([
      { subjectId: id, before: { slotId }, after: { queueName: 'queue:regular', remainingSeconds: 30 * 3600 } },
    ]);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('« Samsung Galaxy A14, comme neuf » est de retour dans la file');
    expect(plain(mail.text)).toContain('conservé : 1 jour 6 heures.');
    market.clock.advance({ hours: 1 });
    await runQueue(market);
    expect((await slotOf(market, id))?.endTime).toEqual(inHours(30));
  });

  test('with requeue gives the time left by hand too, where the seller’s own time is chosen', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 42 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    expect((await assignToSlot(await ofAdmin(), { productId: id, duration: 'own' })).endTime).toBe(inHours(30).toISOString());
  });

  test('of a paused slot with requeue keeps what the pause kept', async () => {
    const { id, slotId } = await live(market, seller, admin, featured);
    market.clock.advance({ hours: 71, minutes: 25 });
    await pauseSlot(await ofAdmin(), slotId, id);
    market.clock.advance({ days: 9 });
    expect((await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true })).remainingSeconds).toBe(35 * 60);
    expect((await market.mails.lastTo(seller.email)).text).toContain('is kept: 35 minutes.');
    expect(await queueRows(market)).toMatchObject([{ productId: id, queueName: 'queue:featured' }]);
  });

  test('is refused of an empty slot, another product, a slot that is none, and with requeue when no time is left', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin);
    const remove = async (slot: number, productId: string, requeue = false) => removeFromSlot(await ofAdmin(), slot, { productId, requeue });
    await refused(remove(54, id), 'slots.empty');
    await refused(remove(slotId, randomUUID()), 'slots.changed');
    await refused(remove(-1, id), 'slots.notFound');
    market.clock.set(endTime);
    await refused(remove(slotId, id, true), 'slots.expired');
    await remove(slotId, id);
    await refused(remove(slotId, id), 'slots.empty');
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

describe('the doors', () => {
  const send = (path: string, json: unknown, method = 'POST') => market.call<Record<string, unknown>>(`/api/admin/slots${path}`, { json, method, as: admin });

  test('assign, edit, pause, resume and remove', async () => {
    const { id: productId } = await approved(market, seller, admin);
    expect((await send('/12/assign', { productId, duration: 'own' })).body).toEqual({ slotId: 12, productId, endTime: inHours(72).toISOString() });
    expect((await send('/12', { productId, durationHours: 24, name: { en: '  Galaxy <A15> ' } }, 'PUT')).body).toMatchObject({
      endTime: inHours(24).toISOString(),
    });
    expect((await productRow(market, productId)).name).toEqual({ en: 'Galaxy A15' });
    expect((await send('/12/pause', { productId })).body).toEqual({ slotId: 12, remainingSeconds: 24 * 3600 });
    const { body } = await market.call<{ slots: unknown[] }>('/api/admin/slots', { as: admin });
    expect(body.slots[11]).toMatchObject({ id: 12, state: 'paused', product: { id: productId } });
    expect((await send('/12/resume', { productId })).body).toEqual({ slotId: 12, endTime: inHours(24).toISOString() });
    expect((await send('/12/remove', { productId, requeue: true })).body).toEqual({ slotId: 12, productId, requeued: true, remainingSeconds: 24 * 3600 });
    const again = await send('/12/remove', { productId });
    expect([again.status, (again.body.error as { code: string }).code]).toEqual([409, 'slots.empty']);
  });

  test.each([
    ['a duration that is none of the choices', { durationHours: 5 }, 'durationHours', 'oneOf'],
    ['no duration', {}, 'durationHours', 'required'],
    ['a price below the least', { durationHours: 24, price: 99 }, 'price', 'tooSmall'],
    ['a name that is too short', { durationHours: 24, name: { en: 'ab' } }, 'name.en', 'tooShort'],
    ['a city that is too long', { durationHours: 24, city: 'x'.repeat(50) }, 'city', 'tooLong'],
    ['a status', { durationHours: 24, status: 'rejected' }, 'status', 'unknownField'],
  ])('refuse %s', async (_, wish, path, code) => {
    const { status, body } = await send('/12', { productId: randomUUID(), ...wish }, 'PUT');
    expect(status).toBe(400);
    expect((body.error as { fields: unknown[] }).fields).toMatchObject([{ path, code }]);
  });
});
