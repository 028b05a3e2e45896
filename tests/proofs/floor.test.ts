import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { completeProfile } from '../../api/sellers/profile.ts';
import { dictionaries } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { openBreakableNetwork } from '../support/brokenNetwork.ts';
import { openMarket } from '../support/market.ts';
import { expectUpright, orientedPhotos, shrinking } from '../support/orientations.ts';
import { jpeg } from '../support/photos.ts';
import { paidPost } from '../support/posts.ts';
import { live } from '../support/products.ts';
import { openChromium87 } from './chromium87.ts';

/**
 * A buyer’s and a seller’s path in a real Chromium 87, the floor of browsers (decision 012). Its
 * pictures are in `.vitest/chromium87`.
 */
const line = await openBreakableNetwork();
const market = await openMarket({ DEMO: '1', PUBLIC_URL: line.url });
line.to(market.port);
const { seller, admin } = await actors(market);
await completeProfile(await market.ctx(seller), {
  name: 'Ngo',
  location: 'Douala, Littoral',
  businessName: 'Radio Ngo',
});
const { slotId } = await live(market, seller, admin);
const postId = await paidPost(market, seller);
let browser: Awaited<ReturnType<typeof openChromium87>>;
beforeAll(async () => {
  browser = await openChromium87();
}, 60_000);
afterAll(() => browser?.close());
afterEach(() => expect(browser.errors.splice(0)).toEqual([]));

const cookies = seller.jar
  .header()
  .split('; ')
  .map((pair) => ({ name: pair.split('=')[0] ?? '', value: pair.slice(pair.indexOf('=') + 1) }));

/** Lists what an unknown colour, ratio or popover would break. */
const faults = () => {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways');
  const clear = (element: Element) =>
    /^rgba\(.*, 0\)$|transparent/.test(getComputedStyle(element).backgroundColor);
  if (clear(document.documentElement) && clear(document.body)) found.push('no ground');
  for (const button of document.querySelectorAll('.button--primary'))
    if (clear(button)) found.push(`no ground: ${button.textContent}`);
  for (const picture of document.querySelectorAll('.stall__picture, .photo, .listing__picture'))
    if (picture.getClientRects().length > 0 && picture.clientHeight < 40)
      found.push(`flat: ${picture.className}`);
  return found;
};

test('is Chromium 87', async () => {
  expect(await browser.run(() => navigator.userAgent)).toContain('Chrome/87.');
});

test.each([
  ['light', 'en'],
  ['dark', 'fr'],
] as const)(
  'every page has its colours and pictures in the %s theme, in %s',
  async (theme, language) => {
    const pages = {
      home: '',
      market: '/market',
      product: `/shop/slot/${slotId}`,
      shop: '/shops/radio-ngo',
      how: '/how-it-works',
      connect: '/connect',
      post: `/connect/${postId}`,
      'sign-in': '/sign-in',
      'seller-auth': '/seller/auth',
      dashboard: '/seller/dashboard',
      wizard: '/seller/products/upload',
      chat: '/demo/chat',
    };
    for (const [width, height] of [
      [360, 740],
      [1440, 900],
    ] as const) {
      await browser.look(width, height, theme);
      for (const [name, path] of Object.entries(pages)) {
        const own = ['dashboard', 'wizard'].includes(name);
        await browser.goto(`${market.url}/${language}${path}`, own ? cookies : []);
        await browser.until(() => !document.querySelector('astro-island[ssr]'));
        await browser.picture(`${name}-${language}-${width}`);
        expect([name, width, await browser.run(faults)]).toEqual([name, width, []]);
      }
    }
  },
  240_000,
);

test('a buyer opens the menus, finds the stall, consents and gets the link', async () => {
  await browser.look(360, 740, 'light');
  await browser.goto(`${market.url}/en`);
  const shown = (selector: string) =>
    browser.run(
      (one) => (document.querySelector(one)?.getBoundingClientRect().height ?? 0) > 0,
      selector,
    );
  const press = (selector: string) =>
    browser.run((one) => document.querySelector<HTMLElement>(one)?.click(), selector);
  for (const [opener, sheet] of [
    ['.languages > summary', '.languages__list'],
    ['.header__menu > summary', '.header .nav'],
  ] as const) {
    expect(await shown(sheet)).toBe(false);
    await press(opener);
    expect(await shown(sheet)).toBe(true);
    await browser.picture(`menu-${opener.slice(1, 4)}`);
    await press(opener);
  }
  await press('.stall h3 a');
  await browser.until(() => document.querySelector('dialog[data-live]'));
  await press('[data-action=contact]');
  await browser.until(() => {
    const dialog = document.querySelector('dialog[open]');
    return dialog && getComputedStyle(dialog).opacity === '1';
  });
  await browser.picture('contact');
  await press('dialog [name=consent]');
  await press('dialog [data-open]');
  await browser.until(() => document.querySelector('dialog a[href^="https://wa.me/"]'));
}, 60_000);

test('a seller fills the wizard, sends a photo and submits', async () => {
  const words = dictionaries.en.seller.wizard;
  await browser.goto(`${market.url}/en/seller/products/upload`, cookies);
  await browser.until(() => document.querySelector('[name="name.en"]'));
  const next = (label: string) =>
    browser.run(
      (text) =>
        [...document.querySelectorAll('button')]
          .find((button) => button.textContent?.trim() === text)
          ?.click(),
      label,
    );
  /** As a keyboard would: React listens to the event. */
  const type = (fields: Record<string, string>) =>
    browser.run((given) => {
      for (const [name, value] of Object.entries(given)) {
        const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`);
        if (!field) throw new Error(`No field ${name}`);
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(
          field,
          value,
        );
        field.dispatchEvent(
          new Event(field.localName === 'select' ? 'change' : 'input', { bubbles: true }),
        );
      }
    }, fields);
  await type({
    'name.en': 'Raffia basket',
    'description.en': 'Two handles, never used.',
    'name.fr': 'Panier en raphia',
    'description.fr': 'Deux anses, jamais servi.',
    category: 'home_garden',
  });
  await next(words.actions.next);
  await browser.until(() => document.querySelector('[name=price]'));
  await type({ price: '12500' });
  await next(words.actions.next);
  await browser.until(() => document.querySelector('input[type=file]'));
  await browser.choose('input[type=file]', await jpeg());
  await browser.until(() => document.querySelector('[data-photo][data-state=sent]'));
  await browser.picture('wizard-photo');
  await next(words.actions.next);
  await browser.until(() => document.querySelector('[name=sellerName]'));
  await next(words.actions.next);
  await browser.until(() => document.querySelector('[value=mtn_momo]'));
  await browser.run(() => document.querySelector<HTMLElement>('[value=mtn_momo]')?.click());
  await next(words.actions.next);
  await browser.until((text) => document.body.textContent?.includes(text), words.actions.submit);
  await browser.picture('wizard-review');
  await next(words.actions.submit);
  await browser.until(() => location.pathname.endsWith('/seller/dashboard'));
}, 90_000);

test('photos in all eight orientations are shrunk upright', async () => {
  const photos = await orientedPhotos();
  await expectUpright(await browser.evaluate<string[]>(shrinking(photos)), photos);
}, 60_000);

test('without a network, a page that was opened is shown with its age', async () => {
  await browser.look(360, 740, 'light');
  await browser.goto(`${market.url}/en`);
  await browser.until(() => caches.match('/en', { ignoreVary: true }));
  line.cut();
  await browser.goto(`${market.url}/en`);
  const says = (text: string) =>
    browser.until((wanted) => document.body.textContent?.includes(wanted), text);
  await says(dictionaries.en.offline.at.split('.')[0] ?? '');
  await browser.until(() => document.querySelector('.stall h3'));
  await browser.picture('offline');
  await browser.goto(`${market.url}/en/shops/never-opened`);
  await says(dictionaries.en.offline.text);
  line.mend();
}, 60_000);
