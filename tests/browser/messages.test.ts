import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { actors } from '../support/actors.ts';
import { desktop, openMarket } from '../support/market.ts';
import { live, submitted } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
for (let n = 0; n < 6; n++) await submitted(market, seller);
await live(market, seller, admin);

/** Clickable elements of the page that are covered by a toast. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const messages = [...document.querySelectorAll('[data-sonner-toast]')].map((message) =>
      message.getBoundingClientRect(),
    );
    return [...document.querySelectorAll('main :is(a, button, input, select)')]
      .filter((place) => {
        if (place.closest('[data-sonner-toaster]')) return false;
        const { left, right, top, bottom } = place.getBoundingClientRect();
        return messages.some(
          (message) =>
            left < message.right &&
            right > message.left &&
            top < message.bottom &&
            bottom > message.top,
        );
      })
      .map((place) => place.textContent);
  });

test('a message stands over nothing that is clicked next', async () => {
  const language = 'fr';
  for (const [person, path] of [
    [admin, '/admin/queue'],
    [admin, '/admin/settings?tab=fees'],
    [seller, '/seller/dashboard'],
  ] as const) {
    const page = await visitAs(market, person, { language, viewport: desktop });
    // Like a toast left by the page before.
    await page.addInitScript(() =>
      sessionStorage.setItem(
        'marche54.flash',
        JSON.stringify([{ tone: 'success', title: 'Radio', text: '3 000 XAF' }]),
      ),
    );
    await page.goto(`/${language}${path}`);
    const message = page.locator('[data-sonner-toast][data-mounted=true]');
    await message.waitFor();
    expect(await covered(page), path).toEqual([]);
    expect(page.errors).toEqual([]);
    await page.context().close();
  }
});
