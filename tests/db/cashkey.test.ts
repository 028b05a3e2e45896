import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brokenRules } from '../../api/check/check.ts';
import { creditRules } from '../../api/check/ledger.ts';
import { atOneMoment } from '../../api/core/transaction.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { outcomes, refused } from '../support/refusals.ts';

/** One cash receipt pays one purchase, however its number is typed (decision 060). */
const market = await testApp();
const { member, admin } = await actors(market);
await writeSetting(market.job('x'), 'weeklyPurchaseLimitUsd', 1000);
const buy = async () =>
  (await buyCredits(await market.ctx(member), 'cash_partner', randomUUID())).id;
const settle = async (id: string, reference: string) =>
  settlePurchase(await market.ctx(admin), id, reference);
const broken = () => atOneMoment(market.job('check-market'), (tx) => brokenRules(tx, creditRules));

test('a reference settles one purchase, whatever its case, spaces and unseen characters', async () => {
  const [first, second] = [await buy(), await buy()];
  await settle(first, 'CASH-x 12');
  for (const again of [
    'cash-x 12',
    'CASH-X  12',
    'Cash-x12',
    'CASH\u200b-x\u00ad12',
    'ＣＡＳＨ-x12',
  ])
    await refused(settle(second, again), 'payments.referenceUsed');
  expect(await settle(first, ' cash-X 12')).toMatchObject({ paymentReference: 'CASH-x 12' });
  expect(await settle(second, 'CASH-x 13')).toMatchObject({ status: 'completed' });
  expect(await broken()).toEqual([]);
});

test('two spellings at once settle one purchase', async () => {
  const [first, second] = [await buy(), await buy()];
  expect((await outcomes([settle(first, 'At-once'), settle(second, 'AT-ONCE')])).sort()).toEqual([
    'kept',
    'payments.referenceUsed',
  ]);
});
