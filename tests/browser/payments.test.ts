import { randomUUID } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test } from 'vitest';
import { askAboutPayments } from '../../api/payments/askAboutPayments.ts';
import { askAboutRefunds } from '../../api/payments/askAboutRefunds.ts';
import { pawapay } from '../../api/payments/pawapay/adapter.ts';
import { payFee } from '../../api/payments/payFee.ts';
import { ownProducts } from '../../api/products/reads.ts';
import { writeSetting } from '../../api/settings/values.ts';
import { startSim } from '../../dev/money/sim.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { balanceOf } from '../support/credits.ts';
import { openMarket } from '../support/market.ts';
import { submitted } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

/** Payments by mobile money, as a phone shows them; the provider moves no money (dev/money). */
const market = await openMarket();
const token = 'a-token-of-the-test-account';
const callbackUrl = `${market.env.publicUrl}/api/payments/pawapay-test/callback`;
const sim = await startSim({ token, callbackUrl });
afterAll(sim.close);
const simulated = market.services.payments;
market.services.payments = [
  pawapay({ base: sim.url, token, callbackUrl, warn: () => {} }),
  ...simulated,
];
await writeSetting(market.job('x'), 'xafPerUsd', 605.5);
await writeSetting(market.job('x'), 'xafPerUsdFrom', '2026-01-01');

/** Its words are the longer ones. */
const language = 'fr';
const t = translator(language, 'seller');
const { pay } = dictionaries[language].seller;
const newest = () => [...sim.deposits.keys()].at(-1) ?? '';

test('a seller pays a fee from the dashboard, and sees it paid by itself', async () => {
  const seller = await signUpSeller(market);
  await submitted(market, seller);
  const page = await visitAs(market, seller, { language });
  await page.goto(`/${language}/seller/dashboard`);
  await expectUsable(page, '.listing__fee');
  await page.locator('.listing__pay a').click();
  const number = page.getByLabel(pay.form.number);
  await expectUsable(page);
  // The typed number comes back with the error.
  await number.fill('6 20 00 00 00');
  const send = page.getByRole('button', { name: /^Payer/ });
  await send.click();
  await page.getByRole('alert').waitFor();
  expect(await number.inputValue()).toBe('6 20 00 00 00');
  await expectUsable(page);
  await number.fill('6 77 12 34 56');
  await number.blur();
  await page.locator('select[name="network"]').evaluate(async (select: HTMLSelectElement) => {
    while (select.value !== 'mtn_momo') await new Promise((done) => setTimeout(done, 50));
  });
  await send.click();
  await page.getByText(pay.title.pending).waitFor();
  await expectUsable(page);
  const own = page.url();
  // A closed tab loses nothing: the dashboard leads back.
  await page.goto(`/${language}/seller/dashboard`);
  await page.getByText(t('fee.underWay')).click();
  await page.waitForURL(own);
  await page.getByText(pay.title.pending).waitFor();
  await sim.finish(newest());
  await page.getByText(pay.title.completed, { exact: true }).waitFor();
  await expectUsable(page);
  await page.getByText(pay.back).click();
  await page.getByText(t('fee.paid'), { exact: true }).waitFor();
  expect(await page.locator('.listing__pay').count()).toBe(0);
});

test('a member declines, lets the time pass, is credited late, and pays at once', async () => {
  const { buy } = dictionaries.en.connect;
  const member = await signUpMember(market);
  const page = await visitAs(market, member, { language: 'en' });
  await page.goto('/en/connect/credits');
  await page.locator('a[href="?buy"]').first().click();
  const dialog = page.getByRole('dialog');
  const order = async () => {
    await dialog.getByText(buy.methods.mobile_money, { exact: true }).click();
    await dialog.getByLabel(buy.number.label).fill('677123456');
    await dialog.getByRole('button', { name: /^Buy for/ }).click();
    await dialog.getByText(/minutes left to confirm/).waitFor();
  };
  // Refused at once: the dialog says why, and the next try is another payment.
  sim.misbehave('rejected');
  await dialog.getByText(buy.methods.mobile_money, { exact: true }).click();
  await dialog.getByLabel(buy.number.label).fill('677123456');
  await dialog.getByRole('button', { name: /^Buy for/ }).click();
  await dialog.getByText(buy.failures.noWallet).waitFor();
  await dialog.getByText(buy.failed.again).click();
  await order();
  await sim.finish(newest(), { failureCode: 'PAYMENT_NOT_APPROVED' });
  await dialog.getByText(buy.failures.declined).waitFor();
  await expectUsable(page, 'dialog');
  await dialog.getByText(buy.failed.again).click();
  await order();
  const late = newest();
  market.clock.advance({ minutes: 16 });
  await dialog.getByText(buy.expired).waitFor();
  await sim.finish(late);
  await dialog.getByText(buy.failed.again).click();
  expect(await balanceOf(market, member)).toBe(25);
  await order();
  await sim.finish(newest());
  await dialog.getByText(buy.success.title).waitFor();
  await askAboutPayments(market.job('ask-about-payments'));
  expect(await balanceOf(market, member)).toBe(50);
});

test('an admin gives a fee back by the provider, and compares the day with its list', async () => {
  const { credits: say } = dictionaries[language].admin;
  const [seller, admin] = [await signUpSeller(market), await signInAdmin(market)];
  await submitted(market, seller);
  const { products } = await ownProducts(await market.ctx(seller));
  const given = { phone: '+237677123456' };
  const { id } = await payFee(
    await market.ctx(seller),
    products[0]?.feeReference ?? '',
    randomUUID(),
    given,
  );
  await sim.finish(id);

  const page = await visitAs(market, admin, { language });
  await page.goto(`/${language}/admin/credits?status=completed`);
  const mine = page.getByRole('row').filter({ hasText: seller.email });
  await mine.getByRole('button', { name: say.refundOrder }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('textbox', { name: /XAF/ }).fill('3000');
  await dialog.getByRole('textbox', { name: say.reason }).fill('Payé par erreur');
  await expectUsable(page, 'dialog');
  await dialog.getByRole('button', { name: say.refundOrder }).press('Enter');
  await page.getByText(say.refundOrdered).first().waitFor();
  await page
    .getByText(/3\s000.*est en cours|3\s000.*prestataire/)
    .first()
    .waitFor();
  const [refund = ''] = [...sim.refunds.keys()];
  sim.giveBack(refund);
  market.clock.advance({ minutes: 1 });
  await askAboutRefunds(market.job('ask-about-payments'));
  await page.getByLabel(say.states).selectOption('refunded');
  await page.getByText(/Payé par erreur/).waitFor();

  // The provider's list of the day agrees, until a sum on it is another one.
  await page.getByRole('tab', { name: say.journal.title }).click();
  const today = market.clock.now().toISOString().slice(0, 10);
  const compare = async (back: string) => {
    const deposits = [...sim.deposits.values()].filter(({ status }) => status === 'COMPLETED');
    const rows = [
      'Creation Date,MSISDN,Transaction ID,Amount,Currency,Country,MNO,Type',
      ...deposits.map(
        ({ depositId, amount }) =>
          `${today} 10:00,237677123456,${depositId},${amount},XAF,CMR,MTN,DEPOSIT`,
      ),
      `${today} 10:00,237677123456,${refund},${back},XAF,CMR,MTN,REFUND`,
    ];
    await page.getByLabel(say.reconcile.day).fill(today);
    await page.getByLabel(say.reconcile.file).setInputFiles({
      ...{ name: 'statement.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(rows.join('\n')),
    });
    await page.getByRole('button', { name: say.reconcile.compare }).click();
  };
  await compare('-3000');
  await page.getByText(say.reconcile.same).waitFor();
  await compare('-2500');
  await page.getByText(say.reconcile.advice.amount).waitFor();
  await expectUsable(page);

  // The seller has both papers, in French.
  const own = await visitAs(market, seller, { language });
  await own.goto(`/${language}/pay/${id}`);
  await own.getByText(pay.title.refunded).first().waitFor();
  await expectUsable(own);
  const papers = own.locator('a[href*="/api/receipts/"]');
  const texts = await Promise.all(
    (await papers.all()).map(async (paper) => {
      const answer = await own.request.get((await paper.getAttribute('href')) ?? '');
      const pdf = await getDocumentProxy(new Uint8Array(await answer.body()));
      return (await extractText(pdf, { mergePages: true })).text;
    }),
  );
  expect(texts).toEqual([
    expect.stringMatching(/Reçu TR-[\s\S]*3\s000\sXAF/),
    expect.stringMatching(/Avoir TA-[\s\S]*3\s000\sXAF/),
  ]);
});
