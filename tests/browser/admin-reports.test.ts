import { beforeEach, describe, expect, test } from 'vitest';
import { reportListing } from '../../api/reports/report.ts';
import type { ReportInput } from '../../api/reports/schema.ts';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { live, productRow, slotOf } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll, patient } from './people.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const report = async (id: string, reason: ReportInput['reason'], note?: string) =>
  reportListing(await market.ctx(), id, { reason, note });

describe('reports', () => {
  const language = 'en';
  const say = dictionaries[language].admin.reports;
  const reasons = dictionaries[language].shop.report.reasons;
  const t = translator(language, 'admin');
  const _retry = dictionaries[language].common.actions.retry;

  test('are dismissed with a note, or the product is removed and can come back', async () => {
    const bad = await live(market, seller, admin, {
      name: { en: 'Stolen phone', fr: 'Téléphone volé' },
    });
    const good = await live(market, seller, admin, {
      name: { en: 'Good radio', fr: 'Bonne radio' },
    });
    await report(bad.id, 'stolen', 'It is mine');
    await report(bad.id, 'fraud');
    await report(good.id, 'other');
    const [badName, goodName] = ['Stolen phone', 'Good radio'];
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/reports`);
    await page.getByText(t('reports.count', { count: 3 })).waitFor();
    await page.getByText('It is mine').waitFor();
    expect(await page.locator('.reported').first().locator('h2').textContent()).toBe(badName);
    expect(await page.getByRole('link', { name: say.view }).first().getAttribute('href')).toBe(
      `/${language}/shop/slot/${bad.slotId}`,
    );
    await expectNoSidewaysScroll(page);
    await page.getByLabel(say.byReason).selectOption('fraud');
    await page.waitForURL('**/admin/reports?reason=fraud');
    await expect.poll(() => page.locator('.reported').count(), patient).toBe(1);
    await page.getByLabel(say.byReason).selectOption('');
    await page.getByText(goodName).waitFor();

    await button(page, `${say.dismiss}: ${goodName}`).click();
    const note = page.getByRole('textbox', { name: say.note });
    expect(await note.inputValue()).toBe(say.noteDefault);
    await note.fill('');
    await button(page, say.dismiss).click();
    await page.getByText(say.noteRequired).waitFor();
    await note.fill('Called the seller');
    await page.context().setOffline(true);
    await button(page, say.dismiss).click();
    await page.getByText(say.dismissFailed).first().waitFor();
    expect(await note.inputValue()).toBe('Called the seller');
    await page.context().setOffline(false);
    await button(page, say.dismiss).click();
    await page.getByText(say.dismissed).first().waitFor();

    await button(page, `${say.remove}: ${badName}`).click();
    await page.getByText(say.removeText).waitFor();
    await button(page, say.remove).click();
    await page.getByText(say.removed).first().waitFor();
    await page.getByText(say.empty).waitFor();
    expect(await slotOf(market, bad.id)).toBeUndefined();
    expect((await productRow(market, bad.id)).removedAt).not.toBeNull();

    await page.getByRole('tab', { name: say.closed }).click();
    await page.getByText('Called the seller').waitFor();
    await page.getByText(`${reasons.fraud} · ${reasons.stolen}`).waitFor();
    await button(page, `${say.restore}: ${badName}`).click();
    await button(page, say.restore).click();
    await page.getByText(say.restored).first().waitFor();
    expect((await productRow(market, bad.id)).removedAt).toBeNull();
    expect(page.errors).toEqual([]);
  });
});

describe('requests about personal data', () => {
  test('are recorded with the day they came, warned of on the dashboard, and closed with what was done', async () => {
    const language = 'en';
    const say = dictionaries[language].admin.reports.data;
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/reports?tab=data`);
    await page.getByText(say.empty).waitFor();
    await button(page, say.record).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('button', { name: say.record, exact: true }).click();
    await dialog.getByText(dictionaries[language].validation.required).first().waitFor();
    await dialog.locator('[name=kind]').selectOption('delete');
    await dialog.locator('[name=person]').fill('Mme Abena, BP 7, Yaoundé');
    const day = new Date(market.clock.now().getTime() - 27 * 86_400_000);
    await dialog.locator('[name=received]').fill(day.toISOString().slice(0, 10));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: say.record, exact: true }).click();
    await page.getByRole('heading', { name: 'Mme Abena, BP 7, Yaoundé' }).waitFor();
    const { requestsDue_one: due, toRequests } = dictionaries[language].admin.dashboard;
    await page.goto(`/${language}/admin/dashboard`);
    await page.getByText(due.replace('{{count}}', '1')).waitFor();
    await page.getByRole('link', { name: toRequests }).click();
    await button(page, say.close).click();
    await dialog.locator('[name=outcome]').fill('Deleted; told by letter.');
    await dialog.getByRole('button', { name: say.close, exact: true }).click();
    await page.getByText('Deleted; told by letter.').waitFor();
    await page.goto('/fr/admin/reports?tab=data');
    await page.getByText('Deleted; told by letter.').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    expect(page.errors).toEqual([]);
  });
});

describe('the audit log', () => {
  const language = 'en';
  const say = dictionaries[language].admin.audit;
  const t = translator(language, 'admin');

  test('tells who did what, with before and after, and is filtered', async () => {
    const ctx = await market.ctx(admin);
    await saveSetting(ctx, 'contactPerHour', 3);
    await saveSetting(ctx, 'contactPerHour', 7);
    await saveSetting(ctx, 'trackFees', false);
    await live(market, seller, admin);
    await market.sql`insert into audit_log (at, actor_kind, action, subject_kind, request_id)
      select ${market.clock.now()}::timestamptz - n * interval '1 day', 'job', 'unheard.of', 'job', 'r' from generate_series(1, 60) n`;
    const page = await visitAs(market, admin, { language });
    await page.goto(`/${language}/admin/audit`);
    await page.getByText(say.actions.approve).last().waitFor();
    await page.getByRole('button', { name: dictionaries[language].common.pagination.next }).click();
    await page.waitForURL('**/admin/audit?page=2');
    await page.getByLabel(say.filter).selectOption('settings.write');
    await page.waitForURL('**/admin/audit?action=settings.write');
    await page.getByText(t('audit.count', { count: 3 })).waitFor();
    await button(
      page,
      new RegExp(
        `^${say.onlyThis}: .* ${dictionaries[language].admin.settings.fields.contactPerHour.label}`,
      ),
    )
      .first()
      .click();
    await page.getByText(t('audit.count', { count: 2 })).waitFor();
    await page.getByText(say.show).first().click();
    const cells = await page.locator('.audit__table').first().locator('td').allTextContents();
    expect(cells).toEqual(['3', '7', 'contactPerHour']);
    await expectNoSidewaysScroll(page);
    // The search survives a reload.
    await page.reload();
    await page.getByText(t('audit.count', { count: 2 })).waitFor();
    await page.getByLabel(say.who, { exact: true }).fill('nobody');
    await page.getByText(say.noMatch).waitFor();
    await button(page, say.clear).click();
    await page.getByText(say.actions.approve).last().waitFor();
    expect(new URL(page.url()).search).toBe('');
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Douala' }).format(
      new Date(market.clock.now().getTime() - 3 * 86_400_000),
    );
    await page.getByLabel(say.from, { exact: true }).fill(day);
    await page.getByLabel(say.to, { exact: true }).fill(day);
    await page.getByText(t('audit.count', { count: 1 }), { exact: true }).waitFor();
    await page.getByText('unheard.of').waitFor();
    expect(page.errors).toEqual([]);
  });
});
