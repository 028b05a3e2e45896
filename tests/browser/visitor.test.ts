import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { actors, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';

const market = await openMarket();
/** Unused numbers, planted in every product and seller. */
const planted = ['699445501', '699445502', '699445503'];
let productId = '';

beforeAll(async () => {
  const { admin } = await actors(market);
  for (const [index, national] of planted.entries()) {
    const seller = await signUpSeller(market, {
      name: `Planted ${index}`,
      whatsapp: `+237${national}`,
    });
    const made = await live(market, seller, admin, {
      sellerWhatsapp: `+237${national}`,
      listingType: index === 0 ? 'featured' : 'standard',
      name: { en: `Planted product ${index}` },
    });
    productId = made.id;
  }
});

test('addresses that browsers and people guess are answered', async () => {
  const get = (path: string) => fetch(new URL(path, market.url), { redirect: 'manual' });
  const icon = await get('/favicon.ico');
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  const touch = await sharp(await (await get('/apple-touch-icon.png')).bytes()).metadata();
  expect([touch.format, touch.width, touch.hasAlpha]).toEqual(['png', 180, false]);
  for (const [path, to] of [
    ['/EN', '/en'],
    ['/Fr/market?q=Sac', '/fr/market?q=Sac'],
    ['/EN//evil.example', '/en//evil.example'],
  ] as const) {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('location')], path).toEqual([301, to]);
  }
});

describe('a crawl as a visitor', () => {
  test('finds none of the planted phone numbers on any page, script or answer', async () => {
    const seen = new Set<string>();
    const queue = [
      '/',
      '/en',
      '/fr',
      '/api/slots',
      '/api/slots/1',
      '/api/slots/11',
      '/api/openapi.json',
      '/api/docs',
      '/api/auth/me',
      '/sitemap.xml',
      '/robots.txt',
      '/shop/slot/1',
      '/shop/1/details',
      '/nowhere',
      '/seller/auth',
      '/sign-in',
      '/admin/auth',
      `/api/products/${productId}/contact`,
      '/demo/outbox',
      '/demo/chat',
    ];
    let pages = 0;
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (seen.has(path) || seen.size > 400) continue;
      seen.add(path);
      const response = await fetch(new URL(path, market.url), {
        redirect: 'manual',
        headers: { 'accept-encoding': 'identity' },
      });
      if (/image|font/.test(response.headers.get('content-type') ?? '')) continue;
      const text = `${[...response.headers].join('\n')}\n${await response.text()}`;
      const digits = text.replaceAll(/[\s.\-()]|%20|&nbsp;/g, '');
      for (const number of planted)
        expect(digits.includes(number), `${number} on ${path}`).toBe(false);
      pages++;
      for (const [, found = ''] of text.matchAll(
        /(?:href|src|action|location)[=,]\s*"?([^"\s>]+)/g,
      )) {
        const address = new URL(found.replaceAll('&amp;', '&'), market.url);
        if (address.origin === market.url) queue.push(address.pathname + address.search);
      }
    }
    expect(pages).toBeGreaterThan(20);
  });
});

describe('without JavaScript', () => {
  const language = 'en';
  const say = dictionaries[language];

  test('a buyer reads the market, consents, and is sent to WhatsApp', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(`/${language}`);
    expect(await page.locator('.stall:not(.stall--empty)').count()).toBe(3);
    await page.locator('.stall:not(.stall--empty) h3 a').first().click();
    await page.waitForURL(`**/${language}/shop/1/**`);
    await page.goto(`${page.url()}#contact`);
    await page.getByText(say.shop.contact.safetyMoney).waitFor();
    await page.locator('input[name=consent]').check();
    await page.locator('[data-open]').click();
    // A visitor without cookies gets a challenge first; now this browser has one.
    await page.getByRole('heading', { name: say.shop.question.title }).waitFor();
    await page.getByRole('link', { name: say.shop.question.back }).click();
    await page.goto(`${page.url()}#contact`);
    await page.locator('input[name=consent]').check();
    // The external page cannot be reached from a test: the request counts.
    const [asked] = await Promise.all([
      page.waitForRequest('https://wa.me/**'),
      page.locator('[data-open]').click(),
    ]);
    expect(new URL(asked.url()).pathname).toBe(`/237${planted[0]}`);
  });

  test('a tap without consent comes back to the product and says why', async () => {
    const response = await fetch(`${market.url}/contact/${productId}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ slot: '12' }),
      headers: { 'accept-language': language },
    });
    expect(response.status).toBe(303);
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(response.headers.get('location') ?? '');
    await page.getByText(say.errors.contact.consentRequired).first().waitFor();
  });

  test('an unknown address says so and leads home', async () => {
    const page = await market.visit({ language, javaScriptEnabled: false });
    const answer = await page.goto(`/${language}/nowhere`);
    expect(answer?.status()).toBe(404);
    await page.getByText(say.common.notFound.title).waitFor();
    await page.getByRole('link', { name: say.common.notFound.home }).click();
    await page.locator('#market').waitFor();
  });
});
