import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { requestContact } from '../../api/contact/request.ts';
import { recordEvent } from '../../api/engagement/record.ts';
import type { EngagementEvent } from '../../api/engagement/schema.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { number } from '../../site/src/lib/format.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { live, uploadPhoto } from '../support/products.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

async function visitAsAdmin(language: Language) {
  const page = await market.visit({ language });
  const cookies = admin.jar
    .header()
    .split('; ')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: market.url,
    }));
  await page.context().addCookies(cookies);
  return page;
}

async function happen(
  { id, slotId }: { id: string; slotId: number },
  counts: Partial<Record<EngagementEvent['type'], number>>,
) {
  for (const [type, count] of Object.entries(counts)) {
    const ctx = await market.ctx();
    const event = { slotId, productId: id, type: type as EngagementEvent['type'] };
    await Promise.all(Array.from({ length: count }, () => recordEvent(ctx, event, randomUUID())));
  }
}

async function makeFigures() {
  const image = () => uploadPhoto(market, seller);
  const today = market.clock.now();
  market.clock.set(new Date(today.getTime() - 4 * 86_400_000));
  const busy = await live(market, seller, admin, {
    name: { en: 'Talking drum', fr: 'Tambour parlant' },
    durationHours: 120,
    images: [await image()],
  });
  await happen(busy, { view: 40, click: 12, share: 3 });
  market.clock.set(today);
  const quiet = await live(market, seller, admin, {
    name: { en: 'Stew pot', fr: 'Marmite' },
    images: [await image()],
  });
  await happen(quiet, { view: 8, click: 1 });
  await requestContact(await market.ctx(), quiet.id, true);
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
describe('the analytics', () => {
  const language = 'en';
  const { analytics: say } = dictionaries[language].admin;
  const t = translator(language, 'admin');
  const figure = (page: Page, label: string) =>
    page
      .locator('.figure', { has: page.getByText(label, { exact: true }) })
      .locator('.figure__value');
  const pick = (page: Page, range: keyof typeof say.ranges) =>
    page.getByRole('button', { name: say.ranges[range], exact: true });

  test('show what was measured, as figures, pictures and a table, for the range in the address', async () => {
    await makeFigures();
    const page = await visitAsAdmin(language);
    await page.goto(`/${language}/admin/analytics`);
    await figure(page, say.totalViews).getByText('48', { exact: true }).waitFor();
    expect(await figure(page, say.totalClicks).innerText()).toBe('13');
    expect(await figure(page, say.contacts).innerText()).toBe('1');
    expect(await figure(page, say.totalShares).innerText()).toBe('3');
    expect(await figure(page, say.ctr).innerText()).toBe(
      t('analytics.percent', { value: number(27.1, language) }),
    );
    const [first, second] = await page
      .getByRole('table', { name: say.topSlots })
      .locator('tbody tr')
      .allInnerTexts();
    expect(first).toContain('Talking drum');
    expect(second).toContain('Stew pot');
    await page.getByRole('heading', { name: say.daily }).waitFor();
    // Four days ago and today, which is not over.
    const views = page.locator('.daily').first();
    expect([
      await views.locator('.daily__bar').count(),
      await views.locator('.daily__bar--today').count(),
    ]).toEqual([2, 1]);
    expect(
      await page.getByRole('img', { name: new RegExp(`^${say.totalViews} .* 40`) }).count(),
    ).toBe(1);
    await page.getByText(say.showTable).click();
    expect(await page.getByRole('table', { name: say.daily }).locator('tbody tr').count()).toBe(7);
    expect(await overflow(page)).toBe(0);

    await pick(page, '90d').click();
    await page.waitForURL('**?range=90d');
    // The last seven days stay; the range's own days appear beside them.
    const days = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('.daily').first().locator('g');
    await page.getByRole('heading', { name: t('analytics.dailyRange', { days: 90 }) }).waitFor();
    expect([
      await days(say.daily).count(),
      await days(t('analytics.dailyRange', { days: 90 })).count(),
    ]).toEqual([7, 90]);
    await page.goBack();
    await page.getByRole('heading', { name: say.daily }).waitFor();
    await page.goto(`/${language}/admin/analytics?range=30d`);
    await page.getByRole('heading', { name: t('analytics.dailyRange', { days: 30 }) }).waitFor();
    expect([
      await days(say.daily).count(),
      await days(t('analytics.dailyRange', { days: 30 })).count(),
    ]).toEqual([7, 30]);
    expect(await pick(page, '30d').getAttribute('aria-pressed')).toBe('true');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: say.export }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('marche54-analytics-30d.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(`\uFEFF${Object.values(say.csv).join(',')}`);
    expect(lines.find((line) => line.includes('#11'))).toMatch(
      /^\d{4}-\d\d-\d\d,#11,(Talking drum|Tambour parlant),40,12,0,3$/,
    );
    expect(page.errors).toEqual([]);
  });

  test('say that they load, that nothing happened, what failed, and try again', async () => {
    const page = await visitAsAdmin(language);
    let open: () => void = () => {};
    const held = new Promise<void>((resolve) => (open = resolve));
    await page.route('**/api/admin/analytics?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/${language}/admin/analytics`);
    await page.getByText(say.loading).waitFor();
    open();
    await page.getByText(say.empty).waitFor();

    await page.unroute('**/api/admin/analytics?*');
    const refuse = {
      status: 429,
      json: { error: { code: 'tooManyRequests', message: 'Not now', requestId: 'r' } },
    };
    await page.route('**/api/admin/analytics?*', (route) => route.fulfill(refuse));
    await pick(page, '30d').click();
    await page.getByRole('alert').getByText(say.loadFailed).waitFor();
    await page.getByText('Not now').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/admin/analytics?*');
    await page.getByRole('alert').getByRole('button').click();
    await page.getByText(say.empty).waitFor();

    // Earlier figures stay while a refresh fails.
    await makeFigures();
    await page
      .getByRole('button', { name: dictionaries[language].common.actions.refresh, exact: true })
      .click();
    await figure(page, say.totalViews).getByText('48', { exact: true }).waitFor();
    await page.route('**/api/admin/analytics?*', (route) => route.fulfill(refuse));
    await page
      .getByRole('button', { name: dictionaries[language].common.actions.refresh, exact: true })
      .click();
    await page.getByText('Not now').waitFor();
    expect(await figure(page, say.totalViews).innerText()).toBe('48');
    expect(page.errors).toEqual([]);
  });
});
