import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { feeRules } from '../../../api/check/market.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { askAgain } from '../../../api/payments/askAgain.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { closePurchase } from '../../../api/payments/closePurchase.ts';
import { pawapay } from '../../../api/payments/pawapay/adapter.ts';
import { payFee } from '../../../api/payments/payFee.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { schema } from '../../../db/client.ts';
import { type Fault, faults, startSim } from '../../../dev/money/sim.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { balanceOf, expectSoundCredits } from '../../support/credits.ts';
import { submitted } from '../../support/products.ts';
import { rare } from '../../support/rare.ts';
import { expectSound } from '../../support/sound.ts';

/**
 * Whatever a provider, its callbacks, the clock, buyers and admins do, in any order: each payment
 * settles once, what was proven is what the ledger and the fees say, and nothing is forgotten.
 */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const token = 'a-token-of-the-test-account';
const callbackUrl = `${market.env.publicUrl}/api/payments/pawapay-test/callback`;
const sim = await startSim({
  token,
  callbackUrl,
  silentMs: 5,
  send: async (request) => market.app.fetch(request, { address: '10.9.9.9' }),
});
afterAll(sim.close);

const fault = fc.option(fc.constantFrom(...faults), { nil: undefined, freq: 1 });
const which = fc.nat({ max: 5 });
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('buy' as const), fault }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('payFee' as const), fault, which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('pays' as const, 'declines' as const, 'calls' as const),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('askAgain' as const, 'close' as const, 'refund' as const),
      which,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sweep' as const),
      seconds: fc.constantFrom(1, 20, 120, 1000, 4000, 8 * 86_400),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const sweep = (seconds: number) => {
  market.clock.advance({ seconds });
  return askAboutPayments(market.job('ask-about-payments'));
};
const givenBack = async (id: string, asAdmin: Ctx) => {
  const rows = await market.db.select().from(schema.refunds);
  const refunded = rows
    .filter(({ purchaseId }) => purchaseId === id)
    .reduce((sum, { amount }) => sum + amount, 0);
  await refundPurchase(
    asAdmin,
    id,
    { amount: 1000, reference: 'BACK', reason: 'As asked', refunded },
    randomUUID(),
  );
};
async function perform(done: Event, fees: readonly string[]): Promise<void> {
  if ('fault' in done && done.fault) sim.misbehave(done.fault as Fault);
  const [asMember, asSeller, asAdmin] = [
    await market.ctx(member),
    await market.ctx(seller),
    await market.ctx(admin),
  ];
  const phone = '+237677123456';
  const ids = (await market.db.select().from(schema.purchases)).map(({ id }) => id).sort();
  const id = 'which' in done ? ids[done.which] : undefined;
  const charged = id !== undefined && sim.deposits.get(id);
  switch (done.kind) {
    case 'buy':
      await buyCredits(asMember, 'mobile_money', randomUUID(), { phone });
      break;
    case 'payFee':
      await payFee(asSeller, fees[done.which % fees.length] ?? '', randomUUID(), { phone });
      break;
    case 'pays':
      if (charged && charged.status !== 'COMPLETED') await sim.finish(charged.depositId);
      break;
    case 'declines':
      if (charged && charged.status === 'ACCEPTED')
        await sim.finish(charged.depositId, { failureCode: 'PAYMENT_NOT_APPROVED' });
      break;
    case 'calls':
      if (charged) await sim.call({ ...charged, status: 'COMPLETED' });
      break;
    case 'sweep':
      await sweep(done.seconds);
      break;
    case 'askAgain':
      if (id) await askAgain(asAdmin, id);
      break;
    case 'close':
      if (id) await closePurchase(asAdmin, id, { outcome: 'failed', reason: 'As asked' });
      break;
    default:
      if (id) await givenBack(id, asAdmin);
  }
}

const isProven = ({ id, amountXaf }: typeof schema.purchases.$inferSelect) => {
  const deposit = sim.deposits.get(id);
  return (
    deposit?.status === 'COMPLETED' &&
    deposit.currency === 'XAF' &&
    Number(deposit.amount) === amountXaf
  );
};

test('payments settle once, and as they were proven', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      await market.reset();
      sim.deposits.clear();
      market.services.payments = [pawapay({ base: sim.url, token, callbackUrl, warn: () => {} })];
      const job = market.job('x');
      await writeSetting(job, 'xafPerUsd', 605.5);
      await writeSetting(job, 'xafPerUsdFrom', '2026-01-01');
      await writeSetting(job, 'weeklyPurchaseLimitUsd', 1000);
      const fees = [await submitted(market, seller), await submitted(market, seller)].map(
        ({ feeReference }) => feeReference ?? '',
      );
      for (const done of events)
        await perform(done, fees).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
      // All that was paid is found: by the sweep, or by an admin where a callback never came for
      // what had failed before.
      for (let hour = 0; hour < 30; hour++) await sweep(3600);
      for (const { id, status } of await market.db.select().from(schema.purchases))
        if (status === 'failed' || status === 'expired')
          await askAgain(await market.ctx(admin), id);
      const rows = await market.db.select().from(schema.purchases);
      for (const row of rows) {
        expect(row.status, row.id).not.toBe('pending');
        expect(row.completedAt !== null, `${row.id} is ${row.status}`).toBe(isProven(row));
      }
      const taken = (await market.db.select().from(schema.refunds)).reduce(
        (sum, { creditsTaken }) => sum + creditsTaken,
        0,
      );
      const bought = rows.filter(({ member: number, completedAt }) => number && completedAt);
      expect(await balanceOf(market, member)).toBe(25 * bought.length - taken);
      await expectSoundCredits(market);
      await expectSound(market, feeRules);
    }),
    { seed: 54, numRuns: rare ? 200 : 10, endOnFailure: true },
  );
});
