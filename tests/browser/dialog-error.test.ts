import { Glob } from 'bun';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { endless } from '../support/names.ts';
import { approved } from '../support/products.ts';
import { textOf } from '../support/repository.ts';
import { filled, withoutLiveUpdates } from '../support/requests.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

/**
 * A dialog or island that cannot be rendered shows a focused error screen; Try Again asks the
 * server again (product §10).
 */
const market = await openMarket();
const { seller, admin } = await actors(market);
await approved(market, seller, admin, { name: { en: 'Talking drum', fr: 'Tambour parlant' } });

/** Spoils the next answer to a read, and counts the requests. */
async function spoilOnce(page: Page, url: string | RegExp): Promise<{ asked: number }> {
  const count = { asked: 0 };
  await page.route(url, (route) =>
    count.asked++ === 0 ? route.fulfill({ json: {} }) : route.continue(),
  );
  return count;
}
const inView = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
const focusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim());

describe('an island or a dialog that fails', () => {
  const language = 'en';
  const say = dictionaries[language];
  const screen = say.common.errorScreen;
  const words = say.admin.slots;
  const failed = (page: Page) => page.locator('dialog[open]');

  async function openAssign(page: Page): Promise<void> {
    const name = filled(words.actionOn, {
      action: words.assign,
      name: filled(words.number, { slot: '54' }),
    });
    await page.getByRole('button', { name, exact: true }).click();
  }

  test('a dialog gives way to the error screen, and Try Again brings the dialog', async () => {
    const page = await visitAs(market, admin, { language });
    await withoutLiveUpdates(page);
    await page.goto(`/${language}/admin/slots`);
    const count = await spoilOnce(page, '**/api/admin/queue?queueName=queue%3Aregular');
    await openAssign(page);
    await failed(page).getByRole('heading', { name: screen.title }).waitFor();
    expect(await inView(page, 'dialog[open]')).toBe(true);
    await expect.poll(() => focusedText(page)).toBe(screen.tryAgain);
    // The page behind it is whole.
    expect(await page.locator('[data-slot="54"]').count()).toBe(1);
    await expectUsable(page);
    await failed(page).getByRole('button', { name: screen.tryAgain }).click();
    await failed(page).getByRole('button', { name: say.admin.queue.assignDialog.submit }).waitFor();
    expect(count.asked).toBe(2);
  });

  test('a dialog that failed can be closed, and opened again', async () => {
    const page = await visitAs(market, admin, { language });
    await withoutLiveUpdates(page);
    await page.goto(`/${language}/admin/slots`);
    await spoilOnce(page, '**/api/admin/queue?queueName=queue%3Aregular');
    await openAssign(page);
    await failed(page).getByRole('heading', { name: screen.title }).waitFor();
    await failed(page).getByRole('button', { name: screen.close }).click();
    await failed(page).waitFor({ state: 'detached' });
    await openAssign(page);
    await failed(page).getByRole('button', { name: say.admin.queue.assignDialog.submit }).waitFor();
  });

  test('an island that fails on an answer comes into view, and asks again with Try Again', async () => {
    const page = await visitAs(market, admin, { language });
    await withoutLiveUpdates(page);
    await page.goto(`/${language}/admin/users`);
    await page.getByText(seller.email).first().waitFor();
    const count = await spoilOnce(page, /\/api\/admin\/sellers(\?|$)/);
    await page.getByRole('searchbox').click();
    await page.getByRole('searchbox').fill(seller.email);
    const state = page.locator('astro-island .state--bad');
    await state.getByRole('heading', { name: screen.title }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.classList.contains('state--bad')))
      .toBe(true);
    await state.getByRole('button', { name: screen.tryAgain }).click();
    await state.waitFor({ state: 'detached' });
    await page.getByText(seller.email).first().waitFor();
    expect(count.asked).toBe(2);
  });
});

test('every component that draws a dialog is guarded', () => {
  const own = ['ui/Dialog.tsx', 'ui/guardDialog.tsx', 'ui/ErrorScreen.tsx'];
  const drawing = [...new Glob('**/*.tsx').scanSync('site/src')].filter(
    (file) => !own.includes(file) && /<Dialog\b/.test(textOf(`site/src/${file}`)),
  );
  expect(drawing.length).toBeGreaterThan(10);
  expect(drawing.filter((file) => !textOf(`site/src/${file}`).includes('guardDialog('))).toEqual(
    [],
  );
});

test('a dialog whose title or text scrolls can be scrolled by keyboard', async () => {
  const language = 'fr';
  const page = await visitAs(market, admin, { language });
  const name = { en: endless(200), fr: endless(200) };
  const { id } = await approved(market, seller, admin, { name, listingType: 'featured' });
  await page.setViewportSize({ width: 320, height: 420 });
  await page.goto(`/${language}/admin/queue`);
  await page.locator(`[data-product="${id}"] [data-act=remove]`).click();
  const dialog = page.locator('dialog[open]');
  await dialog.waitFor();
  const title = dialog.getByRole('heading');
  const text = dialog.locator('.dialog__body');
  for (const part of [title, text]) {
    expect(await part.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true);
    await part.focus();
    await page.keyboard.press('End');
    await expect.poll(() => part.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
  }
  await expectUsable(page, 'dialog[open]');
  // With room for all of it, nothing needs the focus.
  await page.setViewportSize({ width: 1280, height: 2000 });
  await expect.poll(() => dialog.locator('[tabindex]').count()).toBe(0);
});
