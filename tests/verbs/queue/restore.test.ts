import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../api/core/transaction.ts';
import { record } from '../../../api/listings/log.ts';
import { queuePageOf, removedProducts } from '../../../api/queue/reads.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { emptyAuditLog } from '../../support/audit.ts';
import { approved, live, productRow, queueRows, submitted } from '../../support/products.ts';
import { featured, preferring, queueActions } from '../../support/queue.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { ofAdmin, top, remove, restore, order, wait, lastAudit } = queueActions(market, {
  seller,
  admin,
});

describe('a restored product', () => {
  test.each([0, 1, 2])(
    'that was number %i is between its neighbours again, with its time in the queue',
    async (index) => {
      const ids = (await wait({}, {}, {})).slice(0, 3);
      const id = ids[index] as string;
      const before = (await queueRows(market)).find((row) => row.productId === id);
      await remove(id);
      const [newcomer] = await wait({});
      market.clock.advance({ days: 29 });
      expect(await restore(id)).toEqual({ id, queued: true });
      expect(await order()).toEqual([...ids, newcomer]);
      expect((await queueRows(market)).find((row) => row.productId === id)).toMatchObject({
        queuedAt: before?.queuedAt,
        itemData: before?.itemData,
      });
      expect(await productRow(market, id)).toMatchObject({
        removedAt: null,
        listing: { endedAt: null },
      });
      expect((await market.mails.lastTo(seller.email)).subject).toBe(
        '“Samsung Galaxy A14” has been restored',
      );
      expect(await lastAudit()).toMatchObject({
        action: 'queue.restore',
        subjectId: id,
        after: { queued: true },
      });
    },
  );

  test('that had been put back from a slot still has the time that was left', async () => {
    const { id, slotId } = await live(market, seller, admin);
    market.clock.advance({ hours: 70 });
    await removeFromSlot(await ofAdmin(), slotId, { productId: id, requeue: true });
    await remove(id);
    market.clock.advance({ days: 3 });
    await restore(id);
    expect(await queueRows(market)).toMatchObject([{ productId: id, remainingSeconds: 2 * 3600 }]);
    expect(
      (await queuePageOf(await ofAdmin(), { queueName: 'queue:regular' })).items,
    ).toMatchObject([
      { productId: id, remainingSeconds: 2 * 3600, product: { durationSeconds: 72 * 3600 } },
    ]);
  });

  test('comes back between those that stayed where they were, also after a rebuild', async () => {
    const [a, b, c, d] = await wait({}, {}, {}, {});
    await remove(c);
    await top(d);
    await rebuildQueue(await ofAdmin(), 'queue:regular');
    await restore(c);
    expect(await order()).toEqual([d, a, b, c]);
  });

  test('needs no entry of the audit log for its place, nor for who has moved since', async () => {
    const [a, b, c, d] = await wait({}, {}, {}, {});
    await remove(c);
    await top(d);
    await emptyAuditLog(market);
    expect(await restore(c)).toEqual({ id: c, queued: true });
    expect(await order()).toEqual([d, a, b, c]);
  });

  test('goes ahead of all who were queued later when both neighbours are gone', async () => {
    const [a, b, c] = await wait({}, {}, {});
    await remove(b);
    const [d] = await wait({});
    for (const id of [a, c]) await assignToSlot(await ofAdmin(), { productId: id });
    await restore(b);
    expect(await order()).toEqual([b, d]);
  });

  test('with a preference is in band 0 again', async () => {
    const [a, w, x] = await wait(featured, preferring, preferring);
    await remove(w);
    await restore(w);
    expect(await order('queue:featured')).toEqual([w, x, a]);
    expect(await queueRows(market)).toMatchObject([
      { priority: 1, band: 0 },
      { priority: 1, band: 0 },
      { priority: 0, band: 1 },
    ]);
  });

  test('finds room however often it leaves and comes back, while others squeeze in', async () => {
    const [a, b, c] = await wait({}, {}, {});
    const { id: bItem } = (await queueRows(market)).find((row) => row.productId === b) ?? { id: 0 };
    await remove(b);
    // No room is left between the two.
    await inTransaction(market.job('squeeze'), (tx) =>
      record(tx, 'queue:regular', [
        {
          act: 'move',
          reason: 'passed',
          productId: c,
          from: { band: 1, position: 3072 },
          to: { band: 1, position: 1025 },
        },
      ]),
    );
    await restore(b);
    expect(await order()).toEqual([a, b, c]);
    expect((await queueRows(market))[1]?.id).not.toBe(bItem);
  });

  test('that was pending, or had ended, is what it was', async () => {
    const pending = await submitted(market, seller);
    await remove(pending.id);
    expect(await restore(pending.id)).toEqual({ id: pending.id, queued: false });
    expect(await productRow(market, pending.id)).toMatchObject({
      status: 'pending',
      removedAt: null,
    });
    const ended = await live(market, seller, admin);
    await removeFromSlot(await ofAdmin(), ended.slotId, { productId: ended.id });
    const { listing } = await productRow(market, ended.id);
    market.clock.advance({ hours: 1 });
    await remove(ended.id);
    expect(await restore(ended.id)).toEqual({ id: ended.id, queued: false });
    expect(await productRow(market, ended.id)).toMatchObject({ listing, removedAt: null });
  });

  test('is refused when it is not removed, was restored, never was, or its 30 days are over', async () => {
    const { id } = await approved(market, seller, admin);
    await refused(restore(id), 'queue.notRestorable');
    await remove(id);
    expect((await removedProducts(await ofAdmin())).map((product) => product.id)).toEqual([id]);
    await restore(id);
    await refused(restore(id), 'queue.notRestorable');
    await refused(restore(randomUUID()), 'queue.notFound');
    await remove(id);
    market.clock.advance({ days: 30 });
    await refused(restore(id), 'queue.notRestorable');
    expect(await removedProducts(await ofAdmin())).toEqual([]);
  });
});
