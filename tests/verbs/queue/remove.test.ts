import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { publicProduct } from '../../../api/productpages/read.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  live,
  productRow,
  queueRows,
  runQueue,
  submitted,
} from '../../support/products.ts';
import { loseFromQueue, queueActions } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { remove, lastAudit } = queueActions(market, { seller, admin });

describe('a removal', () => {
  test('hides the product everywhere at once and tells the seller', async () => {
    const { id } = await approved(market, otherSeller, admin);
    market.clock.advance({ minutes: 1 });
    expect(await remove(id)).toEqual({ id, wasQueued: true });
    const now = market.clock.now();
    expect(await productRow(market, id)).toMatchObject({
      removedAt: now,
      listing: { endedAt: now },
      status: 'approved',
    });
    expect(await queueRows(market)).toEqual([]);
    expect(
      await publicProduct(await market.ctx(), (await productRow(market, id)).slug),
    ).toBeUndefined();
    await refused(withdraw(await market.ctx(otherSeller), id), 'products.notFound');
    expect((await runQueue(market)).processedCount).toBe(0);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('« Samsung Galaxy A14, comme neuf » a été supprimé');
    expect(await lastAudit()).toMatchObject({
      action: 'queue.remove',
      subjectId: id,
      before: { queue: { queueName: 'queue:regular' } },
    });
    await refused(remove(id), 'queue.removed');
  });

  test('of a product that was not in the queue says so', async () => {
    const pending = await submitted(market, seller);
    expect(await remove(pending.id)).toEqual({ id: pending.id, wasQueued: false });
    expect(await productRow(market, pending.id)).toMatchObject({
      status: 'pending',
      listing: { endedAt: null },
    });
    const { id } = await approved(market, seller, admin);
    await loseFromQueue(market, id);
    expect(await remove(id)).toEqual({ id, wasQueued: false });
  });

  test('of a product that has got a slot meanwhile is refused', async () => {
    const { id } = await live(market, seller, admin);
    await refused(remove(id), 'queue.alreadyAssigned');
    await refused(remove(randomUUID()), 'queue.notFound');
  });
});
