import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, productRow, queueRows, runQueue, slotOf } from '../../support/products.ts';
import { featured } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';
import { slotActions } from '../../support/slots.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { slotEngagement } = schema;
const { ofAdmin, inHours, lastAudit, audits, slotRow, listed } = slotActions(market, { admin });

describe('a removal', () => {
  test('empties the slot, ends the listing, zeroes engagement and tells the seller', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(slotEngagement)
      .set({ views: 5 })
      .where(eq(slotEngagement.slotId, slotId));
    market.clock.advance({ hours: 1 });
    expect(await removeFromSlot(await ofAdmin(), slotId, { productId: id })).toEqual({
      slotId,
      productId: id,
      requeued: false,
      remainingSeconds: null,
    });
    expect(await slotRow(slotId)).toMatchObject({
      active: false,
      productId: null,
      startTime: null,
      endTime: null,
    });
    expect((await listed(slotId))?.engagement.views).toBe(0);
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      listing: { endedAt: market.clock.now() },
      removedAt: null,
    });
    expect(await queueRows(market)).toEqual([]);
    expect(await lastAudit()).toMatchObject({
      action: 'slot.remove',
      subjectId: String(slotId),
      before: { productId: id, remainingSeconds: 71 * 3600 },
      after: { productId: null, requeued: false },
    });
    expect((await market.mails.lastTo(seller.email)).subject).toBe(
      `“Samsung Galaxy A14” has been taken out of slot #${slotId}`,
    );
  });

  test('with requeue puts it at the back of its lane, and the next slot gives exactly the time left', async () => {
    const { id, slotId } = await live(market, otherSeller, admin);
    const waiting = await approved(market, seller, admin);
    market.clock.advance({ hours: 42 });
    expect(
      await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true }),
    ).toMatchObject({ requeued: true, remainingSeconds: 30 * 3600 });
    expect(await queueRows(market)).toMatchObject([
      { productId: waiting.id, remainingSeconds: null },
      { productId: id, remainingSeconds: 30 * 3600 },
    ]);
    // The chosen duration stays: the seller pays for it again when relisting.
    expect(await productRow(market, id)).toMatchObject({
      listing: { endedAt: null },
      durationSeconds: 72 * 3600,
    });
    expect(await audits('product.requeue')).toMatchObject([
      {
        subjectId: id,
        before: { slotId },
        after: { queueName: 'queue:regular', remainingSeconds: 30 * 3600 },
      },
    ]);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe(
      '« Samsung Galaxy A14, comme neuf » est de retour dans la file',
    );
    expect(plain(mail.text)).toContain('conservé : 1 jour 6 heures.');
    market.clock.advance({ hours: 1 });
    await runQueue(market);
    expect((await slotOf(market, id))?.endTime).toEqual(inHours(30));
  });

  test('with requeue gives the time left by hand too, where the seller’s own time is chosen', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 42 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    expect((await assignToSlot(await ofAdmin(), { productId: id, duration: 'own' })).endTime).toBe(
      inHours(30).toISOString(),
    );
  });

  test('of a paused slot with requeue keeps what the pause kept', async () => {
    const { id, slotId } = await live(market, seller, admin, featured);
    market.clock.advance({ hours: 71, minutes: 25 });
    await pauseSlot(await ofAdmin(), slotId, id);
    market.clock.advance({ days: 9 });
    expect(
      (await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true }))
        .remainingSeconds,
    ).toBe(35 * 60);
    expect((await market.mails.lastTo(seller.email)).text).toContain('is kept: 35 minutes.');
    expect(await queueRows(market)).toMatchObject([{ productId: id, queueName: 'queue:featured' }]);
  });

  test('is refused of an empty slot, another product, a slot that is none, and with requeue when no time is left', async () => {
    const { id, slotId, endTime } = await live(market, seller, admin);
    const remove = async (slot: number, productId: string, requeue = false) =>
      removeFromSlot(await ofAdmin(), slot, { productId, requeue });
    await refused(remove(54, id), 'slots.empty');
    await refused(remove(slotId, randomUUID()), 'slots.changed');
    await refused(remove(-1, id), 'slots.notFound');
    market.clock.set(endTime);
    await refused(remove(slotId, id, true), 'slots.expired');
    await remove(slotId, id);
    await refused(remove(slotId, id), 'slots.empty');
  });
});
