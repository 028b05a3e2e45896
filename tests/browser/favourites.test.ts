import { beforeAll, expect, test } from 'vitest';
import { translator } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable } from '../support/visits.ts';

/** Hearts on cards and pages, in a browser and in an account. */
const market = await openMarket();
const member = await signUpMember(market);
const en = translator('en', 'favourites');
const fr = translator('fr', 'favourites');
const gown = { en: 'Toghu gown', fr: 'Robe en toghu' };
const radio = { en: 'Radio', fr: 'Poste radio' };
let radioSlot = 0;

beforeAll(async () => {
  const [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);
  await live(market, seller, admin, { name: gown });
  radioSlot = (await live(market, seller, admin, { name: radio })).slotId;
}, 120_000);

test('a heart on one phone is found on a second, and not by the next person on the first', async () => {
  const page = await market.visit({ language: 'en', viewport: phone });
  await page.goto('/en');
  const heart = page.getByRole('button', { name: en('heartNamed', { name: gown.en }) });
  expect(await heart.count()).toBe(0);
  await page.mouse.wheel(0, 300);
  await heart.click();
  await page
    .getByRole('status')
    .filter({ hasText: en('kept') })
    .waitFor();
  expect(await heart.getAttribute('aria-pressed')).toBe('true');
  await page.goto(`/en/shop/slot/${radioSlot}`);
  const form = page.getByRole('button', { name: en('heart'), exact: true });
  await page.mouse.wheel(0, 300);
  await page.locator('[data-keep] [aria-pressed=false]').waitFor();
  await form.click();
  await page.getByRole('link', { name: en('open') }).click();
  await page.waitForURL('**/en/favourites');
  await page.getByText(en('onDevice')).waitFor();
  await page.getByRole('link', { name: en('signIn'), exact: true }).click();
  await page.locator('input[name=email]').fill(member.email);
  await page.locator('input[name=password]').fill(member.password);
  await page
    .getByRole('button', { name: translator('en', 'seller')('auth.signIn'), exact: true })
    .click();
  await page.waitForURL('**/en/favourites');
  await page.getByText(en('inAccount')).waitFor();

  const second = await market.visit({ language: 'fr', viewport: desktop });
  await second.request.post(`${market.url}/api/auth/sign-in`, {
    data: { email: member.email, password: member.password },
    headers: { origin: market.url },
  });
  await second.goto('/fr/favourites');
  expect((await second.locator('.kept h3').allInnerTexts()).toSorted()).toEqual([
    radio.fr,
    gown.fr,
  ]);
  await expectUsable(second);
  await second.goto('/fr/market');
  await second.mouse.wheel(0, 300);
  const inSearch = second.getByRole('button', { name: fr('heartNamed', { name: gown.fr }) });
  await inSearch.waitFor();
  await expect.poll(() => inSearch.getAttribute('aria-pressed')).toBe('true');
  await expectUsable(second, '.finder__results');

  await page.request.post(`${market.url}/sign-out`, {
    form: { returnTo: '/en' },
    headers: { origin: market.url },
  });
  await page.goto('/en/favourites');
  await page.getByText(en('none')).waitFor();
  expect([...page.errors, ...second.errors]).toEqual([]);
});

test('a heart that did not reach the market is empty again, and says so', async () => {
  const page = await market.visit({ language: 'en', viewport: phone });
  await page.goto('/en');
  await page.mouse.wheel(0, 300);
  const heart = page.getByRole('button', { name: en('heartNamed', { name: gown.en }) });
  await heart.waitFor();
  await page.route('**/api/favourites/*', (route) => route.abort());
  await heart.click();
  await page
    .getByRole('alert')
    .filter({ hasText: en('offline') })
    .waitFor();
  expect(await heart.getAttribute('aria-pressed')).toBe('false');
});

test('without scripts the form keeps, shows and removes', async () => {
  const page = await market.visit({ language: 'fr', javaScriptEnabled: false, viewport: phone });
  await page.goto(`/fr/shop/slot/${radioSlot}`);
  await page.getByRole('button', { name: fr('heart'), exact: true }).click();
  await page.waitForURL('**/fr/favourites');
  expect(await page.locator('.kept h3').allInnerTexts()).toEqual([radio.fr]);
  await page.getByRole('button', { name: fr('removeNamed', { name: radio.fr }) }).click();
  await page.getByText(fr('none')).waitFor();
  await page.goto('/fr/favourites?gone');
  await page
    .getByRole('alert')
    .filter({ hasText: fr('notKept') })
    .waitFor();
});
