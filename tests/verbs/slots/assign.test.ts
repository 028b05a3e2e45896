import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { withdraw } from '../../../api/products/withdraw.ts';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { schema } from '../../../db/client.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  live,
  productRow,
  queueRows,
  slotOf,
  submitted,
} from '../../support/products.ts';
import { featured } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';
import { slotActions } from '../../support/slots.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(async () => {
  await market.reset();
  await unsuspend(market, seller);
});
const { products, slotEngagement } = schema;
const { ofAdmin, inHours, lastAudit, audits, listed, occupy } = slotActions(market, { admin });

describe('an assignment', () => {
  test('gives 72 hours in the first inactive slot of the lane, and takes the product out of its queue', async () => {
    const { id } = await approved(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 1 });
    expect(await assignToSlot(await ofAdmin(), { productId: id })).toEqual({
      slotId: 11,
      productId: id,
      endTime: inHours(72).toISOString(),
    });
    expect(await slotOf(market, id)).toMatchObject({
      id: 11,
      active: true,
      startTime: market.clock.now(),
      endTime: inHours(72),
    });
    expect(await queueRows(market)).toEqual([]);
    expect(await productRow(market, id)).toMatchObject({
      listing: { startedAt: market.clock.now(), endedAt: null },
      durationSeconds: 24 * 3600,
    });
  });

  test('gives the seller’s own duration when that is chosen, and six hours to a product without one', async () => {
    const { id } = await approved(market, seller, admin, { durationHours: 24 });
    expect((await assignToSlot(await ofAdmin(), { productId: id, duration: 'own' })).endTime).toBe(
      inHours(24).toISOString(),
    );
    const other = await approved(market, seller, admin);
    await market.db
      .update(products)
      .set({ durationSeconds: null })
      .where(eq(products.id, other.id));
    expect(
      (await assignToSlot(await ofAdmin(), { productId: other.id, duration: 'own' })).endTime,
    ).toBe(inHours(6).toISOString());
  });

  test('starts at 1 for featured products, fills the lowest gap, and takes any slot that is chosen', async () => {
    const first = await approved(market, seller, admin, featured);
    expect((await assignToSlot(await ofAdmin(), { productId: first.id })).slotId).toBe(1);
    await occupy(2, 3);
    await occupy(5, 5);
    const second = await approved(market, seller, admin, featured);
    expect((await assignToSlot(await ofAdmin(), { productId: second.id })).slotId).toBe(4);
    const standard = await approved(market, seller, admin);
    expect(
      (await assignToSlot(await ofAdmin(), { productId: standard.id, slotId: 7 })).slotId,
    ).toBe(7);
  });

  test('starts engagement at zero, is audited and told to the seller in the seller’s language', async () => {
    const { id } = await approved(market, otherSeller, admin);
    await market.db
      .update(slotEngagement)
      .set({ views: 9, shares: 3 })
      .where(eq(slotEngagement.slotId, 20));
    market.clock.advance({ minutes: 1 });
    await assignToSlot(await ofAdmin(), { productId: id, slotId: 20 });
    expect((await listed(20))?.engagement).toEqual({
      views: 0,
      clicks: 0,
      messageTaps: 0,
      shares: 0,
    });
    expect(await lastAudit()).toMatchObject({
      action: 'slot.assign',
      subjectKind: 'slot',
      subjectId: '20',
      actorId: admin.userId,
      before: { productId: null },
      after: {
        productId: id,
        duration: 'manual',
        seconds: 72 * 3600,
        endTime: inHours(72).toISOString(),
      },
    });
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe(
      '« Samsung Galaxy A14, comme neuf » est en ligne à l’emplacement #20',
    );
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
    await occupy(1, premiumCount);
    await refused(assignToSlot(await ofAdmin(), { productId: id }), 'queue.laneFull');
    await occupy(premiumCount + 1, slotCount);
    await refused(assignToSlot(await ofAdmin(), { productId: id }), 'queue.noneAvailable');
    expect(await queueRows(market)).toHaveLength(1);
  });

  test('refuses what is not there, not approved, ended, in a slot already, or a suspended seller’s', async () => {
    const assign = async (productId: string, slotId?: number) =>
      assignToSlot(await ofAdmin(), { productId, slotId });
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
    await refused(assign(id), 'sellers.isSuspended');
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
