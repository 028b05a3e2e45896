import { beforeAll, expect, test } from 'vitest';
import { slotCount } from '../../api/shared/slots.ts';
import { listen } from '../../dev/bench/browser.ts';
import { atFirst, ceilings, scriptsOf, totalBytes } from '../../dev/bench/bytes.ts';
import { receive, unpacked, untilSettled } from '../../dev/bench/http.ts';
import { fillMarketWithPhotos } from '../../dev/testbed/fill.ts';
import { openMarket } from '../support/market.ts';

/** Byte budgets on a phone (`bun run bench` measures the same). */
const market = await openMarket({
  TELEGRAM_BOT_NAME: 'Marche54Bot',
  WHATSAPP_NUMBER: '+237699000000',
});
let product: { slotId: number; slug: string };

beforeAll(async () => {
  const made = await fillMarketWithPhotos(market.job('fill'), 12);
  const shown = made[10];
  if (!shown) throw new Error('The market is not full');
  product = shown;
  market.pageCache.drop();
}, 120_000);

test('the HTML of a full home page, styles included', async () => {
  const { first, last } = await untilSettled(`${market.url}/`);
  expect(unpacked(last).match(/<h3[^>]*><a href=/g)).toHaveLength(slotCount);
  expect(first.headers.get('content-encoding')).toBe('br');
  expect(first.bytes.byteLength).toBeLessThanOrEqual(ceilings.htmlFirst);
  expect(last.bytes.byteLength).toBeLessThanOrEqual(ceilings.htmlSoon);
});

const pages = () => ({ home: '/', product: `/shop/${product.slotId}/${product.slug}` });

test.each(['home', 'product'] as const)(
  'the scripts of the %s page before the first touch, and all that it can load',
  async (name) => {
    const html = unpacked(await receive(market.url + pages()[name]));
    const scripts = await scriptsOf(html, async (path) => {
      const received = await receive(market.url + path);
      return { text: unpacked(received), bytes: received.bytes.byteLength };
    });
    // Confirms that the list is complete: the islands' runtime, React, the page's own code, and
    // what only a failure loads.
    const names = (some: typeof scripts) => some.map(({ path }) => path.replace(/.*\/|\..*/g, ''));
    expect(names(atFirst(scripts))).toEqual(
      expect.arrayContaining([
        'island',
        'react',
        'market',
        'shell',
        name === 'home' ? 'MarketIsland' : 'ProductIsland',
      ]),
    );
    expect(names(atFirst(scripts))).not.toContain('ErrorScreen');
    expect(names(scripts)).toContain('ErrorScreen');
    expect(totalBytes(atFirst(scripts))).toBeLessThanOrEqual(ceilings.scripts);
    expect(totalBytes(scripts)).toBeLessThanOrEqual(ceilings.everyScript);
  },
);

/**
 * First visit of a phone with two device pixels per CSS pixel: bytes until the network is idle,
 * without scrolling.
 */
async function open(path: string, saveData = false) {
  const context = await market.context({
    language: 'fr',
    deviceScaleFactor: 2,
    ...(saveData ? { extraHTTPHeaders: { 'save-data': 'on' } } : {}),
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (saveData)
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
  const traffic = listen(cdp);
  await page.goto(path, { waitUntil: 'load' });
  if (!saveData)
    await page.locator('astro-island:not([ssr])').first().waitFor({ state: 'attached' });
  await traffic.quiet(1500);
  return {
    page,
    all: traffic.finished.reduce((sum, { bytes }) => sum + bytes, 0),
    traffic: traffic.finished,
  };
}

test('the picture of the first card is asked for before the page’s styles, once', async () => {
  const html = unpacked(await receive(`${market.url}/`));
  const preload = html.match(
    /<link rel="preload" as="image" href="([^"]+-320\.avif)" type="image\/avif" fetchpriority="high">/,
  );
  expect(html.match(/<source srcset="([^"]+)"/)?.[1]).toBe(preload?.[1]);
  expect(preload?.index).toBeLessThan(html.indexOf('<style'));
  const { traffic } = await open('/');
  expect(traffic.filter(({ url }) => url.endsWith(preload?.[1] ?? '-'))).toHaveLength(1);
});

test('the home page until it rests: cards among it', async () => {
  const { all, traffic } = await open('/');
  const cards = traffic.filter(({ url }) => /-320\.avif$/.test(url)).map(({ bytes }) => bytes);
  expect(cards.length).toBeGreaterThan(3);
  const middle = cards.sort((a, b) => a - b)[cards.length >> 1] ?? Number.POSITIVE_INFINITY;
  expect(middle).toBeLessThanOrEqual(ceilings.card);
  expect(all).toBeLessThanOrEqual(ceilings.idle);
});

test('the home page where the phone saves data: no script, no font, the first pictures; the rest with the first touch', async () => {
  const { page, all, traffic } = await open('/', true);
  expect(traffic.filter(({ url }) => /\.(js|woff2)$/.test(url))).toEqual([]);
  expect(traffic.filter(({ url }) => url.includes('/media/'))).toHaveLength(2);
  expect(all).toBeLessThanOrEqual(ceilings.idleSaving);
  const asked = page.waitForRequest(/-320\.avif$/);
  await page.locator('h1').click();
  await asked;
  await page.locator('dialog[data-live]').waitFor({ state: 'attached' });
});

test('a product’s picture', async () => {
  const { traffic } = await open(`/shop/${product.slotId}/${product.slug}`);
  const pictures = traffic.filter(({ url }) => url.includes('/media/')).map(({ bytes }) => bytes);
  expect(Math.max(...pictures)).toBeLessThanOrEqual(ceilings.hero);
});
