import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { tellEndsSoon } from '../../../api/listings/endsSoon.ts';
import { switchNotification } from '../../../api/people/switches.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { relistAtEnd } from '../../../api/products/relistAtEnd.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import { schema } from '../../../db/client.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, productRow, queueRows, runQueue } from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { outcomesOf, refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const { outbox, slots } = schema;
beforeEach(() => market.reset());

const tell = () => tellEndsSoon(market.job('tell-ends-soon'));
const letters = (kind = 'listingEndsSoon') =>
  market.db.select().from(outbox).where(eq(outbox.kind, kind));
const hours = (n: number) => market.clock.advance({ hours: n });

describe('a listing that ends within six hours', () => {
  test('is told its seller once, with its end and what another one costs', async () => {
    await live(market, seller, admin, { durationHours: 24 });
    hours(17.9);
    expect(await tell()).toEqual({ told: 0 });
    hours(0.2);
    expect((await Promise.all([tell(), tell()])).reduce((sum, { told }) => sum + told, 0)).toBe(1);
    hours(1);
    expect(await tell()).toEqual({ told: 0 });
    const [letter, ...more] = await letters();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      userId: seller.userId,
      subject: '“Samsung Galaxy A14” ends soon',
    });
    expect(letter?.bodyText).toMatch(/slot #11 on .*Fee of another listing: XAF\s1,000\./s);
  });

  test('is told anew once its end was put off, and not by a little', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    hours(19);
    await tell();
    await market.db
      .update(slots)
      .set({ endTime: new Date(market.clock.now().getTime() + 5.9 * 3_600_000) })
      .where(eq(slots.id, slotId));
    expect(await tell()).toEqual({ told: 0 });
    await editSlot(await market.ctx(admin), slotId, { productId: id, durationHours: 24 });
    expect(await tell()).toEqual({ told: 0 });
    hours(20);
    expect(await tell()).toEqual({ told: 1 });
  });

  test('is not told while it is paused, and with its new end afterwards', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    hours(20);
    await pauseSlot(await market.ctx(admin), slotId, id);
    expect(await tell()).toEqual({ told: 0 });
    hours(10);
    await resumeSlot(await market.ctx(admin), slotId, id);
    expect(await tell()).toEqual({ told: 1 });
  });

  test('tells nothing of what got no more than six hours, has ended, is a suspended seller’s, or was switched off', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    const { startTime } =
      (await market.db.select().from(slots).where(eq(slots.id, slotId)))[0] ?? {};
    await market.db
      .update(slots)
      .set({ endTime: new Date((startTime?.getTime() ?? 0) + 6 * 3_600_000) })
      .where(eq(slots.id, slotId));
    expect(await tell()).toEqual({ told: 0 });
    await markSold(await market.ctx(seller), id);
    await live(market, otherSeller, admin, { durationHours: 24 });
    hours(20);
    await suspend(market, otherSeller);
    expect(await tell()).toEqual({ told: 0 });
    await unsuspend(market, otherSeller);
    await switchNotification(await market.ctx(otherSeller), 'listingEndsSoon', false);
    await tell();
    expect(await letters()).toEqual([]);
  });
});

describe('what its seller asked to be listed again', () => {
  test('is in its queue again with the run that ends it, owes another fee, and its seller is told that instead of the end', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    await relistAtEnd(await market.ctx(seller), id, true);
    expect((await ownProducts(await market.ctx(seller))).products).toMatchObject([
      { againAsked: true, relistFee: 1000 },
    ]);
    hours(24);
    await runQueue(market);
    // The market is empty, so it gets a slot at once.
    expect((await productRow(market, id)).listing).toMatchObject({
      number: 2,
      fee: 1000,
      feeState: 'due',
      againAsked: null,
      endedAt: null,
    });
    expect((await letters('listingAgain'))[0]?.bodyText).toMatch(/XAF\s1,000/);
    expect([await letters('listingEnded'), await queueRows(market)]).toEqual([[], []]);
    hours(24);
    await runQueue(market);
    expect((await productRow(market, id)).listing?.endedAt).not.toBeNull();
  });

  test('is not, where they changed their mind, sold it, or were suspended before', async () => {
    const ctx = () => market.ctx(seller);
    const [first, second, third] = [
      await live(market, seller, admin, { durationHours: 24 }),
      await live(market, seller, admin, { durationHours: 24 }),
      await live(market, otherSeller, admin, { durationHours: 24 }),
    ];
    for (const { id } of [first, second]) await relistAtEnd(await ctx(), id, true);
    await relistAtEnd(await market.ctx(otherSeller), third.id, true);
    await relistAtEnd(await ctx(), first.id, false);
    await markSold(await ctx(), second.id);
    hours(24);
    await suspend(market, otherSeller);
    await runQueue(market);
    for (const { id } of [first, second, third])
      expect((await productRow(market, id)).listing).toMatchObject({
        number: 1,
        endedAt: expect.any(Date),
      });
    await unsuspend(market, otherSeller);
  });

  test('is one’s own, in a slot, and no suspended seller’s', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    await refused(relistAtEnd(await market.ctx(otherSeller), id, true), 'products.notFound');
    await refused(
      relistAtEnd(await market.ctx(seller), (await approved(market, seller, admin)).id, true),
      'products.notLive',
    );
    await suspend(market, seller);
    await refused(relistAtEnd(await market.ctx(seller), id, true), 'sellers.suspended');
    await unsuspend(market, seller);
    await markSold(await market.ctx(seller), id);
    for (const wanted of [true, false])
      await refused(relistAtEnd(await market.ctx(seller), id, wanted), 'products.notLive');
  });

  test('is asked for during a pause too, and taken back also where an admin has put it back in line', async () => {
    const { id, slotId } = await live(market, seller, admin, { durationHours: 24 });
    const ctx = await market.ctx(seller);
    await pauseSlot(await market.ctx(admin), slotId, id);
    await relistAtEnd(ctx, id, true);
    await resumeSlot(await market.ctx(admin), slotId, id);
    await removeFromSlot(await market.ctx(admin), slotId, { productId: id, requeue: true });
    expect((await ownProducts(ctx)).products).toMatchObject([
      { label: 'queued', againAsked: true, relistFee: 1000 },
    ]);
    await relistAtEnd(ctx, id, false);
    expect((await ownProducts(ctx)).products).toMatchObject([
      { label: 'queued', againAsked: false, relistFee: null },
    ]);
    await refused(relistAtEnd(ctx, id, true), 'products.notLive');
  });

  test('is asked for twice at once as once, and by nobody who comes after its end', async () => {
    const { id, endTime } = await live(market, seller, admin, { durationHours: 24 });
    const ctx = await market.ctx(seller);
    const both = (wanted: boolean) =>
      collide(
        market.sql,
        `select from products where id = '${id}' for update`,
        [1, 2].map(() => () => relistAtEnd(ctx, id, wanted)),
      );
    expect(outcomesOf(await both(true))).toEqual(['kept', 'kept']);
    expect(outcomesOf(await both(false))).toEqual(['kept', 'kept']);
    market.clock.set(endTime);
    const ends = await collide<unknown>(
      market.sql,
      `select from products where id = '${id}' for update`,
      [() => runQueue(market), () => relistAtEnd(ctx, id, true)],
    );
    // Either the run came second and lists it again, or it came first and the request is refused.
    const again = outcomesOf(ends).join() === 'kept,kept';
    if (!again) expect(outcomesOf(ends)).toEqual(['kept', 'products.notLive']);
    expect((await productRow(market, id)).listing).toMatchObject(
      again ? { number: 2, endedAt: null } : { number: 1, endedAt: expect.any(Date) },
    );
  });
});
