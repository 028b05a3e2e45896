import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { hidePost } from '../../api/connect/hide.ts';
import { publishPost } from '../../api/connect/publish.ts';
import { reportPost } from '../../api/connect/report.ts';
import { newPost } from '../../api/connect/schema.ts';
import { correctCredits } from '../../api/credits/correct.ts';
import { buyCredits } from '../../api/payments/buy.ts';
import { settlePurchase } from '../../api/payments/settle.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors, signInAdmin } from '../support/actors.ts';
import { balanceOf, expectSoundCredits, grant } from '../support/credits.ts';
import { openMarket, phone } from '../support/market.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

const market = await openMarket();
const { member, seller, admin } = await actors(market);
const colleague = await signInAdmin(market);
beforeEach(() => market.reset());

// By keyboard: on a phone's screen a toast may briefly cover a button.
const press = (page: Page, name: string | RegExp) => button(page, name).first().press('Enter');
const publish = async (title: string) => {
  const post = newPost.parse({
    title,
    description: 'Since this morning.\nThe tools are here.',
    category: 'repairs',
    contactWhatsapp: '699001000',
  });
  return (await publishPost(await market.ctx(member), post, randomUUID())).reference;
};
const report = async (reference: string, visitor: string, note: string) =>
  reportPost(
    await market.ctx(undefined, { client: { visitor, addressHash: 'a', userAgent: '' } }),
    reference,
    { reason: 'fraud', note },
  );

describe('the posts of Connect', () => {
  const language = 'en';
  const say = dictionaries[language].admin.connect;
  const { meanwhile } = dictionaries[language].admin;
  const t = translator(language, 'admin');

  test('are taken down with a refund, put back, and their reports closed', async () => {
    await grant(market, member, 10);
    const [tap, roof, wall] = [
      await publish('A tap that leaks'),
      await publish('A roof to mend'),
      await publish('A wall to paint'),
    ];
    for (const reference of [tap, roof, wall]) await report(reference, 'one', 'It is a trap');
    const page = await visitAs(market, admin, { language, viewport: phone });
    await page.goto(`/${language}/admin/connect`);
    await page.getByText(t('connect.count', { count: 3 })).waitFor();
    await page.getByText('It is a trap').first().waitFor();
    await page.getByText(say.reasons.fraud).first().waitFor();
    const card = page.locator('.posts__post', { hasText: 'A tap that leaks' });
    expect(await card.getByRole('link', { name: say.view }).getAttribute('href')).toBe(
      `/${language}/connect/${tap}`,
    );
    await expectNoSidewaysScroll(page);

    // The reason is validated here, and kept when the connection breaks.
    await press(page, `${say.hide}: A tap that leaks`);
    await page.getByText(t('connect.hideTitle', { title: 'A tap that leaks' })).waitFor();
    const reason = page.getByRole('textbox', { name: say.reason });
    await press(page, say.hide);
    await page.getByText(dictionaries[language].validation.required).waitFor();
    await reason.fill('A trap indeed');
    await page.getByLabel(say.refund).check();
    await page.context().setOffline(true);
    await press(page, say.hide);
    await page.getByText(say.hideFailed).first().waitFor();
    expect([await reason.inputValue(), await page.getByLabel(say.refund).isChecked()]).toEqual([
      'A trap indeed',
      true,
    ]);
    await page.context().setOffline(false);
    await press(page, say.hide);
    await page.getByText(say.hiddenRefunded).first().waitFor();
    await page.getByText(t('connect.count', { count: 2 })).waitFor();
    expect(await balanceOf(market, member)).toBe(6);

    // Another admin has taken the second one down since this page was read.
    await hidePost(await market.ctx(colleague), roof, {
      reason: 'Twice on the board',
      refund: true,
    });
    await press(page, `${say.hide}: A roof to mend`);
    await reason.fill('A trap as well');
    await page.getByLabel(say.refund).check();
    await press(page, say.hide);
    await page.getByText(new RegExp(meanwhile.postHidden)).first().waitFor();
    await page.getByText(t('connect.count', { count: 1 })).waitFor();
    expect(await balanceOf(market, member)).toBe(8);

    await press(page, `${say.resolve}: A wall to paint`);
    await page.getByRole('textbox', { name: say.note }).fill('A real wall');
    await press(page, say.resolve);
    await page.getByText(say.resolved).first().waitFor();
    await page.getByText(say.empty.reported).waitFor();

    await page.getByLabel(say.states).selectOption('hidden');
    await page.waitForURL('**/admin/connect?show=hidden');
    await page.getByLabel(say.search).fill('tap');
    await page.getByText(t('connect.count', { count: 1 })).waitFor();
    await page.getByText(say.refunded, { exact: true }).waitFor();
    await press(page, `${say.unhide}: A tap that leaks`);
    await page.getByText(say.unhideText).waitFor();
    await press(page, say.unhide);
    await page.getByText(say.unhidden).first().waitFor();
    await page.getByText(t('connect.noMatch', { query: 'tap' })).waitFor();
    const [row] = await market.sql`select hidden_at from connect_posts where reference = ${tap}`;
    expect(row?.hidden_at).toBeNull();
    // The refund stays, and the next dialog says so.
    await page.getByLabel(say.states).selectOption('active');
    await press(page, `${say.hide}: A tap that leaks`);
    await page.getByText(say.refundDone).waitFor();
    expect(page.errors).toEqual([]);
    await expectSoundCredits(market);
  });
});

describe('credits', () => {
  const language = 'en';
  const say = dictionaries[language].admin.credits;
  const { errors, admin: words } = dictionaries[language];
  const t = translator(language, 'admin');
  const buy = async (who: typeof member) =>
    buyCredits(await market.ctx(who), 'cash_partner', randomUUID());

  test('that were paid in cash are settled once, and what nobody pays is ended', async () => {
    const [first, second] = [await buy(member), await buy(member)];
    const third = await buy(seller);
    await settlePurchase(await market.ctx(colleague), second.id, 'RCT-1');
    const page = await visitAs(market, admin, { language, viewport: phone });
    await page.goto(`/${language}/admin/credits`);
    await page.getByText(t('credits.count', { count: 2 })).waitFor();
    await expectNoSidewaysScroll(page);
    const act = (verb: string, { reference }: { reference: string }) =>
      press(page, new RegExp(`^${verb}: .*${reference}$`));
    await act(say.settle, first);
    const payment = page.getByRole('textbox', { name: say.paymentReference });
    await payment.fill('RCT-1');
    await press(page, say.settle);
    await page.locator('dialog').getByText(errors.payments.referenceUsed).waitFor();
    await payment.fill('RCT-2');
    await press(page, say.settle);
    await page.getByText(say.settled).first().waitFor();
    await page.getByText(t('credits.count', { count: 1 })).waitFor();
    expect(await balanceOf(market, member)).toBe(50);

    await act(say.close, third);
    await page.getByLabel(say.outcome).selectOption('failed');
    await page.getByRole('textbox', { name: say.reason }).fill('The cash never came');
    // Another admin has had the cash in the meantime.
    await settlePurchase(await market.ctx(colleague), third.id, 'RCT-3');
    await press(page, say.close);
    await page.getByText(new RegExp(words.meanwhile.purchaseCompleted)).first().waitFor();
    await page.getByText(say.empty.pending).waitFor();
    await page.getByLabel(say.states).selectOption('completed');
    await page.waitForURL('**/admin/credits?status=completed');
    await page.getByText('RCT-3').waitFor();

    // Money that was given back takes its credits along.
    await act(say.refund, second);
    await page.getByRole('textbox', { name: /USD/ }).fill('11');
    await page.getByRole('textbox', { name: say.refundReference }).fill('BACK-1');
    await page.getByRole('textbox', { name: say.reason }).fill('Bought twice');
    await press(page, say.refund);
    await page
      .locator('dialog')
      .getByText(/USD\s10/)
      .last()
      .waitFor();
    await page.getByRole('textbox', { name: /USD/ }).fill('10');
    await press(page, say.refund);
    await page.getByText(say.refundDone).first().waitFor();
    expect(await balanceOf(market, member)).toBe(25);
    await page.getByLabel(say.states).selectOption('refunded');
    await page.getByText(/BACK-1.*25.*Bought twice/).waitFor();
    await page.getByRole('tab', { name: say.journal.title }).click();
    await page.getByText(`${t('credits.count', { count: 3 })} · USD\u00a030`).waitFor();
    await expectNoSidewaysScroll(page);
    const link = page.getByRole('link', { name: say.journal.download });
    const csv = await page.request.get((await link.getAttribute('href')) ?? '');
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(5);
    expect(page.errors).toEqual([]);
    await expectSoundCredits(market);
  });

  test('are corrected in a member’s ledger, by an entry of its own and never below zero', async () => {
    await grant(market, member, 3);
    const page = await visitAs(market, admin, { language, viewport: phone });
    await page.goto(`/${language}/admin/credits?tab=members`);
    await page.getByText(say.searchFirst).waitFor();
    await page.getByLabel(say.search).fill(member.email);
    await press(page, new RegExp(`^${say.openLedger}: `));
    await page.getByText(say.whole).waitFor();
    await page.getByText('For the test').waitFor();
    await expectNoSidewaysScroll(page);
    const [amount, reason] = [
      page.getByRole('textbox', { name: say.amount }),
      page.getByRole('textbox', { name: say.reason }),
    ];
    const ask = () => press(page, say.correct);
    const send = () =>
      page.locator('dialog[open]').getByRole('button', { name: say.correct }).press('Enter');
    await ask();
    await amount.fill('1,5');
    await reason.fill('Paid twice');
    await send();
    await page.getByText(dictionaries[language].validation.whole).waitFor();
    await amount.fill('−4');
    await send();
    await page
      .locator('dialog')
      .getByText(translator(language, 'errors')('credits.belowZero', { balance: 3 }))
      .waitFor();
    await amount.fill('+5');
    await send();
    await page.getByText(say.corrected).first().waitFor();
    await page.getByText(t('credits.by', { reason: 'Paid twice', name: admin.name })).waitFor();
    expect(await balanceOf(market, member)).toBe(8);

    // Another admin corrects the same account while this dialog is open.
    await ask();
    await correctCredits(
      await market.ctx(colleague),
      { userId: member.userId, amount: -5, reason: 'Not paid twice' },
      randomUUID(),
    );
    await amount.fill('-5');
    await reason.fill('Not paid twice');
    await send();
    await page.getByText(new RegExp(words.meanwhile.balanceChanged)).first().waitFor();
    await page
      .getByText(t('credits.by', { reason: 'Not paid twice', name: colleague.name }))
      .waitFor();
    expect(await balanceOf(market, member)).toBe(3);
    // The open ledger is part of the address.
    await page.reload();
    await page
      .getByText(t('credits.balanceOf', { count: 3 }))
      .first()
      .waitFor();
    await press(page, say.back);
    await expect.poll(() => page.getByLabel(say.search).inputValue(), patient).toBe(member.email);

    // A member's first correction opens the ledger.
    await page.getByLabel(say.search).fill(seller.email);
    await page.getByText(say.unopened).waitFor();
    await press(page, new RegExp(`^${say.correct}: `));
    await amount.fill('2');
    await reason.fill('A gift');
    await send();
    await page.getByText(t('credits.by', { reason: 'A gift', name: admin.name })).waitFor();
    expect(page.errors).toEqual([]);
    await expectSoundCredits(market);
  });
});
