import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brokenRules } from '../../api/check/check.ts';
import { creditRules } from '../../api/check/ledger.ts';
import { atOneMoment } from '../../api/core/transaction.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { source } from '../support/processes.ts';
import { outcomes, refused } from '../support/refusals.ts';

/** One cash receipt pays one purchase, however its number is typed (decision 060). */
const market = await testApp();
const { member, admin } = await actors(market);
const { sql } = market;
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

test('references that collide already do not stop the migration: the first keeps its key, and the self-check lists them', async () => {
  await sql`drop trigger credit_purchases_key on credit_purchases`;
  await sql`drop function key_cash_payment, cash_reference_key`;
  const ids = [await buy(), await buy(), await buy()] as const;
  for (const [n, reference] of ['RCT-7', 'rct-7', 'RCT-8'].entries()) {
    await settle(ids[n] ?? '', reference);
    market.clock.advance({ seconds: 1 });
  }
  await sql`alter table credit_purchases drop column payment_key`;
  const folder = source('db/history');
  const file = readdirSync(folder).find((name) => name.endsWith('_cash_reference_key.sql')) ?? '';
  const statements = readFileSync(`${folder}/${file}`, 'utf8').split('--> statement-breakpoint');
  await sql.begin(async (tx) => {
    for (const statement of statements) await tx.unsafe(statement);
  });
  const rows =
    await sql`select id, payment_key as key from credit_purchases where id = any(${[...ids]}) order by completed_at`;
  expect(rows.map(({ key }) => key)).toEqual(['rct-7', null, 'rct-8']);
  expect(await broken()).toMatchObject([
    { name: 'settledTwice', count: 2, ids: expect.arrayContaining([ids[0], ids[1]]) },
  ]);
  await refused(settle(await buy(), 'Rct-7 '), 'payments.referenceUsed');
  // Settled purchases stay unchangeable.
  await expect(
    sql`update credit_purchases set payment_key = null where id = ${ids[0]}`.execute(),
  ).rejects.toThrow();
});
