import { beforeAll, describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { type Person, signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { grant } from '../support/credits.ts';
import { openMarket, phone } from '../support/market.ts';
import { paidPost } from '../support/posts.ts';
import { live } from '../support/products.ts';
import { type Visited, visitAs } from '../support/visits.ts';
import { patient } from './people.ts';

/** First view on a screen of 360 x 740, and what covers what. */
const market = await openMarket();
let owner: Person;
let reader: Person;
let admin: Person;
let seller: Person;
const text =
  'My tap leaks in the kitchen and in the yard, and the water runs under the door. '.repeat(5);
const references: string[] = [];

beforeAll(async () => {
  [owner, reader, admin, seller] = await Promise.all([
    signUpMember(market),
    signUpMember(market),
    signInAdmin(market),
    signUpSeller(market),
  ]);
  await grant(market, reader, 3);
  for (let n = 0; n < 6; n++) {
    references.push(
      await paidPost(market, owner, {
        title: `A plumber for Saturday ${n}`,
        description: text.slice(0, 480),
        city: 'Douala',
      }),
    );
  }
  await live(market, seller, admin);
});

const box = async (page: Visited, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not on the screen`);
  return {
    top: found.y,
    bottom: found.y + found.height,
    left: found.x,
    right: found.x + found.width,
  };
};

/** Controls and ages partly under the bottom bar, but visible beside or through it. */
const halfCovered = (page: Visited) =>
  page.evaluate(() => {
    const add = document.querySelector('.connect__add')?.getBoundingClientRect();
    if (!add) throw new Error('No button to create a post');
    return [...document.querySelectorAll('.card time, .card__foot a, .posts__ways a')]
      .filter((place) => {
        const { left, right, top, bottom } = place.getBoundingClientRect();
        const under = left < add.right && right > add.left && top < add.bottom && bottom > add.top;
        // An opaque bar as wide as the page hides everything below its upper edge.
        const edges = [left + 1, right - 1].map((x) =>
          document.elementFromPoint(x, Math.min(bottom, innerHeight) - 1),
        );
        return under && edges.some((seen) => seen !== null && place.contains(seen));
      })
      .map((place) => place.textContent);
  });

describe('on a phone', () => {
  // Its words are the longer ones.
  const language = 'fr';
  const say = dictionaries[language];

  test('the way to respond to a long post is in the first screen, and leads to the button itself', async () => {
    for (const person of [undefined, reader]) {
      const page = await (person
        ? visitAs(market, person, { language })
        : market.visit({ language }));
      await page.goto(`/${language}/connect/${references[0]}`);
      const way = page
        .locator('.connect__bar')
        .getByRole('link', { name: say.connect.post.connect.action });
      await way.waitFor();
      expect((await box(page, '.connect__bar')).bottom).toBeLessThanOrEqual(phone.height);
      expect((await box(page, '#connect .button--contact')).top).toBeGreaterThan(phone.height);
      await way.focus();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.keyboard.press('Enter');
      const button = await box(page, '#connect .button--contact');
      expect([button.top >= 0, button.bottom <= phone.height]).toEqual([true, true]);
      // The bar would repeat the button that is in view.
      await expect.poll(() => page.locator('.connect__bar').isVisible(), patient).toBe(false);
      await page.context().close();
    }
  });

  test('the button that creates a post lies over no other control and over no age', async () => {
    const page = await visitAs(market, reader, { language });
    await page.goto(`/${language}/connect`);
    const add = page.getByRole('link', { name: say.connect.frame.create });
    await add.waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 45) {
      await page.evaluate((to) => scrollTo(0, to), y);
      expect(await halfCovered(page), `scrolled by ${y}`).toEqual([]);
    }
    await page.evaluate(() => scrollTo(0, 0));
    expect((await add.boundingBox())?.y).toBeGreaterThan(phone.height / 2);
    // A focused control is fully visible, above the bar.
    for (const link of await page.locator('.card__foot a').all()) {
      await link.focus();
      expect((await link.boundingBox())?.y ?? 999).toBeLessThan(
        (await box(page, '.connect__bar')).top - 40,
      );
    }
  });

  test('a message leaves the button of the menu free', async () => {
    for (const [person, path, menu] of [
      [admin, '/admin/queue', '.tool__menu > summary'],
      [seller, '/seller/dashboard', '.tool__menu > summary'],
      [reader, '/account', '.tool__menu > summary'],
    ] as const) {
      const page = await visitAs(market, person, { language });
      await page.addInitScript(() =>
        sessionStorage.setItem(
          'marche54.flash',
          JSON.stringify([{ tone: 'success', title: 'Radio', text: '3 000 XAF' }]),
        ),
      );
      await page.goto(`/${language}${path}`);
      await page.locator('[data-sonner-toast][data-mounted=true]').waitFor();
      await page.locator(menu).first().click({ timeout: 2000 });
      // It slides in from above.
      await expect
        .poll(async () => (await box(page, '[data-sonner-toast]')).top, patient)
        .toBeGreaterThanOrEqual((await box(page, menu)).bottom);
      await page.context().close();
    }
  });

  test('the foot of a long page leads back up, and selected tabs are in view', async () => {
    const page = await visitAs(market, admin, { language });
    for (const path of ['/admin/slots', '/connect']) {
      await page.goto(`/${language}${path}`);
      await page.getByRole('link', { name: say.common.footer.top }).click();
      await expect.poll(() => page.evaluate(() => scrollY), patient).toBe(0);
    }
    await page.goto(`/${language}/admin/dashboard`);
    await page.getByRole('tab').first().waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      const { x = 0, width = 999 } = (await tab.boundingBox()) ?? {};
      expect(x + width, (await tab.textContent()) ?? '').toBeLessThanOrEqual(phone.width);
    }
    await page.goto(`/${language}/admin/reports?tab=data`);
    await page.getByRole('tab', { selected: true }).waitFor();
    expect((await box(page, '[aria-selected=true]')).right).toBeLessThanOrEqual(phone.width);
  });

  test('a live product shows two actions, and the others under “More”', async () => {
    const page = await visitAs(market, seller, { language });
    await page.goto(`/${language}/seller/dashboard`);
    const actions = page.locator('.listing__actions').first();
    const { view, sold, edit, code, status, withdraw, more } = say.seller.listing.actions;
    expect(await actions.locator('.button:visible').allInnerTexts()).toEqual([view, sold, more]);
    const menu = actions.locator('summary');
    await menu.focus();
    await page.keyboard.press('Enter');
    expect(await actions.locator('.button:visible').allInnerTexts()).toEqual([
      view,
      sold,
      more,
      edit,
      say.bot.button.relistAtEnd,
      code,
      status,
      withdraw,
    ]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(edit);
  });
});
