import { randomUUID } from 'node:crypto';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { pawapay } from '../../../api/payments/pawapay/adapter.ts';
import type { PayerGiven } from '../../../api/payments/payers.ts';
import { ownPurchases } from '../../../api/payments/reads.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { startSim } from '../../../dev/money/sim.ts';
import type { Person } from '../../support/actors.ts';
import type { TestApp } from '../../support/app.ts';
import { balanceOf } from '../../support/credits.ts';

/** Number of MTN. */
export const mtn = '+237677123456';
const path = '/api/payments/pawapay-test/callback';
const token = 'a-token-of-the-test-account';

/** A market's member who pays by the provider that moves no money (dev/money). */
export async function openMobileMoney(market: TestApp, member: Person) {
  const answers: number[] = [];
  const warnings: string[] = [];
  const callbackUrl = market.env.publicUrl + path;
  const sim = await startSim({
    token,
    callbackUrl,
    silentMs: 300,
    send: async (request) => {
      const response = await market.app.fetch(request, { address: '10.9.9.9' });
      answers.push(response.status);
      return response;
    },
  });
  const adapter = (base = sim.url, given = token) =>
    pawapay({ base, token: given, callbackUrl, warn: (message) => warnings.push(message) });
  const only = async () => (await ownPurchases(await market.ctx(member))).purchases[0];
  const balance = () => balanceOf(market, member);
  return {
    ...{ sim, adapter, path, token, only, balance },
    /** Statuses that callbacks were answered with. */
    answers,
    /** Messages for a person. */
    warnings,
    /** Empties the market, with the provider and a rate. */
    async reset() {
      await market.reset();
      market.services.payments = [adapter()];
      warnings.length = 0;
      await writeSetting(market.job('x'), 'xafPerUsd', 605.5);
      await writeSetting(market.job('x'), 'xafPerUsdFrom', '2026-01-01');
    },
    buy: async (given: PayerGiven = { phone: mtn }, key: string = randomUUID()) =>
      buyCredits(await market.ctx(member), 'mobile_money', key, given),
    /** Asks what is due after some time. */
    async sweep(seconds = 20) {
      market.clock.advance({ seconds });
      return askAboutPayments(market.job('ask-about-payments'));
    },
    settled: async () => [(await only())?.status, await balance()],
  };
}
