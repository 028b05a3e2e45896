import { desc, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { markFee } from '../../../api/listings/fees.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { relist } from '../../../api/products/relist.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { removeReported } from '../../../api/reports/remove.ts';
import { reportListing } from '../../../api/reports/report.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  type Live,
  live,
  photoRow,
  runQueue,
  submitted,
} from '../../support/products.ts';

/** Sellers read their own products (product §2 dashboard). */
const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const ofAdmin = () => market.ctx(admin);
const ofSeller = () => market.ctx(seller);
const read = async (page?: number) => ownProducts(await ofSeller(), { page });
const newest = async () => {
  const [letter] = await market.db
    .select({ kind: schema.outbox.kind })
    .from(schema.outbox)
    .where(eq(schema.outbox.userId, seller.userId))
    .orderBy(desc(schema.outbox.turn))
    .limit(1);
  return letter?.kind;
};

describe('why a listing ended, for its seller', () => {
  const report = async ({ id }: Live) => {
    await reportListing(await market.ctx(), id, { reason: 'fraud' });
    await removeReported(await ofAdmin(), id, 'A fake');
  };
  const ends: [
    string,
    { label: string; endReason: string },
    string,
    (listing: Live) => Promise<unknown>,
  ][] = [
    [
      'its time was up',
      { label: 'ended', endReason: 'time' },
      'listingEnded',
      async ({ endTime }) => {
        market.clock.set(endTime);
        await runQueue(market);
      },
    ],
    [
      'an admin took it out',
      { label: 'ended', endReason: 'stopped' },
      'listingStopped',
      async ({ id, slotId }) => removeFromSlot(await ofAdmin(), slotId, { productId: id }),
    ],
    [
      'reports took it down',
      { label: 'removed', endReason: 'reported' },
      'productReported',
      report,
    ],
    [
      'reports took it down, and it was given back',
      { label: 'ended', endReason: 'reported' },
      'productRestored',
      async (listing) => {
        await report(listing);
        await restoreProduct(await ofAdmin(), listing.id);
      },
    ],
    [
      'it was sold',
      { label: 'sold', endReason: 'sold' },
      'productLive',
      async ({ id }) => markSold(await ofSeller(), id),
    ],
    [
      'it was withdrawn',
      { label: 'withdrawn', endReason: 'withdrawn' },
      'productLive',
      async ({ id }) => withdraw(await ofSeller(), id),
    ],
  ];
  test.each(ends)('%s', async (_, told, letter, end) => {
    await end(await live(market, seller, admin));
    expect((await read()).products).toMatchObject([told]);
    expect(await newest()).toBe(letter);
  });

  test('an admin removed it while it waited', async () => {
    const { id } = await approved(market, seller, admin);
    await removeFromQueue(await ofAdmin(), id);
    expect((await read()).products).toMatchObject([
      { label: 'removed', endReason: 'removed', removedAt: market.clock.now().toISOString() },
    ]);
    expect(await newest()).toBe('productRemoved');
  });
});

describe('a seller’s products', () => {
  test('come twenty at a time, newest first, with the counts and slots of all of them', async () => {
    const shown = await live(market, seller, admin);
    const other = await live(market, otherSeller, admin);
    const image = async () => ({ images: [await photoRow(market, seller)] });
    const ids = [shown.id];
    for (let n = 0; n < 21; n++) {
      market.clock.advance({ minutes: 1 });
      ids.unshift((await submitted(market, seller, await image())).id);
    }
    await withdraw(await ofSeller(), ids[0] ?? '');
    const totals = {
      total: 22,
      pending: 20,
      approved: 1,
      slots: [shown.slotId],
      pageSize: 20,
      feesDue: 22 * 3000,
    };
    const [first, second, third] = [await read(), await read(2), await read(3)];
    for (const [index, page] of [first, second, third].entries())
      expect(page).toMatchObject({ ...totals, page: index + 1 });
    expect([...first.products, ...second.products].map(({ id }) => id)).toEqual(ids);
    expect([first.products.length, third.products.length]).toEqual([20, 0]);
    expect(second.products[1]).toMatchObject({ id: shown.id, label: 'live', feeState: 'due' });
    expect(JSON.stringify([first, second])).not.toContain(other.id);
  });

  test('are asked for by page, and by nothing else', async () => {
    await live(market, seller, admin);
    const ask = (query: string) =>
      market.call<{ products: unknown[]; total: number }>(`/api/products/mine${query}`, {
        as: seller,
      });
    expect((await ask('')).body).toMatchObject({ total: 1, page: 1, products: [{}] });
    expect((await ask('?page=2')).body).toMatchObject({ total: 1, page: 2, products: [] });
    for (const query of ['?page=0', '?page=x', '?pageSize=1000', '?seller=x'])
      expect((await ask(query)).status, query).toBe(400);
  });
});

test('what a seller owes counts every listing, an earlier one too, and none of a removed product', async () => {
  const due = async () => (await read()).feesDue;
  const { id, endTime } = await live(market, seller, admin);
  const gone = await approved(market, seller, admin);
  await removeFromQueue(await ofAdmin(), gone.id);
  market.clock.set(endTime);
  await runQueue(market);
  await relist(await ofSeller(), id);
  expect(await due()).toBe(6000);
  const [listing] = await market.db
    .select()
    .from(schema.listings)
    .where(eq(schema.listings.productId, id));
  await markFee(await ofAdmin(), listing?.id ?? '', 'paid');
  expect(await due()).toBe(3000);
});
