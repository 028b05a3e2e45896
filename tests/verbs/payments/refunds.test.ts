import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Adapter, Standing } from '../../../api/core/ports.ts';
import { statementCsv } from '../../../api/credits/present.ts';
import { checkStatement } from '../../../api/credits/proof.ts';
import { wholeStatement } from '../../../api/credits/reads.ts';
import { simulation } from '../../../api/payments/adapters.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { askAgain } from '../../../api/payments/askAgain.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { closePurchase } from '../../../api/payments/closePurchase.ts';
import { hearCallback } from '../../../api/payments/hearCallback.ts';
import { journalCsv, journalDays } from '../../../api/payments/journal.ts';
import { ownLimit, ownPurchases, purchasesIn } from '../../../api/payments/reads.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { creditsDue } from '../../../api/payments/rules.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { lastAudit } from '../../support/audit.ts';
import { balanceOf, expectSoundCredits, pay } from '../../support/credits.ts';
import { outcomes, refused } from '../../support/refusals.ts';

/** Late payments, refunds and the journal (docs/payments.md). */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const { purchases, refunds: refundRows, user } = schema;
const minute = 60_000;
let says: Standing = { state: 'pending', askAt: 'never' };
const provider: Adapter = {
  name: 'provider',
  methods: ['mobile_money'],
  testMode: false,
  expiresMs: 15 * minute,
  start: async (_, now) => ({ state: 'pending', askAt: new Date(now.getTime() + minute) }),
  ask: async () => says,
  readCallback: async (body) => [body],
};
beforeEach(async () => {
  await market.reset();
  market.services.payments = [provider, simulation];
  says = { state: 'pending', askAt: new Date(market.clock.now().getTime() + 5 * minute) };
});

const buy = async (person = member, method: 'mobile_money' | 'stripe' = 'mobile_money') =>
  buyCredits(await market.ctx(person), method, randomUUID());
const job = () => askAboutPayments(market.job('ask-about-payments'));
const hear = async (id: string) =>
  hearCallback(await market.ctx(seller), 'provider', id, new Headers());
const statusOf = async (id: string) =>
  (await market.db.select().from(purchases).where(eq(purchases.id, id)))[0]?.status;
const paid = (reference = randomUUID()): Standing => ({ state: 'completed', reference });
const balance = () => balanceOf(market, member);
const bought = async (person = member) => {
  const { id } = await buy(person, 'stripe');
  market.clock.advance({ seconds: 2 });
  await job();
  return id;
};
const refund = async (
  id: string,
  amount: number,
  { refunded = 0, key = randomUUID() as string } = {},
) =>
  refundPurchase(
    await market.ctx(admin),
    id,
    { amount, refunded, reference: 'BACK-1', reason: 'Bought twice' },
    key,
  );
const refunds = () => market.db.select().from(refundRows);

describe('a payment that comes late', () => {
  test('expires after the time of its adapter, then counts no more for the limit, and its buyer reads why', async () => {
    const { id } = await buy();
    market.clock.advance({ minutes: 16 });
    says = { state: 'pending', askAt: market.clock.now() };
    await job();
    expect(await statusOf(id)).toBe('expired');
    expect(await ownLimit(await market.ctx(member))).toMatchObject({ remaining_limit: 20 });
    expect((await market.mails.lastTo(member.email)).text).toContain('was not confirmed in time');
    market.clock.advance({ minutes: 10 });
    expect(await job()).toEqual({ asked: 0 });
  });

  test.each(['failed', 'expired'] as const)(
    'is credited after all if it had %s, once',
    async (end) => {
      const { id } = await buy();
      market.clock.advance({ minutes: 16 });
      says = end === 'failed' ? { state: 'failed', why: 'noFunds' } : says;
      await job();
      expect(await statusOf(id)).toBe(end);
      await hear(id);
      expect(await statusOf(id)).toBe(end);
      says = paid();
      await Promise.all([hear(id), hear(id)]);
      expect([await statusOf(id), await balance()]).toEqual(['completed', 25]);
      says = { state: 'failed', why: 'declined' };
      market.clock.advance({ minutes: 1 });
      await hear(id);
      expect([await statusOf(id), await balance()]).toEqual(['completed', 25]);
      await expectSoundCredits(market);
    },
  );

  test('is credited over the weekly limit', async () => {
    const { id } = await buy();
    market.clock.advance({ minutes: 16 });
    await job();
    await bought();
    await bought();
    await refused(buy(), 'payments.weeklyLimit');
    says = paid();
    await hear(id);
    expect([await statusOf(id), await balance()]).toEqual(['completed', 75]);
    await expectSoundCredits(market);
  });

  test('of a deleted account is recorded, and can be refunded', async () => {
    const person = await signUpMember(market);
    const { id } = await buy(person);
    await market.db.delete(user).where(eq(user.id, person.userId));
    says = paid();
    market.clock.advance({ minutes: 2 });
    await hear(id);
    expect(await statusOf(id)).toBe('completed');
    await refund(id, 10);
    expect(await refunds()).toMatchObject([{ creditsDue: 25, creditsTaken: 25 }]);
    await expectSoundCredits(market);
  });

  test('is asked about three times in ten seconds at most, however often its callback comes', async () => {
    const { id } = await buy();
    let asked = 0;
    const counting = async () => {
      asked++;
      return says;
    };
    market.services.payments = [{ ...provider, ask: counting }, simulation];
    for (let n = 0; n < 10; n++) await hear(id);
    expect(asked).toBe(3);
    market.clock.advance({ seconds: 10 });
    await hear(id);
    expect(asked).toBe(4);
  });

  test('is not cancelled by an admin: its provider may still say that it came', async () => {
    const { id } = await buy();
    const end = async (outcome: 'failed' | 'cancelled') =>
      closePurchase(await market.ctx(admin), id, { outcome, reason: 'Nobody paid' });
    await refused(end('cancelled'), 'payments.notCancellable');
    await end('failed');
    says = paid();
    await hear(id);
    expect(await statusOf(id)).toBe('completed');
  });
});

test('an admin asks the provider again, and the log keeps it', async () => {
  const { id } = await buy();
  const again = async () => askAgain(await market.ctx(admin), id);
  expect(await again()).toMatchObject({ status: 'pending' });
  says = { state: 'failed', why: 'noFunds' };
  expect(await again()).toMatchObject({ status: 'failed' });
  says = paid();
  expect(await again()).toMatchObject({ status: 'completed' });
  expect(await lastAudit(market)).toMatchObject({
    action: 'purchase.ask',
    after: { outcome: 'completed' },
  });
  await refused(askAgain(await market.ctx(admin), randomUUID()), 'payments.notFound');
});

test('a purchase that failed at its start is asked about, and never started again', async () => {
  let started = 0;
  const start: Adapter['start'] = async () => {
    started++;
    return { state: 'failed', why: 'noFunds' };
  };
  market.services.payments = [{ ...provider, start }, simulation];
  await refused(buy(), 'payments.failed');
  const [row] = await market.db.select().from(purchases);
  says = paid();
  await askAgain(await market.ctx(admin), row?.id ?? '');
  expect([started, await statusOf(row?.id ?? ''), await balance()]).toEqual([1, 'completed', 25]);
});

describe('the journal of a month', () => {
  const days = async (month?: string) => journalDays(await market.ctx(admin), month);

  test('sums payments and refunds by day in Douala and method, in the currency that was paid', async () => {
    market.clock.set('2026-11-30T22:59:00.000Z');
    const first = await bought();
    await writeSetting(market.job('x'), 'xafPerUsd', 610);
    await writeSetting(market.job('x'), 'xafPerUsdFrom', '2026-11-01');
    // Midnight in Douala.
    market.clock.set('2026-11-30T23:00:00.000Z');
    await bought();
    market.clock.advance({ hours: 1 });
    await refund(first, 4);
    const nothing = { count: 0, xaf: 0, usd: 0 };
    expect(await days('2026-11')).toEqual([
      {
        ...{ day: '2026-11-30', method: 'stripe', testMode: true },
        ...{ paid: { count: 1, xaf: 0, usd: 10 }, refunded: nothing },
      },
    ]);
    expect(await days()).toEqual([
      {
        ...{ day: '2026-12-01', method: 'stripe', testMode: true },
        ...{ paid: { count: 1, xaf: 6100, usd: 0 }, refunded: { count: 1, xaf: 0, usd: 4 } },
      },
    ]);
    expect(await days('2026-10')).toEqual([]);
  });

  test('has a line for each in its CSV, in the language of the admin', async () => {
    const id = await bought();
    await refund(id, 4);
    const ctx = { ...(await market.ctx(admin)), language: 'fr' as const };
    const [head, ...lines] = (await journalCsv(ctx)).trim().split('\r\n');
    expect(head).toMatch(/Nature;Payé par;/);
    expect(lines).toHaveLength(2);
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/;Paiement;Carte[^;]*;simulation;M54-.*;10;USD;10;;;25;test-/),
      expect.stringMatching(/;Remboursement;Carte[^;]*;simulation;M54-.*;-4;USD;10;;;-10;BACK-1$/),
    ]);
  });
});

describe('a refund', () => {
  test('takes all credits back that are unspent, and its buyer is told', async () => {
    const id = await bought();
    const before = statementCsv(await wholeStatement(await market.ctx(member)), 'en');
    await refund(id, 10);
    expect([await statusOf(id), await balance()]).toEqual(['refunded', 0]);
    const letter = await market.mails.lastTo(member.email);
    expect([letter.subject, letter.text]).toEqual([
      'Money given back',
      expect.stringMatching(/USD\s10 of your purchase .*BACK-1.*Bought twice.*: 25\./s),
    ]);
    expect((await ownPurchases(await market.ctx(member))).purchases).toMatchObject([
      { status: 'refunded', refunds: [{ amount: 10, currency: 'USD', creditsTaken: 25 }] },
    ]);
    expect(await checkStatement(market.job('verify'), before)).toMatchObject({ faults: [] });
    expect(await ownLimit(await market.ctx(member))).toMatchObject({ remaining_limit: 20 });
    await expectSoundCredits(market);
  });

  test('takes no more than is left, and records the rest', async () => {
    const id = await bought();
    for (let n = 0; n < 10; n++) await pay(await market.ctx(member));
    const left = await balance();
    expect(left).toBeLessThan(25);
    await refund(id, 10);
    expect([await balance(), await refunds()]).toMatchObject([
      0,
      [{ creditsDue: 25, creditsTaken: left }],
    ]);
    await expectSoundCredits(market);
  });

  test('in parts is of the price that was paid, in XAF where one was set, and ends whole', async () => {
    await writeSetting(market.job('x'), 'xafPerUsd', 610);
    await writeSetting(market.job('x'), 'xafPerUsdFrom', '2026-11-01');
    const id = await bought();
    await refund(id, 2000);
    expect([await statusOf(id), await balance()]).toEqual(['partly_refunded', 17]);
    market.clock.advance({ minutes: 1 });
    await refund(id, 2050, { refunded: 2000 });
    market.clock.advance({ minutes: 1 });
    await refused(refund(id, 2051, { refunded: 4050 }), 'payments.refundTooLarge');
    await refund(id, 2050, { refunded: 4050 });
    expect([await statusOf(id), await balance()]).toEqual(['refunded', 0]);
    await refused(refund(id, 1, { refunded: 6100 }), 'payments.refundTooLarge');
    const { purchases } = await purchasesIn(await market.ctx(admin), { status: 'refunded' });
    expect(purchases[0]?.refunds.map(({ amount, currency }) => [amount, currency])).toEqual([
      [2000, 'XAF'],
      [2050, 'XAF'],
      [2050, 'XAF'],
    ]);
    await expectSoundCredits(market);
  });

  test('of what is not paid, or was refunded meanwhile, is refused; a repeated request is one refund', async () => {
    const { id: unpaid } = await buy();
    await refused(refund(unpaid, 10), 'payments.notPaid');
    await refused(refund(randomUUID(), 10), 'payments.notFound');
    const id = await bought();
    const key = randomUUID();
    await refund(id, 4, { key });
    await refund(id, 4, { key });
    expect(await refunds()).toHaveLength(1);
    await refused(refund(id, 4), 'conflict');
    expect(
      (await outcomes([refund(id, 6, { refunded: 4 }), refund(id, 6, { refunded: 4 })])).sort(),
    ).toEqual(['conflict', 'kept']);
    expect([await statusOf(id), await balance()]).toEqual(['refunded', 0]);
    await expectSoundCredits(market);
  });

  test('in any parts takes back exactly what was bought', () => {
    for (const parts of [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [3, 3, 4], [9, 1], [10]]) {
      let sum = 0;
      const taken = parts.map((part) => {
        const before = creditsDue(25, sum, 10);
        sum += part;
        return creditsDue(25, sum, 10) - before;
      });
      expect(taken.reduce((one, other) => one + other, 0)).toBe(25);
      expect(taken.every((one) => one > 0)).toBe(true);
    }
  });
});
