import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { settingNames } from '../../api/settings/schema.ts';
import { readSettings } from '../../api/settings/values.ts';
import { money } from '../../api/shared/text.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { productRow, submitted } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const stored = () => readSettings(market.job('x'), settingNames);
const _read = /\/api\/admin\/settings$/;

describe('the settings', () => {
  const language = 'en';
  const dictionary = dictionaries[language];
  const say = dictionary.admin.settings;
  const save = (title: string) => `${say.save}: ${title}`;
  // By keyboard: on a phone's screen a toast may briefly cover the button.
  const send = (page: Page, title: string) => button(page, save(title)).press('Enter');

  test('are judged on the page, saved one group at a time, and hold at once', async () => {
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/settings`);
    const number = page.getByLabel(say.fields.contactNumber.label);
    await number.waitFor();
    expect(await button(page, save(say.operator.title)).isDisabled()).toBe(true);
    await number.fill('12');
    await send(page, say.operator.title);
    await page.getByText(dictionary.validation.phone).waitFor();
    expect((await stored()).contactNumber).toBe('');
    await number.fill('699 00 12 34');
    await send(page, say.operator.title);
    await page.getByText(say.saved).first().waitFor();
    await expect.poll(() => number.inputValue(), patient).toBe('+237699001234');
    expect((await stored()).contactNumber).toBe('+237699001234');

    const perHour = page.getByLabel(say.fields.contactPerHour.label);
    const perDay = page.getByLabel(say.fields.contactPerDay.label);
    await perHour.fill('2.5');
    await perDay.fill('');
    await send(page, say.limits.title);
    await page.getByText(dictionary.validation.whole).waitFor();
    await page.getByText(dictionary.validation.required).waitFor();
    await perHour.fill('4');
    await perDay.fill('0');
    await send(page, say.limits.title);
    await page.getByText(translator(language, 'validation')('tooSmall', { min: 1 })).waitFor();
    await perDay.fill('9');
    // A broken connection loses no input.
    await page.context().setOffline(true);
    await send(page, say.limits.title);
    await page.getByText(say.saveFailed).first().waitFor();
    expect([await perHour.inputValue(), await perDay.inputValue()]).toEqual(['4', '9']);
    await page.context().setOffline(false);
    await send(page, say.limits.title);
    await expect
      .poll(stored, patient)
      .toMatchObject({ contactPerHour: 4, contactPerDay: 9, contactPerAddressPerHour: 600 });

    await page.getByText(say.stats.fixedWarning).waitFor();
    await page.getByLabel(say.stats.measured).check();
    await page.getByText(say.stats.measuredHint).waitFor();
    await send(page, say.stats.title);
    await page.getByLabel(say.fields.trackFees.label).uncheck();
    await send(page, say.fees.title);
    await page.getByLabel(say.fields.weeklyPurchaseLimitUsd.label).fill('35');
    await page.getByLabel(say.fields.creditsOnJoining.label).fill('2');
    await send(page, say.connect.title);
    const momo = page.getByRole('group', { name: dictionary.common.paymentMethods.mtn_momo });
    await momo.getByLabel(say.payees.payee).fill('Marché 54');
    await momo.getByLabel(say.payees.number).fill('+237 670 00 00 00');
    await send(page, say.payees.title);
    await expect.poll(stored, patient).toMatchObject({
      statsMeasured: true,
      trackFees: false,
      weeklyPurchaseLimitUsd: 35,
      creditsOnJoining: 2,
      payees: {
        mtn_momo: { number: '+237 670 00 00 00', payee: 'Marché 54' },
        cash: { number: '', payee: '' },
      },
    });
    // Another admin's change appears without a reload, beside the input here.
    await page.getByLabel(say.fields.contactPerAddressPerHour.label).fill('700');
    await saveSetting(await market.ctx(admin), 'contactPerHour', 5);
    await expect.poll(() => perHour.inputValue(), patient).toBe('5');
    expect(await page.getByLabel(say.fields.contactPerAddressPerHour.label).inputValue()).toBe(
      '700',
    );
    await page.getByText(say.unsaved).waitFor();
    await expectNoSidewaysScroll(page);
    expect(page.errors).toEqual([]);
  });
});

describe('the operator’s own terms', () => {
  const language = 'en';
  const say = dictionaries[language].admin.settings.legal;
  const { agreement, draft } = dictionaries[language].legal;

  test('are written, shown before, published once and asked about; a slower admin keeps the text', async () => {
    const field = (page: Page, name: string) => page.locator(`textarea[name="${name}"]`);
    const open = async () => {
      const page = await visitAs(market, admin, { language });
      await page.goto(`/${language}/admin/settings?tab=legal`);
      await field(page, 'terms.en').waitFor();
      return page;
    };
    const publish = async (page: Page) => {
      await page.getByRole('button', { name: say.publish, exact: true }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByText(say.consequence).waitFor();
      await dialog.getByRole('button', { name: say.publish, exact: true }).click();
    };
    const [page, slower] = [await open(), await open()];
    await field(page, 'terms.en').fill('# Our rules\n\nBe <b>fair</b>. [More](/en/how-it-works)');
    await page.getByRole('button', { name: say.publish, exact: true }).click();
    await page.getByText(dictionaries[language].validation.required).waitFor();
    await field(page, 'terms.fr').fill('# Nos règles');
    await page.getByRole('button', { name: say.preview }).first().click();
    await page.locator('.settings__preview a', { hasText: 'More' }).waitFor();
    await expectAccessible(page);
    await publish(page);
    await page.getByText(say.published).first().waitFor();
    await page.getByText(agreement.ask).first().waitFor({ state: 'detached' });

    await field(slower, 'terms.en').fill('Other rules');
    await field(slower, 'terms.fr').fill('D’autres règles');
    await publish(slower);
    await slower.getByText(dictionaries[language].errors.legal.published).first().waitFor();
    expect(await field(slower, 'terms.en').inputValue()).toBe('Other rules');

    await page.goto(`/${language}/terms`);
    await page.getByRole('heading', { name: 'Our rules' }).waitFor();
    await page.getByText('Be <b>fair</b>.').waitFor();
    expect(await page.getByText(draft).count()).toBe(0);
    await page.goto(`/${language}/admin/settings`);
    await page.getByRole('button', { name: agreement.agree }).click();
    await page.getByText(agreement.ask).waitFor({ state: 'detached' });
    await page.goto('/fr/admin/settings?tab=legal');
    await field(page, 'terms.fr').waitFor();
    await expectNoSidewaysScroll(page);
    expect([...page.errors, ...slower.errors]).toEqual([]);
  });
});

describe('the listing fees', () => {
  const language = 'en';
  const say = dictionaries[language].admin.fees;
  const t = translator(language, 'admin');
  const fees = /\/api\/admin\/fees\?/;

  test('are marked as paid, waived or due again, with their reference', async () => {
    const { id } = await submitted(market, seller, {
      name: { en: 'Radio', fr: 'Radio' },
      durationHours: 48,
    });
    const { listing } = await productRow(market, id);
    const said = {
      name: 'Radio',
      amount: money(listing?.fee ?? 0, language),
      reference: listing?.feeReference ?? '',
    };
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/settings`);
    await button(page, dictionaries[language].admin.settings.fees.toList).click();
    await page.waitForURL('**/admin/settings?tab=fees');
    await page.getByText(said.reference).waitFor();
    await expectNoSidewaysScroll(page);
    await button(page, `${say.markPaid}: Radio`).click();
    await page.getByText(t('fees.confirmPaid', said)).waitFor();
    await page.context().setOffline(true);
    await button(page, say.markPaid).click();
    await page.getByText(say.failed).first().waitFor();
    expect((await productRow(market, id)).listing?.feeState).toBe('due');
    await page.context().setOffline(false);
    await button(page, say.markPaid).click();
    await page.getByText(say.updated).first().waitFor();
    await page.getByText(say.empty.due).waitFor();
    expect((await productRow(market, id)).listing?.feeState).toBe('paid');

    await page.getByLabel(say.states).selectOption('paid');
    await page.waitForURL('**/admin/settings?tab=fees&state=paid');
    await page.getByText(/, (by|par) Admin/).waitFor();
    await button(page, `${say.waive}: Radio`).click();
    await button(page, say.waive).click();
    await expect
      .poll(async () => (await productRow(market, id)).listing?.feeState, patient)
      .toBe('waived');
    // While the waived list loads, paid rows must not be shown in it: their dialog would name the
    // wrong state.
    const release = await hold(page, fees);
    await page.getByLabel(say.states).selectOption('waived');
    await page.getByText(say.loading).waitFor();
    expect(await button(page, `${say.markDue}: Radio`).count()).toBe(0);
    await release();
    await button(page, `${say.markDue}: Radio`).click();
    await page.getByText(t('fees.dueTitle', said)).waitFor();
    await button(page, say.markDue).click();
    await expect
      .poll(async () => (await productRow(market, id)).listing?.feeState, patient)
      .toBe('due');
    expect(page.errors).toEqual([]);
  });
});
