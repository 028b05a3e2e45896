import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { writeSetting } from '../../api/settings/values.ts';
import { dictionaries } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

/** Pages without a network, by a worker that is real (docs/offline.md). */
const market = await openMarket();
const [seller, admin] = [await signUpSeller(market), await signInAdmin(market)];
const gown = { en: 'Toghu gown', fr: 'Robe en toghu' };
let slot = 0;
let ends = new Date();

beforeAll(async () => {
  ({ slotId: slot, endTime: ends } = await live(market, seller, admin, { name: gown }));
}, 120_000);

const open = (language: Language) => market.visit({ language, serviceWorkers: 'allow' });
/** Waits until the worker has kept a page. */
const kept = (page: Page, address: string) =>
  page.evaluate(async (wanted) => {
    await navigator.serviceWorker.ready;
    while (!(await caches.match(wanted, { ignoreVary: true })))
      await new Promise((done) => setTimeout(done, 50));
  }, address);
/** Waits until the worker has deleted a page. */
const gone = (page: Page, address: string) =>
  page.evaluate(async (wanted) => {
    while (await caches.match(wanted, { ignoreVary: true }))
      await new Promise((done) => setTimeout(done, 50));
  }, address);
const note = (page: Page, language: Language) =>
  page.getByText(dictionaries[language].offline.at.split('.')[0] ?? '');

test('in airplane mode home, a seen product and favourites open, with their age', async () => {
  const page = await open('fr');
  const words = dictionaries.fr.offline;
  // The first page is kept without being fetched again.
  await page.goto('/');
  await kept(page, '/fr');
  await page.goto(`/shop/${slot}`);
  await kept(page, `/fr/shop/${slot}`);
  await page.goto('/favourites');
  await kept(page, '/fr/favourites');

  await page.context().setOffline(true);
  for (const address of ['/', '/fr', `/shop/${slot}`, `/fr/shop/${slot}`, '/favourites']) {
    await page.goto(address);
    await note(page, 'fr').waitFor();
  }
  await page.goto('/fr');
  await page.getByText(gown.fr).first().waitFor();
  await expectUsable(page);
  // An address that was never opened says so, and leads to what is kept.
  await page.goto('/fr/how-it-works');
  await page.getByRole('heading', { name: words.title }).waitFor();
  await expectUsable(page);
  await page.getByRole('link', { name: new RegExp(gown.fr) }).click();
  await note(page, 'fr').waitFor();
  // Its clock has run out meanwhile.
  await page.clock.setFixedTime(new Date(ends.getTime() + 60_000));
  await page.goto('/fr');
  await page.locator('.countdown[data-state=expired]').first().waitFor();
  // Calls are not answered from what is kept.
  expect(await page.evaluate(() => fetch('/api/slots').catch(() => 'away'))).toBe('away');

  await page.context().setOffline(false);
  await page.goto('/fr');
  expect(await note(page, 'fr').count()).toBe(0);
});

test('the server marks what may be kept: public pages, and the favourites of a device', async () => {
  const visitor = await open('en');
  const person = await visitAs(market, seller, { language: 'en' });
  const mark = async (page: Page, address: string) =>
    (await page.request.get(address)).headers()['x-keep-as'];
  for (const [address, key] of [
    ['/', '/en'],
    ['/fr', '/fr'],
    [`/shop/${slot}`, `/en/shop/${slot}`],
    [`/fr/shop/${slot}`, `/fr/shop/${slot}`],
    ['/how-it-works', '/en/how-it-works'],
  ] as const)
    for (const page of [visitor, person]) expect(await mark(page, address)).toBe(key);
  expect(await mark(visitor, '/fr/favourites')).toBe('/fr/favourites');
  expect(await mark(person, '/fr/favourites')).toBeUndefined();
  for (const address of [
    ...['/?x=1', '/stalls?ids=1', '/search?q=a', '/sign-in', '/connect', '/terms', '/nowhere'],
    ...['/seller/dashboard', '/account', `/contact/${slot}`, '/favourites?gone=1'],
  ])
    expect([address, await mark(person, address)]).toEqual([address, undefined]);
});

test('two people on one device never see each other’s pages', async () => {
  const page = await visitAs(market, seller, { language: 'en', serviceWorkers: 'allow' });
  await page.goto('/en');
  await kept(page, '/en');
  await page.goto('/en/seller/dashboard');
  await page.getByText(seller.name).first().waitFor();
  await page.goto('/en/account');
  const all = () =>
    page.evaluate(async () => {
      const texts = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
      }
      return texts.join('\n');
    });
  expect(await all()).not.toContain(seller.name);
  expect(await all()).not.toContain(seller.email);

  // A page shown without a network keeps its age in a session too.
  const age = (at?: string) =>
    page.evaluate(async (stamp) => {
      const cache = await caches.open('pages');
      const found = (await cache.match('/en', { ignoreVary: true })) as Response;
      const headers = new Headers(found.headers);
      if (stamp) headers.set('x-kept-at', stamp);
      if (stamp) await cache.put('/en', new Response(await found.text(), { headers }));
      await cache.delete('/session');
      return headers.get('x-kept-at');
    }, at);
  const morning = '2026-01-02T07:00:00.000Z';
  await age(morning);
  await page.context().setOffline(true);
  // Twice, so that what the first one leads to is over.
  for (const _ of [1, 2]) {
    await page.goto('/en');
    await kept(page, '/session');
    expect(await age()).toBe(morning);
  }
  await page.context().setOffline(false);
  await page.context().clearCookies();
  await page.context().setOffline(true);
  await page.goto('/en');
  await note(page, 'en').waitFor();
  expect(await page.locator('html[data-signed]').count()).toBe(0);
  await page.goto('/en/seller/dashboard');
  await page.getByRole('heading', { name: dictionaries.en.offline.title }).waitFor();

  // A sign-in deletes the kept favourites of the device.
  const shared = await open('en');
  await shared.goto('/en');
  await kept(shared, '/en');
  await shared.goto('/en/favourites');
  await kept(shared, '/en/favourites');
  await shared.context().addCookies(
    seller.jar
      .header()
      .split('; ')
      .map((pair) => pair.split('='))
      .map(([name = '', ...value]) => ({ name, value: value.join('='), url: market.url })),
  );
  await shared.goto('/en/how-it-works');
  await gone(shared, '/en/favourites');
});

test('a new release takes over an open tab at its next page, and one setting ends all workers', async () => {
  let release = '';
  // In front of the market, so that another worker comes from the same address.
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const isWorker = pathname === '/sw.js';
      const answer = await fetch(market.url + pathname + search, {
        headers: isWorker ? {} : request.headers,
        decompress: isWorker,
      });
      if (!isWorker) return answer;
      return new Response((await answer.text()) + release, {
        headers: { 'content-type': 'text/javascript', 'cache-control': 'no-cache' },
      });
    },
  });
  const at = (path: string) => `http://localhost:${front.port}${path}`;
  const page = await open('en');
  await page.goto(at('/en'));
  await kept(page, '/en');
  const taken = page.evaluate(
    () => new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done)),
  );
  release = '\n// The next release.';
  const second = await page.context().newPage();
  await second.goto(at('/en/how-it-works'));
  await taken;
  await kept(page, '/en');

  await writeSetting(market.job('x'), 'offlinePages', false);
  await page.goto(at('/en/how-it-works'));
  await page.evaluate(async () => {
    const left = async () => [
      ...(await navigator.serviceWorker.getRegistrations()),
      ...(await caches.keys()),
    ];
    while ((await left()).length > 0) await new Promise((done) => setTimeout(done, 50));
  });
  await writeSetting(market.job('x'), 'offlinePages', true);
  await front.stop(true);
});
