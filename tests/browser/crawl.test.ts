import { Glob } from 'bun';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../locales/languages.ts';
import { actors, type Person } from '../support/actors.ts';
import { paidPost } from '../support/posts.ts';
import { live, productRow, submitted } from '../support/products.ts';
import { servedMarket } from '../support/served.ts';

/**
 * Every page in both languages, over HTTP and by its own links: a visitor who came by `/fr/…` stays
 * there (product R40). The client asks for English, so that an address without its prefix changes
 * the language.
 */
const market = await servedMarket({ env: { DEMO: '1' } });
const { seller, suspendedSeller, admin } = await actors(market);
const { id: liveId, slotId } = await live(market, seller, admin);
const { id } = await submitted(market, seller);
const { slug } = await productRow(market, liveId);

const values: Record<string, string | number> = {
  slotId,
  slug,
  id,
  reference: await paidPost(market, seller),
};
const known = [
  ...new Glob('**/*.astro').scanSync(new URL('../../site/src/pages/', import.meta.url).pathname),
]
  .map((file) =>
    `/${file}`
      .replace(/(?:\/index)?\.astro$/, '')
      .replaceAll(/\[(\w+)\]/g, (_, name: string) => String(values[name])),
  )
  .filter((address) => !['/500', '/stalls'].includes(address));
const pages = [...known, '/nowhere', '/shop/slot/54', `/shop/${slotId}/nothing-like-it-0000aaaa`];

/** Addresses that are no pages: files, the API, form targets and the bot's webhooks. */
const noPage =
  /^\/(?:_astro|media|api|preferences|sign-out|fonts)(?:[/?]|$)|^\/(?:contact|report)\/[0-9a-f-]{36}\?language=|^\/favourites\/\w+\?language=|^\/alerts(?:\/[\w.-]+|\/end\/[^?]+\?page&language=\w+)?\?language=|^\/alerts\/end\/|^\/pay\/fee\?language=|^\/connect\/\w{8}\/report\?language=|^\/contact$|^\/demo\/(?:sign-in$|chat(?:$|\?language=|\/photo\/))|^\/(?:start|début|debut)$/;

/**
 * Internal addresses of a page, in links, forms, islands and attributes, except links that switch
 * the language.
 */
function addressesIn(html: string, page: string): string[] {
  const text = html
    .replaceAll(
      /<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<link [^>]*>|<a [^>]*hreflang=[^>]*>|<pre[\s\S]*?<\/pre>|<code>[^<]*<\/code>|<svg[\s\S]*?<\/svg>/g,
      '',
    )
    // The demo's mails keep their readers' language.
    .replaceAll(page === '/demo/outbox' ? /<li class="letter"[\s\S]*?<\/li>/g : /$^/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(market.env.publicUrl, '');
  return [...text.matchAll(/(?:["']|url=)(\/[^"'\s<>\\]*)["']/g)]
    .map(([, address = '']) => address)
    .filter((address) => !noPage.test(address));
}

/** Read by the visitor's crawl, which is the first. */
const open = new Set<string>();

/** Follows all links; a person's crawl leaves out what every visitor may read. */
async function crawl(language: Language, person?: Person): Promise<number> {
  const keeps = new RegExp(`^/${language}(?=$|[/?#])`);
  const queue = pages.map((address) => `/${language}${address}`);
  const seen = new Set<string>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (seen.has(address) || open.has(address)) continue;
    seen.add(address);
    const { status, headers, body } = await market.get(address, {
      accept: 'text/html',
      'accept-language': 'en',
      ...(person ? { cookie: person.jar.header() } : {}),
    });
    expect(status, address).toBeLessThan(500);
    const onward = headers.location?.[0];
    if (onward !== undefined) {
      expect(onward, `${address} leads on`).toMatch(keeps);
      queue.push(onward);
      continue;
    }
    if (!person) open.add(address);
    expect(body, address).toContain(`<html lang="${language}"`);
    // Without scripts the sign-in form is another one, with its own heading.
    expect(
      body.replaceAll(/<noscript>.*?<\/noscript>/gs, '').match(/<h1[\s>]/g),
      `${address} has one main heading`,
    ).toHaveLength(1);
    const page = address.replace(keeps, '').replace(/[?#].*/, '');
    for (const found of new Set(addressesIn(body, page))) {
      expect(found, `on ${address}`).toMatch(keeps);
      queue.push(found.replace(/#.*/, ''));
    }
  }
  return seen.size;
}

describe('by /fr', () => {
  test.each([
    ['a visitor', undefined, 30],
    ['a seller', seller, 10],
    ['a suspended seller', suspendedSeller, 10],
    ['an admin', admin, 20],
  ] as const)(
    '%s meets no link that loses the language, and one main heading a page',
    async (_, person, least) => {
      expect(await crawl('fr', person)).toBeGreaterThan(least);
    },
  );
});

test('an address keeps the language it fixes, whatever was remembered', async () => {
  const { body } = await market.get('/fr/how-it-works', {
    accept: 'text/html',
    cookie: 'language=en',
  });
  expect(body).toContain('<html lang="fr"');
  expect(body).toContain('href="/fr/seller/auth"');
});

test('what follows a sign-in is in the language of its page, which may have been changed since', async () => {
  const after = async (address: string) =>
    (await market.get(address, { accept: 'text/html', cookie: seller.jar.header() })).headers
      .location?.[0];
  expect(await after('/en/seller/auth?next=%2Ffr%2Fseller%2Fupload')).toBe('/en/seller/upload');
  // Without its prefix this one would be another site.
  expect(await after('/en/seller/auth?next=%2Ffr%2F%2Fevil.example')).toBe('/en/seller/dashboard');
  expect(await after('/en/sign-in?next=%2Ffr%2Fhow-it-works')).toBe('/en/how-it-works');
  expect(await after('/sign-in')).toBe('/account');
  for (const odd of [
    '%2F%E6%97%A5',
    '%2F%2Fevil.example',
    '%2F%5Cevil.example',
    'https:%2F%2Fevil.example',
    '%2F%09%2Fevil.example',
  ])
    expect(await after(`/fr/sign-in?next=${odd}`), odd).toBe('/fr/account');
});
