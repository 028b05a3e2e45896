import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Adapter, Standing } from '../../../api/core/ports.ts';
import { markFee } from '../../../api/listings/fees.ts';
import { simulation } from '../../../api/payments/adapters.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { hearCallback } from '../../../api/payments/hearCallback.ts';
import { journalCsv, journalDays } from '../../../api/payments/journal.ts';
import { payFee } from '../../../api/payments/payFee.ts';
import { ownPurchase, ownPurchases, purchasesIn } from '../../../api/payments/reads.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { typed } from '../../../api/shared/commands.ts';
import { productCode } from '../../../api/shared/slugs/productCode.ts';
import { schema } from '../../../db/client.ts';
import { languages } from '../../../locales/languages.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectSoundCredits } from '../../support/credits.ts';
import { productRow, submitted } from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

/** Fees that are paid online (docs/payments.md). */
const market = await testApp();
const { seller, admin } = await actors(market);
const pools = [1, 2, 3].map(() => market.database.another({ max: 4 }).db);
const provider = { says: undefined as Standing | undefined, started: 0 };
const pending = (): Standing => ({ state: 'pending', askAt: market.clock.now() });
/** Says what the test wants. */
const scripted: Adapter = {
  name: 'scripted',
  methods: ['mobile_money'],
  testMode: false,
  expiresMs: 60_000,
  start: async () => {
    provider.started += 1;
    return provider.says ?? pending();
  },
  ask: async () => provider.says ?? pending(),
  readCallback: async (body) => [body],
};
beforeEach(async () => {
  await market.reset();
  market.services.payments = [simulation];
  Object.assign(provider, { says: undefined, started: 0 });
});
const { listings, purchases } = schema;
const due = async (person = seller) => {
  const { id } = await submitted(market, person);
  const listing = (await productRow(market, id)).listing as typeof listings.$inferSelect;
  return { id, listing: listing.id, reference: listing.feeReference ?? '' };
};
const pay = async (reference: string, key: string = randomUUID(), person = seller) =>
  payFee(await market.ctx(person), reference, key);
const feeOf = async (listing: string) =>
  (await market.db.select().from(listings).where(eq(listings.id, listing)))[0];
/** A second later, when what waits is due. */
const job = () => {
  market.clock.advance({ seconds: 1 });
  return askAboutPayments(market.job('ask-about-payments'));
};
const letters = async () => (await market.mails.allTo(seller.email)).map(({ subject }) => subject);
const givenBack = async (id: string, amount: number, refunded = 0) =>
  refundPurchase(
    await market.ctx(admin),
    id,
    { amount, reference: `BACK-${refunded}`, reason: 'Paid twice', refunded },
    randomUUID(),
  );

describe('a fee paid by mobile money', () => {
  test('is paid as soon as the payment came, and its seller is told', async () => {
    const { id, listing, reference } = await due();
    const { id: payment, ...begun } = await pay(reference);
    expect(begun).toMatchObject({ status: 'pending', amountXaf: 3000, amountUsd: null });
    const mine = async () => (await ownProducts(await market.ctx(seller))).products[0];
    expect(await mine()).toMatchObject({ id, feeState: 'due', payment });
    market.clock.advance({ seconds: 2 });
    expect(await job()).toEqual({ asked: 1 });
    expect(await mine()).toMatchObject({ feeState: 'paid', payment: null });
    expect(await feeOf(listing)).toMatchObject({
      feeMarkedAt: market.clock.now(),
      feeMarkedBy: null,
    });
    expect(await letters()).toContain('Listing fee paid');
    expect((await market.mails.lastTo(seller.email)).text).toMatch(/test mode/);
    expect(await ownPurchase(await market.ctx(seller), payment)).toMatchObject({
      status: 'completed',
      paidBefore: false,
    });
    // No credits move, and the member's own list is of credits alone.
    expect(await market.db.$count(schema.creditEntries)).toBe(0);
    expect((await ownPurchases(await market.ctx(seller))).purchases).toEqual([]);
    await expectSoundCredits(market);
  });

  test('has one open payment, from two taps, tabs or processes', async () => {
    market.services.payments = [scripted];
    const { reference } = await due();
    const taps = await collide(
      market.sql,
      'select 1 from listings for update',
      pools.map(
        (db) => async () => payFee(await market.ctx(seller, { db }), reference, randomUUID()),
      ),
    );
    expect(new Set(taps.map((tap) => (tap.status === 'fulfilled' ? tap.value.id : tap))).size).toBe(
      1,
    );
    expect(await market.db.$count(purchases)).toBe(1);
    const key = randomUUID();
    const again = await pay(reference, key);
    provider.says = { state: 'failed', why: 'declined' };
    await job();
    // The repeated request starts nothing new; a new one does.
    expect((await pay(reference, key)).id).toBe(again.id);
    provider.says = undefined;
    expect((await pay(reference)).id).not.toBe(again.id);
  });

  test('is refused for another’s fee, one that is not due, and where nothing is open', async () => {
    const other = await signUpSeller(market);
    const { listing, reference } = await due();
    await refused(pay(reference, randomUUID(), other), 'products.notFound');
    await refused(pay('M54-000000'), 'products.notFound');
    await markFee(await market.ctx(admin), listing, 'waived');
    await refused(pay(reference), 'payments.feeNotDue');
    await markFee(await market.ctx(admin), listing, 'due');
    market.services.payments = [];
    await refused(pay(reference), 'payments.methodAway');
    market.services.payments = [simulation];
    const { id } = await pay(reference);
    await refused(ownPurchase(await market.ctx(other), id), 'payments.notFound');
  });

  test('counts when the money comes late, and a second one is to be given back', async () => {
    market.services.payments = [scripted];
    const { id, listing, reference } = await due();
    const first = await pay(reference);
    market.clock.advance({ minutes: 2 });
    await job();
    expect((await ownPurchase(await market.ctx(seller), first.id)).status).toBe('expired');
    const second = await pay(reference);
    provider.says = { state: 'completed', reference: 'second' };
    await job();
    const paidAt = (await feeOf(listing))?.feeMarkedAt;
    market.clock.advance({ minutes: 1 });
    provider.says = { state: 'completed', reference: 'first' };
    await hearCallback(await market.ctx(), 'scripted', first.id, new Headers());
    expect(await ownPurchase(await market.ctx(seller), first.id)).toMatchObject({
      status: 'completed',
      paidBefore: true,
    });
    expect(await letters()).toContain('Listing fee paid again');
    const { purchases: listed } = await purchasesIn(await market.ctx(admin), {
      status: 'completed',
    });
    expect(listed.map(({ id, paidBefore, name }) => [id, paidBefore, name])).toEqual([
      [second.id, false, seller.name],
      [first.id, true, seller.name],
    ]);
    // The fee stays paid, by the other payment.
    market.clock.advance({ minutes: 1 });
    await givenBack(first.id, 1000);
    expect(await feeOf(listing)).toMatchObject({ feeState: 'paid', feeMarkedAt: paidAt });
    await givenBack(second.id, 1000);
    expect(await feeOf(listing)).toMatchObject({ feeState: 'paid' });
    await givenBack(second.id, 2000, 1000);
    expect(await feeOf(listing)).toMatchObject({ feeState: 'refunded' });
    // The rest of the other payment stays to be given back, also once the product is gone.
    const left = async () =>
      (await purchasesIn(await market.ctx(admin), { status: 'partly_refunded' })).purchases.map(
        ({ id: which, paidBefore }) => [which, paidBefore],
      );
    expect(await left()).toEqual([[first.id, true]]);
    await market.sql`delete from products where id = ${id}`;
    expect(await left()).toEqual([[first.id, true]]);
    await givenBack(first.id, 2000, 1000);
    expect(await left()).toEqual([]);
    expect((await market.mails.lastTo(seller.email)).text).not.toMatch(/Credits taken/);
    await expectSoundCredits(market);
  });

  test('is not made due while money for it is here', async () => {
    market.services.payments = [scripted];
    const { listing, reference } = await due();
    const payment = await pay(reference);
    await markFee(await market.ctx(admin), listing, 'waived');
    provider.says = { state: 'completed', reference: 'late' };
    await job();
    expect(await feeOf(listing)).toMatchObject({ feeState: 'waived' });
    await refused(markFee(await market.ctx(admin), listing, 'due'), 'conflict');
    await givenBack(payment.id, 3000);
    await markFee(await market.ctx(admin), listing, 'due');
    expect(await feeOf(listing)).toMatchObject({ feeState: 'due' });
  });

  test('is changed by nobody’s mark while a payment paid it', async () => {
    const { listing, reference } = await due();
    await pay(reference);
    market.clock.advance({ seconds: 2 });
    await job();
    for (const state of ['due', 'waived', 'refunded'] as const)
      await refused(markFee(await market.ctx(admin), listing, state), 'conflict');
    expect(await feeOf(listing)).toMatchObject({ feeState: 'paid' });
  });

  test('is paid after its product was deleted, too', async () => {
    market.services.payments = [scripted];
    const { id, listing, reference } = await due();
    const payment = await pay(reference);
    await market.sql`delete from products where id = ${id}`;
    provider.says = { state: 'completed', reference: 'late' };
    await job();
    const [kept] = await market.db
      .select()
      .from(schema.keptFees)
      .where(eq(schema.keptFees.listingId, listing));
    expect(kept).toMatchObject({ feeState: 'paid' });
    const paid = async () =>
      (await purchasesIn(await market.ctx(admin), { status: 'completed' })).purchases.map(
        ({ id: which, paidBefore }) => [which, paidBefore],
      );
    expect(await paid()).toEqual([[payment.id, false]]);
    await givenBack(payment.id, 3000);
    const { purchases: listed } = await purchasesIn(await market.ctx(admin), {
      status: 'refunded',
    });
    expect(listed).toMatchObject([{ name: null, product: null, creditsAmount: null }]);
  });

  test('is in the journal with its subject', async () => {
    const { reference } = await due();
    await pay(reference);
    market.clock.advance({ seconds: 2 });
    await job();
    const asAdmin = await market.ctx(admin);
    expect(await journalDays(asAdmin)).toMatchObject([
      { method: 'mobile_money', testMode: true, paid: { count: 1, xaf: 3000, usd: 0 } },
    ]);
    expect(await journalCsv(asAdmin)).toMatch(/Listing fee/);
  });
});

test.each(languages)(
  'a seller pays in the chat, once its turn is stored, in %s',
  async (language) => {
    const { id, listing } = await due();
    const chat = await chatting(market, { person: seller, language });
    const [shown] = await chat.say(typed(language, 'listing', productCode(id)));
    const words = typed(language, 'payFee', productCode(id));
    expect(shown?.buttons?.flat()).toContainEqual(expect.objectContaining({ say: words }));
    market.services.payments = [scripted];
    const [told] = await chat.say(words);
    const [payment] = await market.db.select().from(purchases);
    expect(told?.buttons?.flat()[0]).toMatchObject({
      url: `${market.env.publicUrl}/${language}/pay/${payment?.id}`,
    });
    // The provider is not asked before the turn is stored.
    expect([payment?.startedAt, provider.started]).toEqual([null, 0]);
    const [again] = await chat.say(words);
    expect([again?.buttons?.flat()[0], await market.db.$count(purchases)]).toEqual([
      told?.buttons?.flat()[0],
      1,
    ]);
    provider.says = { state: 'completed', reference: 'chat' };
    await job();
    expect([provider.started, (await feeOf(listing))?.feeState]).toEqual([1, 'paid']);
    const [none] = await chat.say(words);
    expect(JSON.stringify(none?.buttons)).not.toContain(words);
  },
);

test('the form of a fee goes to the payment’s page, or back with what is wrong', async () => {
  const { reference } = await due();
  const send = async (given: string) =>
    (
      await market.request('/pay/fee?language=fr', {
        method: 'POST',
        as: seller,
        body: new URLSearchParams({ reference: given, key: randomUUID() }),
      })
    ).headers.get('location');
  const page = await send(reference);
  expect(page).toMatch(/^\/fr\/pay\/[0-9a-f-]{36}$/);
  expect(await send(reference)).toBe(page);
  market.clock.advance({ seconds: 2 });
  await job();
  expect(await send(reference)).toBe(`/fr/pay?fee=${reference}&said=payments.feeNotDue`);
});

test('Postgres refuses a paid purchase whose fee is due, and one of two subjects', async () => {
  const { listing, reference } = await due();
  const { id } = await pay(reference);
  const constraint = (query: Promise<unknown>) =>
    query.then(
      () => 'done',
      (error: { constraint_name?: string }) => error.constraint_name,
    );
  expect(
    await constraint(
      market.sql`update purchases set status = 'completed', completed_at = now(), ask_at = null, payment_reference = 'x' where id = ${id}`,
    ),
  ).toBe('purchase_fee_paid');
  for (const columns of [
    { listing_id: listing, amount_usd: 10, credits_amount: 25, amount_xaf: 5 },
    { amount_xaf: 5 },
  ])
    expect(
      await constraint(
        market.sql`insert into purchases ${market.sql({
          id: randomUUID(),
          purchase_method: 'mobile_money',
          adapter: 'x',
          status: 'failed',
          closed_at: new Date(),
          reference: randomUUID(),
          created_at: new Date(),
          ...columns,
        })}`,
      ),
    ).toBe('purchases_subject');
});
