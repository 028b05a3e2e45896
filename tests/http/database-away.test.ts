import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { losableDatabase } from '../support/losableDatabase.ts';
import { live, photoRow, productRow } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';

const database = await losableDatabase(await freshDatabase());
const market = await servedMarket({ database });
const [admin, seller] = [await signInAdmin(market), await signUpSeller(market)];
const { id, slotId } = await live(market, seller, admin, {
  images: [await photoRow(market, seller)],
});
const { slug } = await productRow(market, id);
/** Every address of a product in a slot. */
const addresses = [
  `/shop/${slotId}`,
  `/shop/slot/${slotId}`,
  `/shop/${slotId}/details`,
  `/shop/${slotId}/${slug}`,
];
beforeAll(() => database.lose());
afterAll(() => database.bringBack());

const cookies = {
  visitor: '',
  seller: seller.jar.header(),
  admin: admin.jar.header(),
  forged: 'marche54.session_token=made.up',
};
const get = (path: string, who: keyof typeof cookies, accept = 'text/html') =>
  market.get(path, { accept, ...(who === 'visitor' ? {} : { cookie: cookies[who] }) });

describe.each([...languages])('while the database is away, in %s', (language) => {
  const { common, errors } = dictionaries[language];
  const own = [
    '/seller/dashboard',
    '/seller/upload',
    '/seller/auth',
    '/sign-in',
    '/admin/dashboard',
    '/admin/auth',
    '/admin',
    '/email-verification',
    '/connect/mine',
    '/connect/credits',
    '/account',
    '/favourites',
    '/alerts',
  ];
  /** Pages whose text the database may hold. */
  const legal = ['/privacy', '/terms'];
  const everybodys = '/how-it-works /forgot-password /reset-password /sign-in-link'.split(' ');

  test.each(['visitor', 'seller', 'admin', 'forged'] as const)(
    'every address is a page, with a way to try again where it failed: %s',
    async (who) => {
      for (const path of [
        '',
        ...addresses,
        '/connect',
        '/nope',
        '/404',
        ...everybodys,
        ...legal,
        ...own,
      ]) {
        for (const accept of ['text/html', '*/*']) {
          const { status, headers, body } = await get(`/${language}${path}`, who, accept);
          const what = `${who} ${path} ${accept}: ${status} ${body.slice(0, 200)}`;
          if (status === 303) {
            expect(['visitor', 'forged'], what).toContain(who);
            continue;
          }
          expect(headers['content-type']?.[0], what).toContain('text/html');
          expect(body, what).toContain(`<html lang="${language}"`);
          expect(path === '/nope' || path === '/404' ? [404] : [200, 503], what).toContain(status);
          if (status === 503) {
            expect(headers['retry-after'], what).toEqual(['2']);
            expect(
              [common.errorScreen.tryAgain, common.actions.retry].some((words) =>
                body.includes(`${words}</a>`),
              ),
              what,
            ).toBe(true);
          }
        }
      }
    },
  );

  test('whose page depends on who asks is the error screen of the house, and every other one is what visitors see', async () => {
    for (const who of ['seller', 'admin'] as const) {
      for (const path of own) {
        const { status, body } = await get(`/${language}${path}`, who);
        expect(status, path).toBe(503);
        expect(body).toContain(`<h1>${common.errorScreen.title}</h1>`);
        expect(body).toContain(common.errorScreen.text);
        expect(body).toContain(`href="/${language}${path}"`);
      }
      for (const path of everybodys)
        expect((await get(`/${language}${path}`, who)).status, path).toBe(200);
      expect((await get(`/${language}/nope`, who)).status).toBe(404);
    }
  });

  test('whoever was signed in as an admin reads why, and nobody elsewhere', async () => {
    expect((await get(`/${language}/admin/dashboard`, 'admin')).body).toContain(
      errors.health.databaseConnectionFailed,
    );
    expect((await get(`/${language}/seller/dashboard`, 'seller')).body).not.toContain(
      errors.health.databaseConnectionFailed,
    );
  });

  test('the board of Connect says that its posts did not load', async () => {
    for (const who of ['visitor', 'seller'] as const) {
      const { status, body } = await get(`/${language}/connect?category=repairs`, who);
      expect([status, body.includes(dictionaries[language].connect.feed.failed)], who).toEqual([
        503,
        true,
      ]);
      expect(body).toContain(`href="/${language}/connect?category=repairs"`);
    }
  });

  test.each(['visitor', 'seller', 'admin', 'forged'] as const)(
    'a product is away for a moment, and not missing: %s',
    async (who) => {
      // With a query, pages are neither cached nor served from the cache.
      for (const path of [...addresses, ...addresses.map((address) => `${address}?from=letter`)]) {
        const { status, headers, body } = await get(`/${language}${path}`, who);
        const what = `${who} ${path}: ${status} ${body.slice(0, 200)}`;
        expect([status, headers['retry-after']], what).toEqual([503, ['2']]);
        expect(body, what).toContain(`<h1>${common.errorScreen.title}</h1>`);
        expect(body, what).not.toContain(dictionaries[language].shop.states.notFound.title);
        expect(body.toLowerCase(), what).not.toContain('http-equiv="refresh"');
        expect(headers.location, what).toBeUndefined();
      }
    },
  );

  test('the API stays the API', async () => {
    const { status, headers, body } = await get('/api/auth/me', 'seller');
    expect([status, JSON.parse(body).error.code]).toEqual([503, 'unavailable']);
    expect(headers['content-type']?.[0]).toContain('application/json');
  });
});

test('the operator hears of it, and once it is back everybody is who they were', async () => {
  await get('/seller/dashboard', 'seller');
  expect(
    market.logged.some(({ level, page }) => level === 'error' && page === 'GET /seller/dashboard'),
  ).toBe(true);
  database.bringBack();
  const { status, body } = await get('/en/seller/dashboard', 'seller');
  expect([status, body.includes(dictionaries.en.common.errorScreen.title)]).toEqual([200, false]);
  database.lose();
});
