import { randomUUID } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeEach, expect, test } from 'vitest';
import type { Adapter } from '../../../api/core/ports.ts';
import { simulation } from '../../../api/payments/adapters.ts';
import { askAboutPayments } from '../../../api/payments/askAboutPayments.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { payFee } from '../../../api/payments/payFee.ts';
import { ownPurchase } from '../../../api/payments/reads.ts';
import { refundPurchase } from '../../../api/payments/refund.ts';
import { writeSetting } from '../../../api/settings/values.ts';
import { schema } from '../../../db/client.ts';
import type { Language } from '../../../locales/languages.ts';
import { actors, type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectSoundCredits } from '../../support/credits.ts';
import { submitted } from '../../support/products.ts';
import { collide } from '../../support/race.ts';

/** Receipts and credit notes (docs/payments.md). */
const market = await testApp();
const { member, seller, admin } = await actors(market);
const pools = [1, 2, 3, 4].map(() => market.database.another({ max: 4 }).db);
/** Money that moves, at once. */
const real: Adapter = {
  ...simulation,
  name: 'real',
  testMode: false,
  start: async ({ id }) => ({ state: 'completed', reference: `paid-${id.slice(0, 8)}` }),
};
const issuer = { name: 'Marché 54 SARL', address: 'BP 54, Douala', taxNumber: 'M0123456789' };
beforeEach(async () => {
  await market.reset();
  market.services.payments = [real, simulation];
  const job = market.job('x');
  await writeSetting(job, 'operatorName', issuer.name);
  await writeSetting(job, 'operatorAddress', issuer.address);
  await writeSetting(job, 'operatorTaxNumber', issuer.taxNumber);
  await writeSetting(job, 'xafPerUsd', 1250);
  await writeSetting(job, 'xafPerUsdFrom', '2026-01-01');
});
const buy = async (person = member) => buyCredits(await market.ctx(person), 'stripe', randomUUID());
const refund = async (id: string, amount: number, refunded = 0) =>
  refundPurchase(
    await market.ctx(admin),
    id,
    { amount, reference: 'BACK-1', reason: 'Bought twice', refunded },
    randomUUID(),
  );
const namesOf = async (id: string, person = member) =>
  (await ownPurchase(await market.ctx(person), id)).receipts.map(({ name }) => name);
const download = (name: string, as: Person, language: Language = 'en') =>
  market.request(`/api/receipts/${name}`, { as, language });
/** The text of a PDF, its spaces as they are. */
async function textOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  expect(pdf.numPages).toBe(1);
  return (await extractText(pdf, { mergePages: true })).text.replaceAll('\n', ' ');
}

test('a receipt says in French who sold what, for how much in both currencies, at which rate', async () => {
  const { id, reference, paymentReference } = await buy();
  expect(await namesOf(id)).toEqual(['R-000001']);
  const text = await textOf(await download('R-000001', member, 'fr'));
  for (const part of [
    ...['Reçu R-000001', '25 crédits Connect', reference, paymentReference ?? '', member.name],
    ...[issuer.name, issuer.address, issuer.taxNumber, '1 janvier 2026', '23 novembre 2026'],
  ])
    expect(text).toContain(part);
  // The narrow space of 12 500 is a space, not a question mark.
  expect(text).toMatch(/10\s\$?\s?USD/);
  expect(text).toMatch(/12\s500\sXAF/);
  expect(text).toMatch(/1\s250 XAF/);
  expect(text).not.toContain('?');
  const mail = await market.mails.lastTo(member.email);
  expect(mail.text).toContain(`Receipt R-000001: ${market.env.publicUrl}/en/pay/${id}`);
});

test('a credit note has a number of its own, the receipt stays, and both keep the operator as it was', async () => {
  const { id } = await buy();
  await writeSetting(market.job('x'), 'operatorName', 'Somebody else');
  await refund(id, 2500);
  await refund(id, 10_000, 2500);
  expect(await namesOf(id)).toEqual(['R-000001', 'A-000001', 'A-000002']);
  const [receipt, note] = [
    await textOf(await download('R-000001', member)),
    await textOf(await download('A-000001', member)),
  ];
  expect(receipt).toContain(issuer.name);
  expect(note).toContain('Credit note A-000001');
  expect(note).toMatch(/Given back\s+XAF\s2,500/);
  expect(note).toContain('Bought twice');
  expect(note).toContain('Somebody else');
  await expectSoundCredits(market);
});

test('numbers have no gaps, with several processes at once and payments that fail', async () => {
  const members = await Promise.all(pools.map(() => signUpMember(market)));
  const issued = await collide(
    market.sql,
    `insert into receipt_counters values ('receipt', 0) on conflict (series) do update set last = receipt_counters.last`,
    pools.map(
      (db, n) => async () =>
        buyCredits(await market.ctx(members[n], { db }), 'stripe', randomUUID()),
    ),
  );
  expect(issued.map(({ status }) => status)).toEqual(pools.map(() => 'fulfilled'));
  const rows = await market.db.select().from(schema.receipts);
  expect(rows.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4]);
  await expectSoundCredits(market);
});

test('one of a fee, and one in test mode, which has other numbers and says so', async () => {
  market.services.payments = [simulation];
  const { feeReference } = await submitted(market, seller);
  const { id } = await payFee(await market.ctx(seller), feeReference ?? '', randomUUID());
  market.clock.advance({ seconds: 4 });
  await askAboutPayments(market.job('ask-about-payments'));
  expect(await namesOf(id, seller)).toEqual(['TR-000001']);
  const text = await textOf(await download('TR-000001', seller));
  expect(text).toContain('Test mode: no money moves.');
  expect(text).toContain('Listing fee of “Samsung Galaxy A14”');
  expect(text).toMatch(/XAF\s3,000/);
});

test('is its buyer’s and the admins’ alone, also when its name is guessed', async () => {
  await buy();
  expect((await download('R-000001', admin)).status).toBe(200);
  for (const [name, as] of [
    ['R-000001', seller],
    ['R-000002', member],
    ['A-000001', member],
    ['../R-000001', member],
    ['R-1', member],
  ] as const)
    expect((await download(name, as)).status, name).toBe(404);
});

test('Postgres refuses to change or delete one', async () => {
  await buy();
  for (const statement of [
    'update receipts set number = 7',
    'delete from receipts',
    'truncate receipts',
  ])
    await expect(market.sql.unsafe(statement)).rejects.toThrow();
});
