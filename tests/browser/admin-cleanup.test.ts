import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { sturdy } from '../support/database.ts';
import { desktop, openMarket, phone, type Visit } from '../support/market.ts';
import { productRow, submitted } from '../support/products.ts';
import { filled, hold, refuse } from '../support/requests.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const asAdmin = (visit: Visit) => visitAs(market, admin, visit);
const fitsThePhone = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
const change = (id: string, columns: Partial<typeof schema.products.$inferInsert>) =>
  sturdy(() => market.db.update(schema.products).set(columns).where(eq(schema.products.id, id)));
const longAgo = () => new Date(market.clock.now().getTime() - 366 * 86_400_000);
const rejectedLongAgo = async () => {
  const { id } = await submitted(market, seller);
  await change(id, { status: 'rejected', rejectedAt: longAgo() });
  return id;
};

test.each([desktop, phone])(
  'moves nothing when its figures come, at $width px',
  async (viewport) => {
    const page = await asAdmin({ language: 'en', viewport });
    await page.addInitScript(() => {
      const seen = { total: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          seen.total += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const release = await hold(page, '**/api/admin/cleanup/**');
    await page.goto('/en/admin/cleanup');
    await page.locator('.skeleton').first().waitFor();
    await release();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(
      await page.evaluate(() => (window as unknown as { seen: { total: number } }).seen.total),
    ).toBeLessThan(0.02);
  },
);

describe('the storage cleanup', () => {
  const language = 'en';
  const say = dictionaries[language];
  const t = translator(language, 'admin');
  const at = `/${language}/admin/cleanup`;
  const figure = (page: Page, label: string) =>
    page.locator('.cleanup__figures .figure', { hasText: label }).locator('dd');
  const counted = (products: number, images: number) => ({
    products: t('cleanup.completedProducts', { count: products }),
    images: t('cleanup.completedImages', { count: images }),
  });

  test('loads, shows rules and estimate, and runs after a confirmation that says what is due', async () => {
    const gone = await rejectedLongAgo();
    const { id: kept } = await submitted(market, seller);
    const page = await asAdmin({ language });
    const release = await hold(page, '**/api/admin/cleanup/stats*');
    await page.goto(at);
    await page.getByText(say.admin.cleanup.loading).first().waitFor({ state: 'attached' });
    await release();
    await page.getByText(say.admin.cleanup.never).waitFor();
    for (const rule of [
      say.admin.cleanup.ruleImages,
      say.admin.cleanup.ruleRecords,
      say.admin.cleanup.ruleRemoved,
    ])
      await page.getByText(rule).waitFor();
    await page.getByText(say.admin.cleanup.status.optimal).waitFor();
    await page.getByText('Estimate: 1 MB of 1,000 MB').waitFor();
    expect(await figure(page, say.admin.cleanup.totalOperations).textContent()).toBe('0');
    expect(await fitsThePhone(page)).toBe(true);

    await button(page, say.admin.cleanup.run).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('cleanup.confirmDue', counted(1, 1))).waitFor();
    await page.route('**/api/admin/cleanup', (route) => route.abort());
    await dialog.getByRole('button', { name: say.admin.cleanup.run }).click();
    await dialog.getByText(say.admin.cleanup.failed).waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await dialog.getByRole('button', { name: say.admin.cleanup.run }).click();
    await page
      .getByText(filled(say.admin.cleanup.completed, counted(1, 1)))
      .first()
      .waitFor();
    await expect
      .poll(() => figure(page, say.admin.cleanup.totalCleanedProducts).textContent())
      .toBe('1');
    await expect
      .poll(() => figure(page, say.admin.cleanup.totalDeletedImages).textContent())
      .toBe('1');
    expect(await market.db.$count(schema.products, eq(schema.products.id, gone))).toBe(0);
    expect((await productRow(market, kept)).images).toHaveLength(1);

    // A second run has nothing due. By keyboard: a toast may cover the button, and stays while a
    // pointer is on it.
    await button(page, say.admin.cleanup.run).press('Enter');
    await dialog.getByText(say.admin.cleanup.confirmNothing).waitFor();
    await dialog.getByRole('button', { name: say.common.actions.cancel }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(page.errors).toEqual([]);
  });

  test('says which part could not be loaded, and keeps the rest; a storage that is away is said, and one that is full warns', async () => {
    const { id } = await submitted(market, seller);
    const { images } = await productRow(market, id);
    const many = Array.from({ length: 5 }, () => images).flat();
    await sturdy(() =>
      market.db
        .insert(schema.products)
        .values(Array.from({ length: 321 }, (_, n) => ({ slug: `p-${n}`, images: many }))),
    );
    const page = await asAdmin({ language, viewport: desktop });
    const letGo = await refuse(page, '**/api/admin/cleanup/stats*', 'the reason');
    const { storage } = market.services;
    const { list, probe } = storage;
    const away = () => {
      throw new Error('the disk is gone');
    };
    Object.assign(storage, { list: away, probe: away });
    try {
      await page.goto(at);
      await page.getByText(say.admin.cleanup.statsFailed).waitFor();
      await page.getByText('the reason').waitFor();
      await page.getByText(say.admin.cleanup.status.high).waitFor();
      await page.getByText(say.admin.cleanup.highWarning).waitFor();
      await page.getByText(say.errors.health.storageUnavailable).waitFor();
      await letGo();
      await button(page, say.common.actions.retry).click();
      await page.getByText(say.admin.cleanup.never).waitFor();
      await button(page, say.admin.cleanup.run).click();
      await page.getByRole('dialog').getByRole('button', { name: say.admin.cleanup.run }).click();
      await page.getByRole('dialog').getByText(say.admin.cleanup.failed).waitFor();
      const counted = {
        products: t('cleanup.completedProducts', { count: 0 }),
        images: t('cleanup.completedImages', { count: 0 }),
      };
      await page
        .getByRole('dialog')
        .getByText(filled(say.errors.upkeep.storageAway, counted))
        .waitFor();
    } finally {
      Object.assign(storage, { list, probe });
    }
    await page.getByRole('dialog').getByRole('button', { name: say.common.actions.cancel }).click();
  });
});
