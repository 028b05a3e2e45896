import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { simulation } from '../../../api/payments/adapters.ts';
import { readAmount, readStatement } from '../../../api/payments/pawapay/statement.ts';
import { reconcile } from '../../../api/payments/reconcile.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { refundByProvider } from '../../../api/payments/refundByProvider.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { lastAudit } from '../../support/audit.ts';
import { refused } from '../../support/refusals.ts';
import { openMobileMoney } from './mobileMoney.ts';

/** A day against the provider's list (docs/payments.md). */
const market = await testApp();
const { member, admin } = await actors(market);
const { sim, buy, sweep, reset } = await openMobileMoney(market, member);
afterAll(() => sim.close());
beforeEach(async () => {
  await reset();
  await writeSetting(market.job('x'), 'weeklyPurchaseLimitUsd', 100);
});

const today = () => market.clock.now().toISOString().slice(0, 10);
const compare = async (csv: string, day = today()) =>
  reconcile(await market.ctx(admin), { day, csv });
const paid = async () => {
  const { id } = await buy();
  await sim.finish(id);
  market.clock.advance({ minutes: 1 });
  return id;
};
/** A wallet's statement as the dashboard exports it. */
const statement = (
  ...rows: { id: string; amount?: string; type?: string; currency?: string; day?: string }[]
) =>
  [
    'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type',
    ...rows.map(({ id, amount = '6055', type = 'DEPOSIT', currency = 'XAF', day = today() }) =>
      [`${day} 09:12:44`, '237677123456', id, amount, currency, 'CMR', 'MTN', type].join(),
    ),
  ].join('\r\n');
const found = ({ rows }: Awaited<ReturnType<typeof compare>>) =>
  rows.map(({ why, kind, ours, theirs }) => [why, kind, ours?.purchase, theirs?.id]);

describe('a day compared with the list of the provider', () => {
  test('differs in nothing where both say the same', async () => {
    const [first, second] = [await paid(), await paid()];
    const { id: failed } = await buy();
    await sim.finish(failed, { failureCode: 'INSUFFICIENT_BALANCE' });
    const answer = await compare(
      statement(
        { id: first, amount: '6055.00' },
        { id: second.toUpperCase() },
        { id: first, amount: '-91', type: 'DEPOSIT_FEE' },
        { id: randomUUID(), day: '2020-01-01' },
      ),
    );
    expect(answer).toEqual({
      ...{ lines: 2, ours: 2, otherDays: 1, others: 1, differences: 0 },
      rows: [],
    });
    expect(await lastAudit(market)).toMatchObject({
      action: 'purchase.reconcile',
      after: { day: today(), provider: 'pawapay-test', lines: 2, differences: 0 },
    });
  });

  test('shows what only one side knows, other sums and currencies, and what moved twice', async () => {
    const [same, dearer, euros, missing] = [await paid(), await paid(), await paid(), await paid()];
    const stranger = randomUUID();
    expect(
      found(
        await compare(
          statement(
            { id: same },
            { id: same },
            { id: dearer, amount: '6060' },
            { id: euros, currency: 'EUR' },
            { id: stranger },
            { id: 'not-ours' },
          ),
        ),
      ),
    ).toEqual([
      ['twice', 'payment', same, same],
      ['amount', 'payment', dearer, dearer],
      ['amount', 'payment', euros, euros],
      ['onlyTheirs', 'payment', undefined, stranger],
      ['onlyTheirs', 'payment', undefined, 'not-ours'],
      ['onlyOurs', 'payment', missing, undefined],
    ]);
  });

  test('shows a payment that is paid on one side alone', async () => {
    const here = await paid();
    sim.misbehave('noCallback');
    const { id: open } = await buy();
    await sim.finish(open);
    const list = `Deposit ID,Status,Requested amount,Deposited amount,Currency\n${open},COMPLETED,6055,6055,XAF\n${here},FAILED,6055,,XAF\n${randomUUID()},FAILED,6055,,XAF\n`;
    expect((await compare(list)).rows).toMatchObject([
      { why: 'state', ours: { purchase: open, at: null } },
      { why: 'state', ours: { purchase: here }, theirs: { moved: false } },
    ]);
    await sweep();
    expect(found(await compare(list))).toEqual([['state', 'payment', here, here]]);
  });

  test('takes a list with the days around it: what is on another day’s is not missing', async () => {
    const id = await paid();
    const yesterday = new Date(market.clock.now().getTime() - 86_400_000).toISOString();
    expect(await compare(statement({ id, day: yesterday.slice(0, 10) }))).toMatchObject({
      lines: 0,
      ours: 1,
      otherDays: 1,
      differences: 0,
    });
    market.clock.advance({ hours: 24 });
    expect(await compare(statement())).toMatchObject({ ours: 0, differences: 0 });
  });

  test('compares refunds by the provider, not those by hand, nor payments of another provider', async () => {
    const id = await paid();
    const asAdmin = () => market.ctx(admin);
    const given = { amount: 2000, reason: 'As agreed', refunded: 0 };
    await refundByProvider(await asAdmin(), id, given, randomUUID());
    const [refund] = [...sim.refunds.keys()];
    sim.giveBack(refund ?? '');
    await sweep(60);
    await refundPurchase(
      await asAdmin(),
      id,
      { ...given, amount: 55, refunded: 2000, reference: 'BY-HAND' },
      randomUUID(),
    );
    market.services.payments = [simulation, ...market.services.payments];
    const rows = (amount: string) =>
      statement({ id }, { id: refund ?? '', amount, type: 'REFUND' });
    expect(await compare(rows('-2000'))).toMatchObject({ lines: 2, ours: 2, differences: 0 });
    expect(found(await compare(rows('-1500')))).toEqual([['amount', 'refund', id, refund]]);
    expect(found(await compare(statement({ id })))).toEqual([
      ['onlyOurs', 'refund', id, undefined],
    ]);
    // A refund is no deposit of the same id.
    expect(found(await compare(statement({ id }, { id: refund ?? '' })))).toEqual([
      ['onlyTheirs', 'payment', undefined, refund],
    ]);
  });

  test('refuses what is no list, and shows at most 200 lines of a wrong one', async () => {
    await refused(compare('name,price\nx,5'), 'payments.statementUnreadable');
    await refused(compare('\u0000\u0001PK'), 'payments.statementUnreadable');
    await refused(compare(statement({ id: 'x', amount: 'lots' })), 'payments.statementLine');
    await refused(
      compare('Refund ID,Status,Amount,Currency\nx,WHO_KNOWS,5,XAF'),
      'payments.statementLine',
    );
    const wrong = await compare(
      statement(...Array.from({ length: 300 }, () => ({ id: randomUUID() }))),
    );
    expect([wrong.differences, wrong.rows.length]).toEqual([300, 200]);
    market.services.payments = [simulation];
    await refused(compare(statement()), 'payments.noStatement');
  });
});

describe('a list as spreadsheets save it', () => {
  const id = randomUUID();
  test.each([
    [
      'in French',
      `\uFEFFCreation Date;Transaction ID;Amount;Currency;Type\r\n28/11/2026 10:00;${id};12\u202f500,00;xaf;Deposit\r\n;;;;\r\n`,
    ],
    ['with tabs', `Transaction ID\tAmount\tCurrency\tType\n${id}\t"12,500"\tXAF\tDEPOSIT`],
    ['with a title above', `Statement,,\n,,\nTransaction ID,Amount,Currency\n${id},12500.00,XAF\n`],
    [
      'with quotes and other columns',
      `"Type","Metadata","Currency","Amount","Transaction ID"\n"DEPOSIT","{""a"":""b,c""}","XAF","+12500","${id}"`.replace(
        '+',
        '',
      ),
    ],
  ])('%s', (_, csv) => {
    expect(readStatement(csv).lines).toMatchObject([
      { id, amount: 12_500, currency: 'XAF', moved: true },
    ]);
  });

  test.each([
    ['500', 500],
    ['-500', 500],
    ['−500', 500],
    ['12500.5', 12_500.5],
    ['12,500', 12_500],
    ['12.500', 12_500],
    ['12 500,00', 12_500],
    ['1,212,500.75', 1_212_500.75],
    ['1’250', 1250],
    ['', undefined],
    ['1,2,3', undefined],
    ['5e3', undefined],
    ['0x10', undefined],
    ['12500 XAF', undefined],
  ])('the amount %j', (cell, amount) => {
    expect(readAmount(cell)).toBe(amount);
  });
});
