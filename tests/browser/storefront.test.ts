import { eq } from 'drizzle-orm';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { slotCount, slotNumber } from '../../api/shared/slots.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible, faultsOn } from '../support/axe.ts';
import { sturdy } from '../support/database.ts';
import { desktop, openMarket } from '../support/market.ts';
import { live, uploadPhoto } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { answerWhatsApp } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);

beforeEach(async () => {
  await market.reset();
  market.pageCache.drop();
});

type Overrides = NonNullable<Parameters<typeof live>[3]>;
/** A product in a slot, with the given number of photos. */
async function product({ photos = 1, ...more }: Overrides & { photos?: number } = {}) {
  const images: string[] = [];
  for (let photo = 0; photo < photos; photo++) images.push(await uploadPhoto(market, seller));
  return live(market, seller, admin, { name: { en: 'Radio', fr: 'Radio' }, images, ...more });
}
const slotRow = (id: number, values: Partial<typeof schema.slots.$inferInsert>) =>
  sturdy(() => market.db.update(schema.slots).set(values).where(eq(schema.slots.id, id)));
const pause = (id: number) =>
  slotRow(id, { pausedAt: market.clock.now(), remainingDuration: 3600, pausedBy: 'admin' });
const endsIn = (id: number, ms: number) =>
  slotRow(id, { startTime: new Date(0), endTime: new Date(market.clock.now().getTime() + ms) });
const expire = (id: number) => endsIn(id, -60_000);
const stall = (page: Page, slot: number) => page.locator(`[data-stall="${slot}"]`);
const awake = (page: Page) => page.locator('dialog[data-live]').waitFor({ state: 'attached' });

describe('the storefront', () => {
  const language = 'en';
  const say = dictionaries[language];
  const home = translator(language, 'home');
  const shop = translator(language, 'shop');
  const at = (path: string) => `/${language}${path}`;

  describe('home', () => {
    test('full: fifty-four stalls in two groups, five and four in a row', async () => {
      await product({ listingType: 'featured' });
      await product();
      const page = await market.visit({ language, viewport: desktop });
      await page.goto(at('/'));
      expect(await page.locator('[data-stall]').count()).toBe(slotCount);
      await page.getByText(home('grid.count', { active: 1, total: 10 })).waitFor();
      await page.getByText(home('grid.count', { active: 1, total: 44 })).waitFor();
      const columns = (list: string) =>
        page
          .locator(list)
          .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length);
      expect(await columns('.market--premium')).toBe(5);
      expect(await columns('.market:not(.market--premium)')).toBe(4);
      await stall(page, 1)
        .locator('.countdown[data-state]')
        .getByText(say.common.time.hours)
        .waitFor();
      expect(await stall(page, 2).textContent()).toContain(say.home.card.available);
      expect(
        await page.locator('.footer').evaluate((foot) => getComputedStyle(foot).borderTopWidth),
      ).toBe('3px');
      expect(page.errors).toEqual([]);
    });

    test('empty: says so above the placeholders', async () => {
      const page = await market.visit({ language });
      await page.goto(at('/'));
      await page.getByText(say.home.grid.empty).waitFor();
      expect(await page.getByText(say.home.card.available).count()).toBe(slotCount);
    });

    test('broken: an alert, Retry, twelve placeholders, and the market again', async () => {
      await product();
      await market.sql`alter table products rename to products_away`;
      market.pageCache.drop();
      const page = await market.visit({ language });
      try {
        const answer = await page.goto(at('/'));
        expect(answer?.status()).toBe(503);
        await page.getByRole('alert').getByText(say.home.grid.checkConnection).waitFor();
        expect(
          await page
            .getByRole('alert')
            .evaluate((alert) => getComputedStyle(alert).borderLeftWidth),
        ).toBe('4px');
        expect(await page.getByRole('alert').textContent()).toContain(
          say.home.grid.error.replace('{{message}}', say.home.grid.errorDefault),
        );
        await page.locator('.notices').waitFor({ state: 'attached' });
        await awake(page);
        const retry = page.getByRole('link', { name: say.home.grid.retry });
        // While it is still broken, Retry comes back to the alert.
        await retry.click();
        await page.getByRole('alert').getByText(say.home.grid.checkConnection).waitFor();
        await market.sql`alter table products_away rename to products`;
        market.pageCache.drop();
        const letGo = await hold(page, `**${at('')}`);
        await retry.click();
        await page.getByRole('status', { name: say.home.grid.loading }).waitFor();
        expect(await page.locator('#market > .market .stall').count()).toBe(12);
        await letGo();
        await stall(page, 11).getByText('Radio').waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
        expect(await page.locator('#market > .market').count()).toBe(0);
        await stall(page, 11).locator('.countdown[data-state]').waitFor();
      } finally {
        await market.sql`alter table if exists products_away rename to products`;
      }
      expect(page.errors).toEqual([]);
    });

    test('half broken: the plainer read serves the stalls, and the whole one again when it can', async () => {
      await product({ listingType: 'featured' });
      const { slotId } = await product();
      const other = await product();
      await pause(other.slotId);
      await slotRow(slotId, { isFeatured: true });
      await sturdy(() => market.sql`alter table sellers rename to sellers_away`);
      market.pageCache.drop();
      const page = await market.visit({ language });
      try {
        expect((await page.goto(at('/')))?.status()).toBe(200);
        expect(await page.locator('.stall:not(.stall--empty)').count()).toBe(2);
        await stall(page, slotId).getByText('Radio').waitFor();
        expect(await stall(page, other.slotId).textContent()).toContain(say.home.card.available);
        expect(await page.locator('[data-stall]').count()).toBe(slotCount);
        expect(await page.locator('.plan div > *').allTextContents()).toEqual(
          Array.from({ length: slotCount }, (_, n) => slotNumber(n + 1)),
        );
        await awake(page);
      } finally {
        await sturdy(() => market.sql`alter table sellers_away rename to sellers`);
      }
      // No event announces it: the stored page soon expires.
      market.clock.advance({ seconds: 30 });
      await page.goto(at('/'));
      expect(await stall(page, other.slotId).textContent()).toContain(say.home.card.paused);
      expect(page.errors).toEqual([]);
    });

    test('a paused stall invites nobody, one whose time is up reads so', async () => {
      const paused = await product();
      const over = await product();
      await pause(paused.slotId);
      await expire(over.slotId);
      const page = await market.visit({ language });
      await page.goto(at('/'));
      expect(await stall(page, paused.slotId).textContent()).toContain(say.home.card.paused);
      expect(await stall(page, paused.slotId).locator('a').count()).toBe(0);
      await stall(page, over.slotId)
        .locator('[data-state=expired]')
        .getByText(say.common.time.expired)
        .waitFor();
    });

    test('a photo that cannot be loaded says so', async () => {
      await product();
      const page = await market.visit({ language });
      await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
      await page.goto(at('/'));
      await stall(page, 11).scrollIntoViewIfNeeded();
      await stall(page, 11).getByText(say.common.product.imageUnavailable).waitFor();
    });
  });

  describe('a product', () => {
    test('is bought through the consent step; the limit is said in words', async () => {
      await market.db
        .insert(schema.settings)
        .values({ key: 'contactPerHour', value: 1, updatedAt: market.clock.now() });
      await product({ name: { en: 'Radio', fr: 'Radio' } });
      const page = await market.visit({ language });
      await answerWhatsApp(page);
      await page.goto(at('/shop/slot/11'));
      await awake(page);
      const ask = async () => {
        await page.locator('.deal [data-action=contact]').click();
        await page.locator('dialog[open] input[name=consent]').check();
        await page.locator('[data-open]').click();
      };
      const [tab] = await Promise.all([page.context().waitForEvent('page'), ask()]);
      await tab.waitForURL('https://wa.me/**');
      await page.bringToFront();
      await page.locator('dialog[open]').getByText(say.shop.contact.openAgain).waitFor();
      await page.getByRole('button', { name: say.common.actions.close }).first().click();
      await Promise.all([page.context().waitForEvent('page'), ask()]);
      const alert = page.locator('dialog[open]').getByRole('alert');
      await alert.getByText(say.shop.contact.failed).waitFor();
      await alert.getByText(say.errors.contact.rateLimited).waitFor();
      // The tab that was opened for nothing is closed again.
      await expect.poll(() => page.context().pages().length).toBe(2);
      expect(page.errors).toEqual([]);
    });

    test('nothing moves when its clock begins to run', async () => {
      const { slotId } = await product();
      const page = await market.visit({ language });
      const letGo = await hold(page, '**/_astro/island.*.js');
      await page.goto(at(`/shop/slot/${slotId}`));
      const below = page.locator('.deal__ways');
      const before = await below.boundingBox();
      expect(await page.locator('.deal .countdown[data-state]').count()).toBe(0);
      await letGo();
      await page.locator('.deal .countdown[data-state]').waitFor();
      expect(await below.boundingBox()).toEqual(before);
    });

    test('that opens at #contact opens the consent step', async () => {
      await product();
      const page = await market.visit({ language });
      await page.goto(at('/shop/slot/11#contact'));
      await page
        .locator('dialog[open][data-live]')
        .getByText(say.shop.contact.safetyMoney)
        .waitFor();
    });

    test('whose time is up keeps its page and cannot be contacted', async () => {
      const { slotId } = await product();
      await expire(slotId);
      const page = await market.visit({ language });
      await page.goto(at(`/shop/slot/${slotId}`));
      await page.getByText(say.shop.page.expiredText).waitFor();
      expect(await page.locator('[data-action=contact]').isVisible()).toBe(false);
    });

    test('read after its end, though written before it, cannot be contacted', async () => {
      const { slotId } = await product();
      // The server's clock stands still, the reader's does not.
      await endsIn(slotId, 1);
      const page = await market.visit({ language });
      await page.goto(at(`/shop/slot/${slotId}`));
      await page.getByText(say.shop.page.expiredText).waitFor();
    });

    test('reaches zero on the open page', async () => {
      const { slotId } = await product();
      market.clock.set(new Date());
      await endsIn(slotId, 40_000);
      const page = await market.visit({ language });
      await page.clock.install();
      const counted = page.waitForResponse('**/api/engagement');
      await page.goto(at(`/shop/slot/${slotId}`));
      await page.locator('.deal .countdown[data-state=urgent]').waitFor();
      // The answer contains the server's time, which corrects a wrong clock; after it the clock is
      // set wrong on purpose.
      await counted;
      await page.clock.fastForward(40_000);
      await page.getByText(say.shop.page.expiredText).waitFor();
      expect(await page.locator('[data-action=contact]').isVisible()).toBe(false);
    });

    test('paused, unknown and empty addresses say what they are', async () => {
      const { slotId } = await product();
      await pause(slotId);
      const page = await market.visit({ language });
      await page.goto(at(`/shop/slot/${slotId}`));
      await page.getByText(say.shop.states.paused.title).waitFor();
      for (const address of ['/shop/slot/12', '/shop/slot/99', '/shop/12/nothing-of-this-name']) {
        const answer = await page.goto(at(address));
        expect(answer?.status()).toBe(404);
        await page.getByText(say.shop.states.notFound.title).waitFor();
      }
    });

    test('an empty address leads to /404, unless the visitor stays', async () => {
      const page = await market.visit({ language });
      await page.clock.install();
      const { leaving, stay } = say.shop.states;
      await page.goto(at('/shop/slot/54'));
      await page.getByRole('status').filter({ hasText: leaving }).waitFor();
      await expectAccessible(page);
      await page.clock.fastForward(9_000);
      expect(page.url()).toBe(`${market.url}${at('/shop/slot/54')}`);
      await page.clock.fastForward(2_000);
      await page.waitForURL(`${market.url}${at('/404')}`);
      await page.goto(at('/shop/slot/54'));
      await page.getByRole('button', { name: stay }).click();
      await page.getByRole('button', { name: stay }).waitFor({ state: 'hidden' });
      await page.clock.fastForward(30_000);
      expect(await page.getByText(leaving).count()).toBe(0);
      expect(page.url()).toBe(`${market.url}${at('/shop/slot/54')}`);
      expect(page.errors).toEqual([]);
    });

    test('shows its pictures by buttons, dots, thumbnails and keyboard', async () => {
      await product({ photos: 3 });
      const page = await market.visit({ language });
      await page.goto(at('/shop/11/details'));
      const next = page.getByRole('button', { name: say.shop.gallery.next });
      const previous = page.getByRole('button', { name: say.shop.gallery.previous });
      await next.waitFor();
      const stands = async (number: number) => {
        await page
          .locator('.gallery [role=status]', {
            hasText: shop('gallery.position', { number, total: 3 }),
          })
          .waitFor({ state: 'attached' });
        expect(await page.locator('.gallery__dots [aria-current]').getAttribute('href')).toBe(
          `#picture-${number}`,
        );
        expect(await page.locator('.gallery__thumbs [aria-current]').getAttribute('href')).toBe(
          `#picture-${number}`,
        );
      };
      await next.click();
      await stands(2);
      await next.focus();
      await page.keyboard.press('Enter');
      await stands(3);
      expect(await next.getAttribute('aria-disabled')).toBe('true');
      await previous.click();
      await stands(2);
      await page.locator('.gallery__dots a').first().click();
      await stands(1);
      await page.locator('.gallery__thumbs a').nth(1).click();
      await stands(2);
      await page.locator('.gallery__track').focus();
      await page.keyboard.press('ArrowRight');
      await stands(3);
      expect(page.errors).toEqual([]);
    });

    test('is shared by the phone’s own sheet, else copied as exactly /shop/slot/{id}', async () => {
      const { slotId } = await product();
      const page = await market.visit({ language });
      await page.addInitScript(() => {
        const said = { shared: [] as unknown[], copied: [] as string[], sheet: true };
        Object.assign(window, { said });
        Object.defineProperty(navigator, 'share', {
          get: () =>
            said.sheet ? async (data: unknown) => void said.shared.push(data) : undefined,
        });
        Object.defineProperty(navigator, 'clipboard', {
          value: { writeText: async (text: string) => void said.copied.push(text) },
        });
      });
      await page.goto(at('/'));
      await awake(page);
      const share = stall(page, slotId).locator('[data-action=share]');
      const [counted] = await Promise.all([
        page.waitForRequest((request) => request.postData()?.includes('"share"') ?? false),
        share.click(),
      ]);
      expect(counted.postDataJSON()).toMatchObject({ slotId, type: 'share' });
      const said = () =>
        page.evaluate(
          () => (window as never as { said: { shared: { url: string }[]; copied: string[] } }).said,
        );
      expect((await said()).shared[0]?.url).toMatch(
        new RegExp(`^${market.url}/${language}/shop/${slotId}/[a-z0-9-]+$`),
      );
      await page.evaluate(() => {
        (window as never as { said: { sheet: boolean } }).said.sheet = false;
      });
      await share.click();
      await page.getByText(say.shop.share.copied).waitFor();
      expect((await said()).copied).toEqual([`${market.url}/shop/slot/${slotId}`]);
    });
  });
});

test.each(['light', 'dark'] as const)(
  'beside its plates the home page can be read on a wide screen, %s',
  async (colorScheme) => {
    await product({ listingType: 'featured' });
    const page = await market.visit({ language: 'en', viewport: desktop, colorScheme });
    await page.goto('/en');
    expect(await page.locator('.plan i').count()).toBe(slotCount - 1);
    expect(await faultsOn(page, { rules: 'colours' })).toEqual([]);
  },
);
