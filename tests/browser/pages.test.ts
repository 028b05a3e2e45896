import { Glob } from 'bun';
import { describe, expect, test } from 'vitest';
import { loadPages } from '../../api/pageRenderer.ts';
import { payFee } from '../../api/payments/payFee.ts';
import { completeProfile } from '../../api/sellers/profile.ts';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { islandsOfTheSite } from '../support/islands.ts';
import { paidPost } from '../support/posts.ts';
import { live, submitted } from '../support/products.ts';

/**
 * Every page in every language, as a user who may see it. A missing translation throws, and is a
 * 500 here.
 */
const site = new URL('../../site/', import.meta.url);
const market = await testApp({
  env: { DEMO: '1' },
  pages: await loadPages(new URL('dist/', site)),
});
const { seller, otherSeller, admin } = await actors(market);
const { id: liveId, slotId } = await live(market, seller, admin);
const { id } = await submitted(market, seller, {
  name: { en: 'Talking drum', fr: 'Tambour parlant' },
});
const [{ slug = '' } = {}] = await market.sql<
  { slug: string }[]
>`select slug from products where id = ${liveId}`;

const shop = 'electro';
await completeProfile(await market.ctx(seller), {
  name: 'Ngo',
  location: 'Douala',
  businessName: shop,
});

const [paying, owing] = [await submitted(market, seller), await submitted(market, seller)];
const payment = await payFee(
  await market.ctx(seller),
  paying.feeReference ?? '',
  crypto.randomUUID(),
);
const values: Record<string, string | number> = {
  slotId,
  slug,
  id,
  reference: await paidPost(market, seller),
};
/**
 * Pages with another status than 200: error pages, a challenge nobody got, and the admin's first
 * page, which redirects.
 */
const answers: Record<string, number> = {
  '/404': 404,
  '/500': 500,
  '/contact/question': 404,
  '/admin': 303,
};
const queries: Record<string, string> = {
  '/stalls': `?ids=${slotId}`,
  '/pay': `?fee=${owing.feeReference}`,
};
const pages = [...new Glob('**/*.astro').scanSync(new URL('src/pages/', site).pathname)]
  .sort()
  .map((file) => {
    const address = `/${file}`
      .replace(/(?:\/index)?\.astro$/, '')
      .replace('/shops/[slug]', `/shops/${shop}`)
      .replace('/pay/[id]', `/pay/${payment.id}`)
      .replaceAll(/\[(\w+)\]/g, (_, name: string) => String(values[name]));
    return {
      file,
      address,
      as: address.endsWith('/auth')
        ? undefined
        : address.startsWith('/admin')
          ? admin
          : /^\/(seller|account|pay|connect\/(?:mine|credits))/.test(address)
            ? seller
            : undefined,
    };
  });

describe.each([...languages])('in %s', (language) => {
  test.each(pages)('$file is written', async ({ address, as }) => {
    const query = queries[address] ?? '';
    const response = await market.request(`/${language}${address}${query}`, {
      headers: { accept: 'text/html' },
      ...(as ? { as } : {}),
    });
    const html = await response.text();
    expect(response.status, html.slice(0, 500)).toBe(answers[address] ?? 200);
    if (response.status === 303) return;
    if (address === '/stalls')
      return expect(html).toContain(translator(language, 'home')('card.contact'));
    expect(html).toContain(`lang="${language}"`);
    expect(html).toContain(translator(language, 'common')('a11y.skipToContent'));
    const isIndexed = html.includes('rel="canonical"') && !html.includes('content="noindex"');
    const card = /og:image" content="http:\/\/market\.test(\/media\/cards\/[\w-]+\.jpg)"/.exec(
      html,
    )?.[1];
    if (isIndexed) expect((await market.request(card ?? '/no-card')).status).toBe(200);
  });
});

/** Islands and module scripts of a page's HTML. */
async function partsOf(html: string) {
  const islands: { name: string; renderer: string; written: boolean }[] = [];
  const scripts: string[] = [];
  const rewriter = new HTMLRewriter()
    .on('astro-island', {
      element: (island) => {
        islands.push({
          name: /([^/.]+)\.[^/]*$/.exec(island.getAttribute('component-url') ?? '')?.[1] ?? '?',
          renderer: island.getAttribute('renderer-url') ?? '',
          written: island.hasAttribute('ssr'),
        });
      },
    })
    .on('script[type=module]', {
      element: (script) => {
        scripts.push(script.getAttribute('src') ?? '');
      },
    });
  await rewriter.transform(new Response(html)).text();
  return { islands, scripts };
}

// One client entry holds the error screen and the reporter; shell.test.ts breaks islands with it.
test('every island of every page starts by the one entry with the error screen, and every page loads the reporter', async () => {
  const visits = [
    ...pages.filter(({ address }) => address !== '/stalls'),
    { address: '/seller/dashboard?edit=profile', as: seller },
    { address: '/connect', as: seller },
    { address: `/connect/${values.reference}`, as: seller },
    { address: `/connect/${values.reference}`, as: otherSeller },
    { address: '/nowhere', as: undefined },
  ];
  const renderers = new Set<string>();
  const seen = new Set<string>();
  for (const { address, as } of visits) {
    const response = await market.request(`/en${address}`, {
      headers: { accept: 'text/html' },
      ...(as ? { as } : {}),
    });
    if (response.status === 303) continue;
    const { islands, scripts } = await partsOf(await response.text());
    for (const { name, renderer, written } of islands) {
      seen.add(name);
      renderers.add(renderer);
      // The entry leaves out islands that the server has not rendered.
      expect(written, `${address}: ${name}`).toBe(true);
    }
    const reporter = scripts.some((src) => src.startsWith('/_astro/Base.astro_'));
    expect(reporter || islands.length > 0, `${address} loads the reporter`).toBe(true);
  }
  expect([...renderers]).toEqual([expect.stringMatching(/^\/_astro\/island\.[^/]+\.js$/)]);
  expect([...seen].sort()).toEqual(islandsOfTheSite());
});

test('a seller’s own products go by their name in the page’s language, else by the one that they have', async () => {
  const { id: plain } = await submitted(market, seller, { name: { en: 'Stew pot', fr: '' } });
  const read = async (address: string) =>
    (await market.request(address, { headers: { accept: 'text/html' }, as: seller })).text();
  const headings = async (language: string) =>
    [...(await read(`/${language}/seller/dashboard`)).matchAll(/<h3[^>]*>[^<]*<\/h3>/g)].map(
      ([found]) => found.replace(/ (?:data-astro-[\w-]+(?:="")?|dir="auto")/g, ''),
    );
  expect(await headings('en')).toEqual(
    expect.arrayContaining(['<h3>Stew pot</h3>', '<h3>Talking drum</h3>']),
  );
  expect(await headings('fr')).toEqual(
    expect.arrayContaining(['<h3 lang="en">Stew pot</h3>', '<h3>Tambour parlant</h3>']),
  );
  const heading = async (product: string) =>
    /<h1[^>]*>([^<]*)/.exec(await read(`/fr/seller/products/${product}/edit`))?.[1];
  expect([await heading(id), await heading(plain)]).toEqual([
    expect.stringContaining('Tambour parlant'),
    expect.stringContaining('Stew pot'),
  ]);
});
