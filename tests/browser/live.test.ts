import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { money } from '../../api/shared/text.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { debounceMs } from '../../site/src/features/live/eventStream.ts';
import { actors } from '../support/actors.ts';
import { sturdy } from '../support/database.ts';
import { openMarket } from '../support/market.ts';
import { approved, live, uploadPhoto } from '../support/products.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
// One photo serves all products of a test.
const product = async (name: string, more: Parameters<typeof live>[3] = {}) =>
  live(market, seller, admin, {
    name: { en: name, fr: name },
    images: [await uploadPhoto(market, seller)],
    ...more,
  });

beforeEach(async () => {
  await market.reset();
  market.pageCache.drop();
});

const line = (page: Page, state: string) => page.locator(`[data-connection=${state}]`).waitFor();
const stall = (page: Page, slot: number) => page.locator(`[data-stall="${slot}"]`);
const setPrice = (id: string, price: number) =>
  sturdy(() => market.db.update(schema.products).set({ price }).where(eq(schema.products.id, id)));

/** Settles when the market has sent a change to its open pages. */
async function nextChange(): Promise<void> {
  const reader = market.broadcast.open().getReader();
  for (let text = ''; !text.includes('event: change'); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error('The line ended');
    text += new TextDecoder().decode(value);
  }
  await reader.cancel();
}

/** A page with its HTML but without its scripts and event stream; `arrive` lets them load. */
async function withoutScripts(language: Language, address: string) {
  const page = await market.visit({ language });
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/_astro/island.*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address);
  return { page, arrive };
}

/** An open market that follows the server. `reloads` fails when the page was loaded again. */
async function openGrid(language: Language) {
  const page = await market.visit({ language });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/${language}` || pathname.endsWith('/stalls')) asked.push(pathname + search);
  });
  await page.goto(`/${language}`);
  await line(page, 'live');
  asked.length = 0;
  await page.evaluate(() => Object.assign(window, { loadedOnce: true }));
  return { page, asked, stayed: () => page.evaluate(() => 'loadedOnce' in window) };
}

describe('an open market', () => {
  const language = 'en';
  const say = dictionaries[language];

  test('shows a product that goes live, without a reload', async () => {
    const home = translator(language, 'home');
    const { page, asked, stayed } = await openGrid(language);
    await page.getByText(say.home.grid.empty).waitFor();
    await approved(market, seller, admin, { name: { en: 'Raffia basket', fr: 'Raffia basket' } });
    await market.runNow('process-queue');
    await stall(page, 11).getByText('Raffia basket').waitFor();
    await page.getByText(say.home.grid.empty).waitFor({ state: 'detached' });
    await page.getByText(home('grid.count', { active: 1, total: 44 })).waitFor();

    asked.length = 0;
    await product('Talking drum', { listingType: 'featured' });
    await stall(page, 1).getByText('Talking drum').waitFor();
    await page.getByText(home('grid.count', { active: 1, total: 10 })).waitFor();
    // One request per burst, for one stall; its countdown runs and its actions have names.
    expect(asked).toEqual([`/${language}/stalls?ids=1`]);
    await stall(page, 1).locator('.countdown[data-state=calm]').waitFor();
    expect(await stall(page, 1).locator('[data-action=share]').getAttribute('aria-label')).toBe(
      translator(language, 'common')('a11y.share', { name: 'Talking drum' }),
    );
    expect(await stayed()).toBe(true);
    expect(page.errors).toEqual([]);
  });

  test('shows an edited price and keeps the focus; other stalls are left alone', async () => {
    const edited = await product('Radio');
    const other = await product('Stew pot');
    const { page } = await openGrid(language);
    await stall(page, other.slotId).evaluate((element) =>
      element.setAttribute('data-untouched', ''),
    );
    await stall(page, edited.slotId).locator('[data-action=share]').focus();
    await setPrice(edited.id, 47_000);
    await stall(page, edited.slotId).getByText(money(47_000, language)).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('li')?.dataset.stall)).toBe(
      String(edited.slotId),
    );
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-action'))).toBe(
      'share',
    );
    expect(await page.locator('[data-untouched]').count()).toBe(1);
  });

  test('keeps an open consent step through a change of its stall', async () => {
    const edited = await product('Radio');
    const { page } = await openGrid(language);
    await stall(page, edited.slotId).locator('[data-action=contact]').click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('Radio').waitFor();
    await dialog.locator('input[name=consent]').check();
    await setPrice(edited.id, 48_000);
    await stall(page, edited.slotId)
      .getByText(money(48_000, language))
      .waitFor({ state: 'attached' });
    expect(await dialog.locator('input[name=consent]').isChecked()).toBe(true);
  });

  test('empties a stall whose time is up', async () => {
    const ended = await product('Radio');
    const { page, stayed } = await openGrid(language);
    market.clock.advance({ hours: 73 });
    await market.runNow('process-queue');
    await stall(page, ended.slotId).getByText(say.home.card.available).waitFor();
    await page.getByText(say.home.grid.empty).waitFor();
    expect(await page.locator('.plan a').count()).toBe(0);
    expect(await stayed()).toBe(true);
  });

  test('shows what changed between its HTML and the opening of its line', async () => {
    const edited = await product('Radio');
    const { page, arrive } = await withoutScripts(language, `/${language}`);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/stalls|\/(en|fr)$/.test(new URL(request.url()).pathname))
        asked.push(new URL(request.url()).search);
    });
    const told = nextChange();
    await setPrice(edited.id, 46_000);
    await told;
    expect(await stall(page, edited.slotId).getByText(money(46_000, language)).count()).toBe(0);
    arrive();
    await stall(page, edited.slotId).getByText(money(46_000, language)).waitFor();
    // Only this stall, not the whole page.
    expect(asked).toEqual([`?ids=${edited.slotId}`]);
    expect(page.errors).toEqual([]);
  });

  test('asks now and then where events are blocked', async () => {
    const edited = await product('Radio');
    const page = await market.visit({ language });
    await page.route('**/api/live*', (route) => route.abort());
    await page.clock.install();
    await page.goto(`/${language}`);
    await setPrice(edited.id, 49_000);
    await line(page, 'polling');
    await page.clock.runFor(60_000);
    await stall(page, edited.slotId).getByText(money(49_000, language)).waitFor();
  });

  test('catches up after the phone was offline', async () => {
    const edited = await product('Radio');
    const { page } = await openGrid(language);
    await page.context().setOffline(true);
    const told = nextChange();
    await setPrice(edited.id, 50_000);
    await told;
    await page.context().setOffline(false);
    await stall(page, edited.slotId).getByText(money(50_000, language)).waitFor();
    await line(page, 'live');
  });

  test('says that the line is down, and that it stands again', async () => {
    const { page } = await openGrid(language);
    await page.route('**/api/live*', (route) => route.fulfill({ status: 503 }));
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await line(page, 'reconnecting');
    await page.getByText(say.home.grid.reconnecting).waitFor();
    await page.unroute('**/api/live*');
    await line(page, 'live');
    await page.locator('.lamp--lit').getByText(say.home.grid.live).waitFor();
  });
});

describe('an open product page', () => {
  const language = 'en';
  const say = dictionaries[language];

  async function openProduct(slotId: number) {
    const page = await market.visit({ language });
    const opened = page.waitForRequest('**/api/live*');
    await page.goto(`/${language}/shop/slot/${slotId}`);
    await opened;
    await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
    return page;
  }

  test('follows an edit, an end, and keeps the focus', async () => {
    const { id, slotId } = await product('Radio');
    const page = await openProduct(slotId);
    await page.locator('.deal [data-action=share]').focus();
    await setPrice(id, 51_000);
    await page.locator('.deal__price', { hasText: money(51_000, language) }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-action'))).toBe(
      'share',
    );
    // Swapped-in elements are interactive too.
    await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
    await page.locator('.deal [data-action=contact]').click();
    await page.locator('dialog[open]').waitFor();
    expect(await page.locator('dialog[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await sturdy(() =>
      market.db
        .update(schema.slots)
        .set({ pausedAt: market.clock.now(), remainingDuration: 3600, pausedBy: 'admin' })
        .where(eq(schema.slots.id, slotId)),
    );
    await page.getByText(say.shop.states.paused.title).waitFor();
    expect(page.errors).toEqual([]);
  });

  test('shows what changed between its HTML and the opening of its line', async () => {
    const { id, slotId } = await product('Radio');
    const { page, arrive } = await withoutScripts(language, `/${language}/shop/slot/${slotId}`);
    const told = nextChange();
    await setPrice(id, 53_000);
    await told;
    expect(await page.locator('.deal__price', { hasText: money(53_000, language) }).count()).toBe(
      0,
    );
    arrive();
    await page.locator('.deal__price', { hasText: money(53_000, language) }).waitFor();
  });

  test('waits for the consent step to close', async () => {
    const { id, slotId } = await product('Radio');
    const page = await openProduct(slotId);
    await page.locator('.deal [data-action=contact]').click();
    await page.locator('dialog[open] input[name=consent]').check();
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // The page's event stream also serves its island.
    const told = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const line = new EventSource('/api/live');
          line.addEventListener('open', () =>
            document.documentElement.setAttribute('data-listening', ''),
          );
          line.addEventListener('change', () => {
            line.close();
            resolve();
          });
        }),
    );
    await page.locator('html[data-listening]').waitFor();
    await setPrice(id, 52_000);
    await told;
    await page.clock.runFor(debounceMs);
    expect(asked).not.toContain(new URL(page.url()).pathname);
    expect(await page.locator('dialog[open] input[name=consent]').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('.deal__price', { hasText: money(52_000, language) }).waitFor();
  });
});
