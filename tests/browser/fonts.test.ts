import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actors } from '../support/actors.ts';
import { findBrowser, quietly } from '../support/chromium.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';

/** The display font moves nothing, on a device that has none of the fonts scaled to it. */
const market = await openMarket();
const { seller, admin } = await actors(market);
const { slotId } = await live(market, seller, admin);
const folder = mkdtempSync(join(tmpdir(), 'marche54-fonts-'));
const file = join(folder, 'fonts.conf');
const dejavu = '/usr/share/fonts/truetype/dejavu';
writeFileSync(file, `<fontconfig><dir>${dejavu}</dir><cachedir>${folder}</cachedir></fontconfig>`);
// Chromium ends without any font; a machine without these has the font of the package at most.
const fonts = existsSync(dejavu) ? { FONTCONFIG_FILE: file } : {};
let browser: Awaited<ReturnType<typeof chromium.launch>>;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: quietly,
    env: { ...process.env, ...fonts },
  });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([phone, desktop])(
  'nothing moves at $width px, whether the font is late or in the cache',
  async (viewport) => {
    for (const path of ['', '/market', `/shop/slot/${slotId}`, '/connect']) {
      const context = await browser.newContext({ viewport });
      const page = await context.newPage();
      await page.addInitScript(() => {
        const seen = { moved: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            seen.moved += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      let release = () => {};
      const painted = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/fonts/*.woff2', async (route) => {
        await painted;
        await route.continue();
      });
      const settled = () =>
        page.evaluate(async () => {
          await document.fonts.ready;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          return (window as unknown as { seen: { moved: number } }).seen.moved;
        });
      const font = page.waitForResponse('**/fonts/*.woff2');
      await page.goto(`${market.url}/fr${path}`, { waitUntil: 'domcontentloaded' });
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
      );
      release();
      await (await font).finished();
      expect([path, await settled()]).toEqual([path, expect.closeTo(0, 2)]);
      await page.unroute('**/fonts/*.woff2');
      await page.reload();
      expect([path, await settled()]).toEqual([path, expect.closeTo(0, 2)]);
      await context.close();
    }
  },
);
