import { beforeAll, describe, expect, test } from 'vitest';
import { setPostStatus } from '../../api/connect/toggle.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
} from '../support/actors.ts';
import { grant } from '../support/credits.ts';
import { desktop, openMarket } from '../support/market.ts';
import { postNumber, published } from '../support/posts.ts';
import { visitAs } from '../support/visits.ts';
import { patient } from './people.ts';

/**
 * The feed of Connect: public, searched by its address, one's own posts apart, and news of new ones
 * (product §11).
 */
const market = await openMarket();
let owner: Person;
let reader: Person;

beforeAll(async () => {
  [owner, reader] = await Promise.all([
    signUpMember(market, { name: 'Owner of Posts' }),
    signUpMember(market),
  ]);
  await Promise.all([grant(market, owner, 1000), grant(market, reader, 4)]);
});

/** Leaves only these posts open, the last one on top; returns their references. */
async function connectWith(...posts: Parameters<typeof published>[2][]): Promise<string[]> {
  await market.sql`update connect_posts set status = 'closed'`;
  const references: string[] = [];
  for (const post of posts) {
    market.clock.advance({ minutes: 1 });
    references.push(await published(market, owner, post));
  }
  return references;
}
const tap = {
  title: 'Plumber for a tap',
  budgetMin: 5000,
  budgetMax: 12_500,
  city: 'Douala',
  tags: ['water', 'kitchen'],
};
const hall = {
  title: 'Caterer for a hall',
  description: 'Ndolé for forty.',
  category: 'events' as const,
};
const html = async (path: string, as?: Person) => {
  const response = await fetch(market.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(as && { cookie: as.jar.header() }) },
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    text: await response.text(),
  };
};
const titlesIn = (text: string) =>
  [...text.matchAll(/<h2[^>]*><a[^>]*>([^<]*)/g)].map(([, title]) => title);

describe('the feed of Connect', () => {
  const language = 'en';
  const say = dictionaries[language].connect;
  const t = translator(language, 'connect');
  const at = (path: string) => `/${language}${path}`;
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

  test('whoever has no account and no script reads the feed, looks for words, and chooses a category', async () => {
    const [, second] = await connectWith(tap, hall);
    market.clock.advance({ hours: 3 });
    const page = await market.visit({ language, javaScriptEnabled: false });
    await page.goto(at(''));
    await page.getByRole('contentinfo').getByRole('link', { name: 'Connect' }).click();
    await page.getByRole('heading', { level: 1, name: say.frame.name }).waitFor();
    expect(await page.locator('.card h2').allInnerTexts()).toEqual([hall.title, tap.title]);
    const card = page.locator('.card', { hasText: tap.title });
    const words = plain(await card.innerText());
    expect(words).toContain('XAF 5,000 – XAF 12,500');
    for (const part of [say.categories.repairs, 'Douala', 'water', '3 hours ago'])
      expect(words).toContain(part);
    expect(
      await page
        .locator('.card')
        .first()
        .getByRole('link', { name: t('feed.connectTo', { title: hall.title }) })
        .getAttribute('href'),
    ).toBe(at(`/connect/${second}#connect`));
    // Controls for the owner or for members are absent.
    expect(await page.getByText(say.feed.yourPost).count()).toBe(0);
    expect(await page.locator('[data-balance], .connect__add').count()).toBe(0);

    await page.locator('main summary').click();
    await page.getByLabel(say.feed.searchLabel).fill('ndole quarante');
    await page.getByRole('search').getByRole('button').click();
    await page.getByRole('heading', { name: say.feed.empty }).waitFor();
    expect(await page.getByRole('link', { name: say.feed.createFirst }).getAttribute('href')).toBe(
      '?search=ndole+quarante&new',
    );
    expect(await page.getByLabel(say.feed.searchLabel).inputValue()).toBe('ndole quarante');
    await page.getByLabel(say.feed.searchLabel).fill('ndole');
    await page.getByRole('search').getByRole('button').click();
    await page.locator('.card').waitFor();
    expect(await page.locator('.card h2').allInnerTexts()).toEqual([hall.title]);
    await page.getByRole('link', { name: say.categories.repairs, exact: true }).click();
    await page.waitForURL(market.url + at('/connect?search=ndole&category=repairs'));
    await page.getByRole('heading', { name: say.feed.empty }).waitFor();
    await page.getByRole('link', { name: say.feed.clear }).click();
    await page.waitForURL(market.url + at('/connect'));
    expect(await page.locator('.card').count()).toBe(2);
  });

  test('whoever signs in comes back, has a balance with a way to buy, a way to post, and a badge on what is one’s own', async () => {
    // Posts closed by earlier tests are among one's own as well.
    const [open, closed] = ['Painter for a wall', 'Painter for a gate'];
    const [, second = ''] = await connectWith({ title: open }, { title: closed });
    await setPostStatus(await market.ctx(owner), second, 'closed');
    const page = await market.visit({ language, viewport: desktop });
    await page.goto(at('/connect?category=repairs'));
    await page.locator('main').getByRole('link', { name: say.frame.signIn }).click();
    await page.waitForURL(`**${at('/sign-in?next=')}**`);
    await page.locator('input[name=email]').fill(owner.email);
    await page.locator('input[name=password]').fill(owner.password);
    await page.locator('main form button[type=submit]').click();
    await page.waitForURL(market.url + at('/connect?category=repairs'));
    const card = page.locator('.card', { hasText: open });
    await card.getByText(say.feed.yourPost).waitFor();
    expect(plain(await card.innerText())).toContain(
      plain(`${t('feed.views', { count: 0 })} ${t('feed.responses', { count: 0 })}`),
    );
    expect(
      await card.getByRole('link', { name: t('feed.connectTo', { title: open }) }).count(),
    ).toBe(0);
    expect(await page.getByRole('link', { name: say.frame.create }).getAttribute('href')).toBe(
      '?category=repairs&new',
    );

    await page.getByRole('link', { name: say.frame.mine }).click();
    await page.getByRole('heading', { level: 1, name: say.frame.mine }).waitFor();
    await page.locator('.card', { hasText: open }).waitFor();
    expect(await page.locator('.card h2').allInnerTexts()).toEqual([open]);
    await page.getByRole('link', { name: say.feed.mine.closed, exact: true }).click();
    await page.locator('.card', { hasText: closed }).waitFor();
    expect(await page.locator('.card h2').allInnerTexts()).not.toContain(open);
    expect(page.errors).toEqual([]);
  });

  test('an open feed says how many posts are new in its category, keeps its ages and its balance true, and moves nothing by itself', async () => {
    await connectWith(hall, tap);
    const page = await visitAs(market, reader, { language });
    await page.clock.install();
    const line = page.waitForRequest('**/api/connect/live*');
    await page.goto(at('/connect?category=repairs'));
    expect(await page.locator('[data-balance]').innerText()).toBe('4');
    expect(await page.locator('[data-buy]').isVisible()).toBe(true);
    await page.clock.fastForward(5000);
    await line;
    await published(market, owner, { title: 'Not here', category: 'other' });
    await published(market, owner, { title: 'A second tap' });
    const bar = page.getByRole('status').getByRole('link', { name: say.feed.show });
    await expect
      .poll(async () => {
        await page.clock.fastForward(1000);
        return bar.isVisible();
      }, patient)
      .toBe(true);
    expect(await bar.innerText()).toContain(t('feed.news', { count: 1 }));
    expect(await page.locator('.card').count()).toBe(1);

    const age = page.locator('time[data-age]');
    await page.clock.fastForward(5 * 60_000);
    await expect.poll(() => age.innerText(), patient).toMatch(/^[56] minutes ago$/);
    await page.evaluate(() =>
      window.dispatchEvent(new CustomEvent('connect:balance', { detail: 29 })),
    );
    expect(await page.locator('[data-balance]').innerText()).toBe('29');
    expect(await page.locator('[data-buy]').isVisible()).toBe(false);

    await bar.click();
    await page.locator('.card', { hasText: 'A second tap' }).waitFor();
    expect(await bar.isVisible()).toBe(false);
    expect(page.errors).toEqual([]);
  });
});

test('older posts are a link without a script, and are added below with one', async () => {
  await connectWith(
    ...Array.from({ length: 23 }, (_, order) => ({ title: `Post number ${order + 1}` })),
  );
  const { text } = await html('/en/connect');
  const older = /href="(\/en\/connect\?after=[^"]+)"/.exec(text)?.[1] ?? '';
  expect(titlesIn(text)).toHaveLength(20);
  expect(titlesIn((await html(older)).text)).toEqual([
    'Post number 3',
    'Post number 2',
    'Post number 1',
  ]);
  const page = await market.visit({ language: 'en' });
  await page.goto('/en/connect');
  await page.locator('astro-island:not([ssr])').first().waitFor({ state: 'attached' });
  await page.getByRole('link', { name: dictionaries.en.connect.feed.older }).click();
  await expect.poll(() => page.locator('.card').count(), patient).toBe(23);
  expect(page.url()).toBe(`${market.url}/en/connect`);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Post number 3');
  expect(await page.getByRole('link', { name: dictionaries.en.connect.feed.older }).count()).toBe(
    0,
  );
});

test('no page of Connect holds a number or an address of e-mail, not even for whom they belong to', async () => {
  await connectWith(tap);
  for (const [path, as] of [
    ['/connect'],
    ['/connect', reader],
    ['/connect', owner],
    ['/connect/mine', owner],
  ] as const) {
    const { status, text } = await html(`/en${path}`, as);
    expect([status, titlesIn(text)]).toEqual([200, [tap.title]]);
    expect(text.replaceAll(/[\s.\-()]/g, '')).not.toContain(postNumber.slice(4));
    for (const { email } of [owner, reader]) expect(text).not.toContain(email);
  }
});

test('one’s own posts are one’s own; whoever is suspended as a seller keeps Connect, and admins see it', async () => {
  await connectWith(tap);
  const { status, location } = await html('/fr/connect/mine?status=closed');
  expect([status, location]).toEqual([
    303,
    `/fr/sign-in?next=${encodeURIComponent('/fr/connect/mine?status=closed')}`,
  ]);
  expect(titlesIn((await html('/en/connect/mine', reader)).text)).toEqual([]);
  const seller = await signUpSeller(market);
  await grant(market, seller, 2);
  market.clock.advance({ minutes: 1 });
  await published(market, seller, { title: 'From a seller' });
  await suspend(market, seller);
  const mine = await html('/en/connect/mine', seller);
  expect([mine.status, titlesIn(mine.text)]).toEqual([200, ['From a seller']]);
  expect(titlesIn((await html('/en/connect', await signInAdmin(market))).text)).toEqual([
    'From a seller',
    tap.title,
  ]);
});
