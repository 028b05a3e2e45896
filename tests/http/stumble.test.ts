import { afterEach, describe, expect, test } from 'vitest';
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
const addresses = [
  `/shop/${slotId}`,
  `/shop/slot/${slotId}`,
  `/shop/${slotId}/details`,
  `/shop/${slotId}/${slug}`,
];
const cookies = { visitor: '', seller: seller.jar.header(), admin: admin.jar.header() };

/** The query bypasses the page cache. */
const get = (path: string, who: keyof typeof cookies = 'visitor') =>
  market.get(`${path}?from=letter`, {
    accept: 'text/html',
    ...(cookies[who] ? { cookie: cookies[who] } : {}),
  });

/** Expects a live product or a temporary error, and nothing else. */
function expectHereOrAway(
  { status, headers, body }: Awaited<ReturnType<typeof get>>,
  what: string,
): void {
  expect([200, 503], `${what}: ${status} ${body.slice(0, 200)}`).toContain(status);
  expect(
    status === 200 ? [body.includes('Samsung Galaxy A14')] : headers['retry-after'],
    what,
  ).toEqual(status === 200 ? [true] : ['2']);
  expect(body.toLowerCase(), what).not.toContain('http-equiv="refresh"');
}

describe('while connections end in the middle', () => {
  test.each([
    ['visitor', 'en', addresses],
    ['visitor', 'fr', addresses.slice(0, 1)],
    ['seller', 'en', addresses.slice(2, 3)],
    ['admin', 'fr', addresses.slice(3)],
  ] as const)(
    'a product is shown or away for a moment, whichever statement is lost: %s, %s',
    async (who, language, some) => {
      for (const address of some) {
        let away = 0;
        for (let messages = 0; messages < 12; messages++) {
          const cut = database.cutAfter(messages);
          const answer = await get(`/${language}${address}`, who);
          expectHereOrAway(answer, `${who} ${address} after ${messages}`);
          if (answer.status === 503) away++;
          if (!cut.done()) break;
        }
        expect(away, `${who} ${address}`).toBeGreaterThan(0);
        database.cutAfter(Number.POSITIVE_INFINITY);
        expect((await get(`/${language}${address}`, who)).status).toBe(200);
      }
    },
  );
});

describe('while one read alone fails', () => {
  const renamed = new Map<string, string>();
  const breakTable = async (name: string) => {
    await market.sql.unsafe(`alter table ${name} rename to ${name}_gone`);
    renamed.set(name, `${name}_gone`);
  };
  afterEach(async () => {
    for (const [name, now] of renamed)
      await market.sql.unsafe(`alter table ${now} rename to ${name}`);
    renamed.clear();
    market.pageCache.drop();
  });

  test('a product is away for a moment', async () => {
    await breakTable('slot_engagement');
    for (const language of languages) {
      for (const address of addresses) {
        const answer = await get(`/${language}${address}`);
        expect(answer.status, address).toBe(503);
        expect(
          market.logged.filter(
            ({ level, requestId }) => level === 'error' && answer.body.includes(String(requestId)),
          ),
        ).toHaveLength(1);
        expectHereOrAway(answer, address);
      }
    }
  });

  test('a slot that shows nothing is not called missing before its state was read', async () => {
    await market.sql`update slots set paused_at = now(), paused_by = 'admin',
      remaining_duration = 60 where id = ${slotId}`;
    expect((await get(`/en/shop/${slotId}`)).status).toBe(200);
    expect((await get('/en/shop/54')).status).toBe(404);
    await breakTable('products');
    expect((await get(`/en/shop/${slotId}`)).status).toBe(503);
    await market.sql`update slots set paused_at = null, paused_by = null,
      remaining_duration = null where id = ${slotId}`;
  });

  test('the market without the operator’s contact is shown and not kept', async () => {
    await breakTable('settings');
    const before = market.pageCache.renders;
    for (let times = 0; times < 2; times++)
      expect((await market.get('/en', { accept: 'text/html' })).status).toBe(200);
    expect(market.pageCache.renders - before).toBe(2);
  });
});

test('a page that is kept is answered while the database is away', async () => {
  const read = () => market.get(`/en/shop/${slotId}/${slug}`, { accept: 'text/html' });
  expect((await read()).status).toBe(200);
  database.lose();
  const { status, body } = await read();
  expect([status, body.includes('Samsung Galaxy A14')]).toEqual([200, true]);
  expect((await market.get('/en/shop/slot/2', { accept: 'text/html' })).status).toBe(503);
  database.bringBack();
});
