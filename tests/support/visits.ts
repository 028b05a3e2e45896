import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Person } from './actors.ts';
import { expectAccessible } from './axe.ts';
import type { Market, Visit } from './market.ts';

export type Visited = Page & { errors: string[] };

/** Opens a page with a signed-in person's cookies. */
export async function visitAs(
  market: Market,
  person: Pick<Person, 'jar'>,
  options: Visit,
): Promise<Visited> {
  const page = await market.visit(options);
  const cookies = person.jar
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

/** Opt-in, because it routes all requests of the profile through the test. */
export const answerWhatsApp = (page: Page) =>
  page
    .context()
    .route('https://wa.me/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>WhatsApp</title>' }),
    );

/** Expects a screen without accessibility or layout faults. */
export async function expectUsable(page: Page, include?: string): Promise<void> {
  await expectAccessible(page, include);
  const [wide, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    window.innerWidth,
  ]);
  expect(wide, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(screen ?? 0);
}

/** Limits a page's uploads to so many bytes a second; lifts the limit without a number. */
export async function slowDown(page: Page, bytesPerSecond = -1): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: bytesPerSecond > 0 ? 80 : 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}
