import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { completeProfile } from '../../api/sellers/profile.ts';
import { actors } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';

/** Every countdown follows the server: the clock of a phone may be hours or days off. */
const market = await openMarket();
const { seller, admin } = await actors(market);
await completeProfile(await market.ctx(seller), {
  name: 'Ngo',
  location: 'Douala, Littoral',
  businessName: 'Radio Ngo',
});
const { slotId } = await live(market, seller, admin);
const hour = 3_600_000;

/** Reads the first clock, in view: others are not updated. */
async function shown(page: Page): Promise<string> {
  const clock = page.locator('.countdown[data-end]:visible').first();
  await clock.scrollIntoViewIfNeeded();
  return clock.evaluate(
    (one) => `${one.dataset.state} ${one.querySelector('.countdown__clock b')?.textContent}`,
  );
}

test.each([
  ['two hours behind', -2 * hour],
  ['four days ahead', 96 * hour],
])('where it is %s, every page shows the time that is left', async (_, off) => {
  const page = await visitAs(market, seller, { language: 'en' });
  await page.clock.install({ time: Date.now() + off });
  for (const path of [
    '/en/market',
    '/en/shops/radio-ngo',
    '/en/seller/dashboard',
    '/en',
    `/en/shop/slot/${slotId}`,
    // No event is sent for what was seen within half an hour.
    `/en/shop/slot/${slotId}`,
  ]) {
    await page.evaluate(() => sessionStorage.clear()).catch(() => {});
    await page.goto(path);
    await expect.poll(async () => [path, await shown(page)]).toEqual([path, 'calm 71']);
  }
  expect(page.errors).toEqual([]);
});

test('where the server cannot be asked, the phone’s clock stands, and nothing ends before', async () => {
  const page = await market.visit({ language: 'en' });
  await page.clock.install({ time: Date.now() + 96 * hour });
  let refuse = () => {};
  const asked = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route('**/healthz', async (route) => {
    await asked;
    await route.abort();
  });
  await page.goto('/en/market');
  await page.waitForFunction(() => document.readyState === 'complete');
  await page.clock.runFor(5000);
  expect(await page.locator('.countdown[data-state=expired]').count()).toBe(0);
  refuse();
  await page.locator('.countdown[data-state=expired]').first().waitFor();
});
