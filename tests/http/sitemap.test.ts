import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { schema } from '../../db/client.ts';
import { actors, signUpSeller, suspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { approved, live, productRow } from '../support/products.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());

const locations = async () =>
  [...(await (await market.request('/sitemap.xml')).text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(
    ([, address]) => address,
  );
const pages = (path: string) => [`http://market.test/en${path}`, `http://market.test/fr${path}`];
const pathOf = async (id: string, slotId: number) =>
  `/shop/${slotId}/${(await productRow(market, id)).slug}`;

describe('the sitemap', () => {
  test('names home, how it works, where something is for sale, and every live product in both languages', async () => {
    const one = await live(market, seller, admin);
    const two = await live(market, seller, admin, { listingType: 'featured' });
    expect(await locations()).toEqual([
      ...pages(''),
      ...pages('/how-it-works'),
      ...pages('/privacy'),
      ...pages('/terms'),
      ...pages('/market'),
      ...pages('/market/category/electronics'),
      ...pages('/market/region/littoral'),
      ...pages(await pathOf(two.id, two.slotId)),
      ...pages(await pathOf(one.id, one.slotId)),
    ]);
  });

  test('is XML and gives each page its alternates in every language', async () => {
    const { id, slotId } = await live(market, seller, admin);
    const path = await pathOf(id, slotId);
    const response = await market.request('/sitemap.xml');
    expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const text = await response.text();
    const alternates = [
      ['en', `/en${path}`],
      ['fr', `/fr${path}`],
      ['x-default', path],
    ]
      .map(
        ([language, to]) =>
          `<xhtml:link rel="alternate" hreflang="${language}" href="http://market.test${to}"/>`,
      )
      .join('');
    for (const page of pages(path))
      expect(text).toContain(
        `<url><loc>${page}</loc><lastmod>${market.clock.now().toISOString()}</lastmod>${alternates}</url>`,
      );
  });

  test('dates a page by the last change of what it shows', async () => {
    const { id } = await live(market, seller, admin);
    market.clock.advance({ hours: 3 });
    await market.db
      .update(schema.products)
      .set({ price: 1000, updatedAt: market.clock.now() })
      .where(eq(schema.products.id, id));
    expect(await (await market.request('/sitemap.xml')).text()).toContain(
      `<lastmod>${market.clock.now().toISOString()}</lastmod>`,
    );
  });

  test('leaves out what waits, what is paused, what is over and what a suspended seller offers', async () => {
    const bare = ['', '/how-it-works', '/privacy', '/terms', '/market'].flatMap(pages);
    const person = await signUpSeller(market);
    const paused = await live(market, seller, admin);
    await live(market, person, admin);
    await suspend(market, person);
    await market.db
      .update(schema.slots)
      .set({ pausedAt: market.clock.now(), pausedBy: 'admin', remainingDuration: 60 })
      .where(eq(schema.slots.id, paused.slotId));
    await approved(market, seller, admin);
    expect(await locations()).toEqual(bare);
    const { id, slotId, endTime } = await live(market, seller, admin, { durationHours: 24 });
    const ending = pages(await pathOf(id, slotId));
    expect(await locations()).toEqual(expect.arrayContaining(ending));
    market.clock.set(endTime);
    for (const page of ending) expect(await locations()).not.toContain(page);
  });
});

describe('the robots file', () => {
  test('closes the rooms that hold nothing for a search engine, and names the sitemap', async () => {
    const response = await market.request('/robots.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = (await response.text()).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    for (const room of ['/seller', '/admin', '/api', '/demo', '/fr/seller', '/en/admin'])
      expect(lines).toContain(`Disallow: ${room}`);
    expect(lines).toContain('Sitemap: http://market.test/sitemap.xml');
    expect(lines.some((line) => /Disallow: \/(media|shop)?$/.test(line))).toBe(false);
  });
});

describe('the security file', () => {
  const read = () => market.request('/.well-known/security.txt');

  test('names the operator’s contact and an end that moves with the clock, and is missing without', async () => {
    expect((await read()).status).toBe(404);
    await saveSetting(await market.ctx(admin), 'contactNumber', '+237699000054');
    expect(await (await read()).text()).toContain('Contact: https://wa.me/237699000054\n');
    await saveSetting(await market.ctx(admin), 'contactEmail', 'team@market.test');
    const response = await read();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toContain('Contact: mailto:team@market.test\n');
    const end = /^Expires: (.*)$/m.exec(text)?.[1] ?? '';
    expect(Date.parse(end)).toBe(market.clock.now().getTime() + 90 * 86_400_000);
  });
});
