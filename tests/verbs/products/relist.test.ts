import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { markFee } from '../../../api/listings/fees.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { relist } from '../../../api/products/relist.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { removeReported } from '../../../api/reports/remove.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  live,
  productRow,
  queueRows,
  runQueue,
  slotOf,
  submitted,
} from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { outcomesOf, refused } from '../../support/refusals.ts';

/** Relisting is the seller's own act (product R2). */
const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const mine = () => market.ctx(seller);
const labelOf = async (id: string) =>
  (await ownProducts(await mine())).products.find((product) => product.id === id)?.label;

async function ended(): Promise<string> {
  const { id, endTime } = await live(market, seller, admin);
  market.clock.set(endTime);
  await runQueue(market);
  return id;
}

describe('a seller lists again', () => {
  test('an ended product: without a review, straight into its queue, and the fee is due again', async () => {
    const id = await ended();
    const before = await productRow(market, id);
    await markFee(await market.ctx(admin), before.listing?.id as string, 'paid');
    market.clock.advance({ days: 1 });
    expect(await relist(await mine(), id)).toEqual({ id, status: 'approved' });
    const after = await productRow(market, id);
    expect(after).toMatchObject({
      status: 'approved',
      approvedAt: market.clock.now(),
      soldAt: null,
      listing: { endedAt: null, number: 2, fee: 3000, feeState: 'due' },
    });
    expect(after.listing?.feeReference).not.toBe(before.listing?.feeReference);
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

  test.each(['stopped', 'reported'] as const)(
    'one that an admin ended (%s): reviewed first, and its fee is due',
    async (why) => {
      const { id, slotId } = await live(market, seller, admin);
      const asAdmin = await market.ctx(admin);
      if (why === 'stopped') await removeFromSlot(asAdmin, slotId, { productId: id });
      else {
        await reportListing(await market.ctx(), id, { reason: 'unavailable' });
        await removeReported(asAdmin, id, 'Several buyers say that it is not there.');
        await restoreProduct(asAdmin, id);
      }
      expect((await ownProducts(await mine())).products).toMatchObject([
        { can: { relist: true }, relistReviewed: true, relistFee: 3000 },
      ]);
      expect(await relist(await mine(), id)).toEqual({ id, status: 'pending' });
      expect(await productRow(market, id)).toMatchObject({
        status: 'pending',
        approvedAt: null,
        listing: { number: 2, endedAt: null, feeState: 'due' },
      });
      expect(await queueRows(market)).toEqual([]);
      await approve(asAdmin, id);
      expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    },
  );

  test('one that was withdrawn before its review: back to review', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    expect(await relist(await mine(), id)).toEqual({ id, status: 'pending' });
    expect(await queueRows(market)).toEqual([]);
  });

  test('nothing that is listed, waits for review, was rejected, or has lost its photos', async () => {
    await refused(
      relist(await mine(), (await live(market, seller, admin)).id),
      'products.notRelistable',
    );
    await refused(
      relist(await mine(), (await approved(market, seller, admin)).id),
      'products.notRelistable',
    );
    await refused(
      relist(await mine(), (await submitted(market, seller)).id),
      'products.notRelistable',
    );
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
