import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { markSold } from '../../../api/products/markSold.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { relist } from '../../../api/products/relist.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { publicSlot } from '../../../api/slots/reads.ts';
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
import { refused } from '../../support/refusals.ts';

/** A seller withdraws a product or marks it as sold (product R1, R2). */
const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
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

describe('a seller withdraws', () => {
  test('a product that waits for review', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({
      status: 'pending',
      withdrawnAt: market.clock.now(),
      listing: { endedAt: null },
    });
    expect(await labelOf(id)).toBe('withdrawn');
  });

  test('one that waits in its queue, which closes up', async () => {
    const { id } = await approved(market, seller, admin);
    const other = await approved(market, otherSeller, admin);
    await withdraw(await mine(), id);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([other.id]);
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      withdrawnAt: market.clock.now(),
      listing: { endedAt: market.clock.now() },
    });
  });

  test('one that is live, whose slot is free for the next at once', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await withdraw(await mine(), id);
    expect(await slotOf(market, id)).toBeUndefined();
    expect((await live(market, otherSeller, admin)).slotId).toBe(slotId);
  });

  test('one that is paused too', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(schema.slots)
      .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 })
      .where(eq(schema.slots.id, slotId));
    await withdraw(await mine(), id);
    expect(
      (await market.db.select().from(schema.slots).where(eq(schema.slots.id, slotId)))[0],
    ).toMatchObject({
      active: false,
      pausedAt: null,
      pausedBy: null,
    });
  });

  test('nothing that is over: withdrawn, ended, rejected', async () => {
    const { id } = await submitted(market, seller);
    await withdraw(await mine(), id);
    await refused(withdraw(await mine(), id), 'products.notLive');
    await refused(withdraw(await mine(), await ended()), 'products.notLive');
    const no = await submitted(market, seller);
    await reject(await market.ctx(admin), no.id, 'No');
    await refused(withdraw(await mine(), no.id), 'products.notLive');
  });
});

describe('a seller marks as sold', () => {
  test('a live product: its listing ends, its slot is free, its counters are zero', async () => {
    const { id, slotId } = await live(market, seller, admin);
    await market.db
      .update(schema.slotEngagement)
      .set({ views: 5 })
      .where(eq(schema.slotEngagement.slotId, slotId));
    await markSold(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({
      soldAt: market.clock.now(),
      listing: { endedAt: market.clock.now() },
    });
    expect(await publicSlot(await market.ctx(), slotId)).toMatchObject({ slot_active: false });
    expect(
      (
        await market.db
          .select()
          .from(schema.slotEngagement)
          .where(eq(schema.slotEngagement.slotId, slotId))
      )[0]?.views,
    ).toBe(0);
    expect(await labelOf(id)).toBe('sold');
  });

  test('one whose time was up, without moving that time', async () => {
    const id = await ended();
    const { listing } = await productRow(market, id);
    market.clock.advance({ hours: 1 });
    await markSold(await mine(), id);
    expect(await productRow(market, id)).toMatchObject({ soldAt: market.clock.now(), listing });
  });

  test('nothing before its approval and nothing twice', async () => {
    const { id } = await submitted(market, seller);
    await refused(markSold(await mine(), id), 'products.notLive');
    const there = await live(market, seller, admin);
    await markSold(await mine(), there.id);
    await refused(markSold(await mine(), there.id), 'products.notLive');
  });
});

describe('nobody touches', () => {
  test('a product of another seller: it is not found, whoever asks', async () => {
    const { id } = await live(market, otherSeller, admin);
    for (const verb of [withdraw, markSold, relist])
      await refused(verb(await mine(), id), 'products.notFound');
    await refused(withdraw(await mine(), randomUUID()), 'products.notFound');
    expect((await slotOf(market, id))?.active).toBe(true);
  });

  test('a product that an admin removed', async () => {
    const { id } = await submitted(market, seller);
    await market.db
      .update(schema.products)
      .set({ removedAt: market.clock.now() })
      .where(eq(schema.products.id, id));
    for (const verb of [withdraw, markSold, relist])
      await refused(verb(await mine(), id), 'products.notFound');
  });

  test('any product as a visitor, member or suspended seller', async () => {
    const { id } = await live(market, seller, admin);
    for (const verb of [withdraw, markSold, relist]) {
      await refused(verb(await market.ctx(), id), 'signInRequired');
      await refused(verb(await market.ctx(member), id), 'sellers.profileMissing');
      await refused(verb(await market.ctx(suspendedSeller), id), 'sellers.suspended');
    }
  });
});
