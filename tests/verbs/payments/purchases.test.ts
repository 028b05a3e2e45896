import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Adapter, PurchaseMethod, Standing } from '../../../api/core/ports.ts';
import { readEnv } from '../../../api/ops/env.ts';
import { cash, simulation } from '../../../api/payments/adapters.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { cancelPurchase } from '../../../api/payments/cancelPurchase.ts';
import { closePurchase } from '../../../api/payments/closePurchase.ts';
import { ownLimit, ownPurchases } from '../../../api/payments/reads.ts';
import { settlePurchase } from '../../../api/payments/settle.ts';
import { createServices } from '../../../api/services.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { presentRefusal } from '../../../api/shared/errors.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { balanceOf, expectSoundCredits } from '../../support/credits.ts';
import { collide } from '../../support/race.ts';
import { outcomes, refused } from '../../support/refusals.ts';

/** Buying credits (decision 042). */
const provider = { says: [] as (Standing | Error)[], told: [] as string[] };
const answer = async (word: string, id: string): Promise<Standing> => {
  provider.told.push(`${word} ${id}`);
  const said = provider.says.shift() ?? {
    state: 'pending',
    askAt: new Date(market.clock.now().getTime() + 60_000),
  };
  if (said instanceof Error) throw said;
  return said;
};
/** A payment provider that a test scripts; the simulation otherwise. */
const scripted: Adapter = {
  name: 'scripted',
  methods: ['stripe'],
  testMode: false,
  start: ({ id }) => answer('start', id),
  ask: ({ id }) => answer('ask', id),
  readCallback: async (body, headers) => (headers.get('signature') === 'right' ? [body] : []),
};
const market = await testApp();
const { member, seller, admin } = await actors(market);
const pools = [1, 2, 3, 4].map(() => market.database.another({ max: 6 }).db);
beforeEach(async () => {
  await market.reset();
  market.services.payments = [simulation];
  Object.assign(provider, { says: [], told: [] });
});
const withProvider = (...says: (Standing | Error)[]) => {
  market.services.payments = [scripted, simulation];
  provider.says = says;
};
const buy = async (
  method: PurchaseMethod = 'stripe',
  key: string = randomUUID(),
  person = member,
) => buyCredits(await market.ctx(person), method, key);
const state = async () =>
  (await market.db.select().from(schema.purchases)).map(({ status }) => status);
const job = () => askAboutPayments(market.job('ask-about-payments'));
const own = async () => ownPurchases(await market.ctx(member));
const balance = () => balanceOf(market, member);
const letters = async () => (await market.mails.allTo(member.email)).map(({ subject }) => subject);

describe('the simulation', () => {
  test.each([
    ['stripe', 2],
    ['mobile_money', 3],
  ] as const)(
    'completes %s after %i seconds, by the timetable or as soon as its buyer looks',
    async (method, seconds) => {
      const bought = await buy(method);
      expect(bought).toMatchObject({
        status: 'pending',
        amountUsd: 10,
        creditsAmount: 25,
        purchaseMethod: method,
      });
      market.clock.advance({ seconds, milliseconds: -1 });
      expect([await job(), (await own()).purchases[0]?.status, await balance()]).toEqual([
        { asked: 0 },
        'pending',
        0,
      ]);
      market.clock.advance({ milliseconds: 1 });
      expect((await own()).purchases).toMatchObject([
        {
          status: 'completed',
          completedAt: market.clock.now().toISOString(),
          testMode: true,
          can: [],
        },
      ]);
      expect(await balance()).toBe(25);
      await buy(method);
      market.clock.advance({ seconds });
      expect([await job(), await balance()]).toEqual([{ asked: 1 }, 50]);
      expect(await letters()).toEqual(['Purchase successful!', 'Purchase successful!']);
      const [mail] = await market.mails.allTo(member.email);
      expect(mail?.text).toContain('25 credits have been added to your account.');
      expect(mail?.text).toContain('test mode');
      await expectSoundCredits(market);
    },
  );

  test('leaves cash pending, asks nobody about it, and tells its buyer how to pay', async () => {
    const payee = { number: '', payee: 'Kiosque Akwa' };
    await writeSetting(market.job('x'), 'payees', {
      mtn_momo: { number: '', payee: '' },
      orange_money: { number: '', payee: '' },
      cash: payee,
    });
    const { reference } = await buy('cash_partner');
    market.clock.advance({ days: 30 });
    expect([await job(), await state(), await balance()]).toEqual([{ asked: 0 }, ['pending'], 0]);
    const mail = await market.mails.lastTo(member.email);
    expect(mail.subject).toBe('Payment initiated');
    expect(mail.text).toMatch(/Pay USD\s10 in cash to Kiosque Akwa, and give the reference/);
    expect(mail.text).toContain(reference);
  });

  test('survives a restart in the middle, also between the purchase and its beginning', async () => {
    // The process dies right after the commit, before the adapter is called.
    const lost: Adapter = {
      ...simulation,
      start: () => Promise.reject(new Error('the process has ended')),
    };
    market.services.payments = [lost];
    expect(await buy()).toMatchObject({ status: 'pending', startedAt: null });
    market.services.payments = [simulation];
    market.clock.advance({ seconds: 30 });
    // Another process, with nothing but the database.
    expect(await askAboutPayments(market.job('ask-about-payments', pools[0]))).toEqual({
      asked: 1,
    });
    expect([await state(), await balance()]).toEqual([['completed'], 25]);
  });

  test('is the demo’s: outside of it cash alone can be paid, and no credits are given away', async () => {
    const given = {
      SMTP_URL: 'smtp://localhost:25',
      PUBLIC_URL: 'http://market.test',
      DATABASE_URL: 'postgres://localhost/x',
    };
    const namesOf = (env: Record<string, string>) =>
      createServices(readEnv(env), 'x'.repeat(40)).payments.map(({ name, testMode }) => [
        name,
        testMode,
      ]);
    expect([namesOf(given), namesOf({ ...given, DEMO: '1' }), namesOf({})]).toEqual([
      [['cash', false]],
      [['simulation', true]],
      [['simulation', true]],
    ]);
    market.services.payments = [cash];
    await refused(buy('stripe'), 'payments.methodAway');
    await refused(buy('mobile_money'), 'payments.methodAway');
    expect(await buy('cash_partner')).toMatchObject({ status: 'pending', askAt: null });
    expect((await own()).pack.methods).toEqual([
      { method: 'cash_partner', testMode: false, needsNumber: false, payTo: [] },
    ]);
  });
});

describe('the weekly limit', () => {
  test('counts what is pending and what is completed, and nothing that failed or was cancelled', async () => {
    const { id } = await buy('cash_partner');
    await buy();
    const refusal = await refused(buy(), 'payments.weeklyLimit');
    expect(presentRefusal(refusal, 'en', 'x').error.message).toBe(
      'You can only purchase $20 worth of credits per week.',
    );
    expect(presentRefusal(refusal, 'fr', 'x').error.message).toMatch(/20\s\$ de crédits/);
    expect(refusal.details).toMatchObject({
      can_purchase: false,
      weekly_limit: 20,
      remaining_limit: 0,
      week_start: '2026-11-22T23:00:00.000Z',
      days_left: 7,
    });
    market.clock.advance({ seconds: 2 });
    await job();
    await refused(buy(), 'payments.weeklyLimit');
    await cancelPurchase(await market.ctx(member), id);
    expect(await ownLimit(await market.ctx(member))).toMatchObject({
      can_purchase: true,
      remaining_limit: 10,
    });
    await buy();
    // The limit is per member and per week.
    await buy('stripe', randomUUID(), seller);
    market.clock.set('2026-11-29T23:00:00.000Z');
    expect(await ownLimit(await market.ctx(member))).toMatchObject({
      can_purchase: true,
      remaining_limit: 20,
    });
    await buy();
  });

  test('of a setting holds from the next purchase; 0 stops purchases', async () => {
    await writeSetting(market.job('x'), 'weeklyPurchaseLimitUsd', 0);
    await refused(buy(), 'payments.weeklyLimit');
    await writeSetting(market.job('x'), 'weeklyPurchaseLimitUsd', 30);
    expect(await outcomes([buy(), buy(), buy(), buy()])).toEqual([
      'kept',
      'kept',
      'kept',
      'payments.weeklyLimit',
    ]);
    expect(await ownLimit(await market.ctx(member), 40)).toMatchObject({
      can_purchase: false,
      weekly_limit: 30,
    });
  });

  test('holds for thirty-two purchases at once over four processes', async () => {
    const contexts = await Promise.all(
      Array.from({ length: 32 }, (_, n) => market.ctx(member, { db: pools[n % 4] ?? market.db })),
    );
    const methods = ['stripe', 'mobile_money', 'cash_partner'] as const;
    const ends = await outcomes(
      contexts.map((ctx, n) => buyCredits(ctx, methods[n % 3] ?? 'stripe', randomUUID())),
    );
    expect(ends).toEqual(['kept', 'kept', ...Array(30).fill('payments.weeklyLimit')]);
    expect(await state()).toHaveLength(2);
  });
});

test('the same key is the same purchase, however often and wherever it is sent; of another method it is refused', async () => {
  const key = randomUUID();
  const contexts = await Promise.all(
    Array.from({ length: 8 }, (_, n) => market.ctx(member, { db: pools[n % 4] ?? market.db })),
  );
  const bought = await Promise.all(contexts.map((ctx) => buyCredits(ctx, 'stripe', key)));
  expect(new Set(bought.map(({ id }) => id)).size).toBe(1);
  await refused(buy('mobile_money', key), 'idempotencyMismatch');
  market.clock.advance({ seconds: 2 });
  await job();
  expect(await buy('stripe', key)).toMatchObject({ id: bought[0]?.id, status: 'completed' });
  expect([await state(), await balance()]).toEqual([['completed'], 25]);
});

test('a purchase keeps the price in XAF of its day, with the rate and the day from which that holds', async () => {
  await writeSetting(market.job('x'), 'xafPerUsd', 610);
  await writeSetting(market.job('x'), 'xafPerUsdFrom', '2026-11-24');
  expect(await buy()).toMatchObject({ amountXaf: null, xafFrom: null });
  market.clock.set('2026-11-24T08:00:00.000Z');
  expect((await own()).pack).toMatchObject({
    credits: 25,
    amountUsd: 10,
    amountXaf: 6100,
    xafRate: 610,
    xafFrom: '2026-11-24',
  });
  expect(await buy()).toMatchObject({ amountXaf: 6100, xafRate: 610, xafFrom: '2026-11-24' });
  market.clock.advance({ seconds: 2 });
  await job();
  expect((await market.mails.lastTo(member.email)).text).toMatch(
    /Paid: USD\s10 \(XAF\s6,100, at 610 XAF a dollar, the rate of 24 November 2026\)/,
  );
});

describe('an adapter', () => {
  test('that says no at once fails the purchase, for the repeated request as well', async () => {
    withProvider({ state: 'failed', why: 'declined' });
    const key = randomUUID();
    const refusal = await refused(buy('stripe', key), 'payments.failed');
    expect(presentRefusal(refusal, 'en', 'x').error.message).toBe('Purchase failed');
    await refused(buy('stripe', key), 'payments.failed');
    expect([await state(), await letters(), provider.told.length]).toEqual([
      ['failed'],
      ['Purchase failed'],
      1,
    ]);
    expect((await own()).purchases).toMatchObject([{ status: 'failed', failure: 'declined' }]);
    expect(await ownLimit(await market.ctx(member))).toMatchObject({ remaining_limit: 20 });
  });

  test('that cannot be reached leaves it pending, and is told again after the lease', async () => {
    withProvider(new Error('timeout'), new Error('timeout'), {
      state: 'completed',
      reference: 'pay-1',
    });
    const { id, status } = await buy();
    expect(status).toBe('pending');
    market.clock.advance({ seconds: 30 });
    await job();
    expect(await job()).toEqual({ asked: 0 });
    market.clock.advance({ seconds: 30 });
    await job();
    expect([await state(), provider.told]).toEqual([['completed'], Array(3).fill(`start ${id}`)]);
  });

  test('is asked by one process at a time, and its answer is written once', async () => {
    withProvider({ state: 'pending', askAt: market.clock.now() });
    await buy();
    market.clock.advance({ seconds: 1 });
    provider.says = Array(8).fill({ state: 'completed', reference: 'pay-2' });
    await Promise.all(pools.map((db) => askAboutPayments(market.job('ask-about-payments', db))));
    expect([await state(), await balance(), provider.told.length]).toEqual([['completed'], 25, 2]);
  });

  test('whose one payment would pay two purchases pays the first', async () => {
    const paid: Standing = { state: 'completed', reference: 'pay-3' };
    withProvider(paid, paid);
    await buy();
    await buy();
    expect([(await state()).sort(), await balance()]).toEqual([['completed', 'pending'], 25]);
    await expectSoundCredits(market);
  });

  test('is asked when its callback says so, and only what it answers counts', async () => {
    withProvider({ state: 'pending', askAt: new Date(market.clock.now().getTime() + 86_400_000) });
    const { id } = await buy();
    const call = (adapter: string, body: string, signature = 'right') =>
      market.call(`/api/payments/${adapter}/callback`, {
        method: 'POST',
        body,
        headers: { signature },
        as: market.visitor(),
      });
    expect(await call('scripted', id, 'wrong')).toMatchObject({
      status: 202,
      body: { received: true },
    });
    expect(provider.told).toHaveLength(1);
    // A callback alone completes nothing.
    expect(await call('scripted', id)).toMatchObject({ status: 202 });
    expect([provider.told.length, await state()]).toEqual([2, ['pending']]);
    // Another adapter's route does not reach it.
    expect(await call('simulation', id)).toMatchObject({ status: 202 });
    expect(provider.told).toHaveLength(2);
    provider.says = [{ state: 'completed', reference: 'pay-4' }];
    // Both ask before either writes: the older answer, written last, changes nothing.
    await collide(market.sql, 'select 1 from credit_accounts for update', [
      () => call('scripted', id),
      () => call('scripted', id),
    ]);
    expect([
      await state(),
      await balance(),
      market.logged.filter(({ level }) => level === 'warn'),
    ]).toEqual([['completed'], 25, []]);
    expect((await call('stripe', id)).status).toBe(404);
    for (const body of ['', '{"id":1}', 'x'.repeat(2000), '\u0000', randomUUID()])
      expect((await call('simulation', body)).status).toBe(202);
  });
});

describe('a cash purchase', () => {
  test('is cancelled by its buyer while it is pending, and by nobody else', async () => {
    const { id } = await buy('cash_partner');
    expect((await own()).purchases).toMatchObject([{ can: ['cancel'] }]);
    await refused(cancelPurchase(await market.ctx(seller), id), 'payments.notFound');
    await refused(cancelPurchase(await market.ctx(admin), id), 'payments.notFound');
    await refused(cancelPurchase(await market.ctx(member), randomUUID()), 'payments.notFound');
    const cancelled = await cancelPurchase(await market.ctx(member), id);
    expect(cancelled).toMatchObject({ status: 'cancelled', closedReason: null });
    expect(await cancelPurchase(await market.ctx(member), id)).toEqual(cancelled);
    expect(
      (await refused(settlePurchase(await market.ctx(admin), id, 'RCT-1'), 'conflict')).params.what,
    ).toContain('cancelled');
    const card = await buy();
    await refused(cancelPurchase(await market.ctx(member), card.id), 'payments.notCancellable');
  });

  test('that is settled and cancelled at the same moment ends in one way', async () => {
    const { id } = await buy('cash_partner');
    const [asAdmin, asMember] = [
      await market.ctx(admin, { db: pools[0] as never }),
      await market.ctx(member, { db: pools[1] as never }),
    ];
    const ends = await outcomes([
      settlePurchase(asAdmin, id, 'RCT-2'),
      cancelPurchase(asMember, id),
      closePurchase(asAdmin, id, { outcome: 'failed', reason: 'No cash came' }),
    ]);
    expect(ends.filter((end) => end === 'kept')).toHaveLength(1);
    await expectSoundCredits(market);
  });
});
