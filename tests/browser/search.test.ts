import { beforeAll, expect, test } from 'vitest';
import { markSold } from '../../api/products/markSold.ts';
import { translator } from '../../locales/index.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable } from '../support/visits.ts';

/** Search of the market, with and without a script (product R49, decision 070). */
const market = await openMarket();
const t = translator('fr', 'search');
const common = translator('fr', 'common');

beforeAll(async () => {
  const [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);
  const shown = { price: 60_000, sellerLocation: 'Douala, Littoral' };
  await live(market, seller, admin, {
    ...shown,
    name: { en: 'Phone Tecno', fr: 'Téléphone Tecno' },
  });
  await live(market, seller, admin, {
    name: { en: 'Phone case', fr: 'Coque de téléphone' },
    price: 3000,
    category: 'fashion',
    condition: 'used',
    sellerLocation: 'Bafoussam, Ouest',
  });
  const { id } = await live(market, seller, admin, {
    ...shown,
    name: { en: 'Phone Itel', fr: 'Téléphone Itel' },
  });
  await markSold(await market.ctx(seller), id);
}, 120_000);

test('a word without accents and with a slip is found, narrowed, widened again and shared', async () => {
  const page = await market.visit({ language: 'fr', viewport: phone });
  await page.goto('/fr/market');
  const field = page.getByRole('combobox', { name: t('words') });
  const box = page.locator('[data-suggest]');
  await box.focus();
  await field.waitFor();
  await field.pressSequentially('coque');
  const option = page.getByRole('option', { name: 'Coque de téléphone' });
  await option.waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
  await page.keyboard.press('Escape');
  await option.waitFor({ state: 'detached' });
  await field.fill('telefone');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/fr/market?q=telefone*');
  await page.getByText(t('corrected', { words: 'telefone', meant: 'telephone' })).waitFor();
  const names = () => page.locator('.finder__results h3').allInnerTexts();
  expect((await names()).toSorted()).toEqual([
    'Coque de téléphone',
    'Téléphone Itel',
    'Téléphone Tecno',
  ]);
  expect(await page.locator('.finder__results mark').first().innerText()).toMatch(/téléphone/i);
  const past = page.locator('.stall--past');
  expect(await past.innerText()).toContain(t('states.sold'));
  expect(await past.getByRole('link').count()).toBe(1);
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toContain('noindex');
  await expectUsable(page);

  await page.locator('main summary').click();
  await page.locator('select[name=category]').selectOption('fashion');
  await page.getByRole('button', { name: t('apply') }).click();
  await page.waitForURL('**category=fashion*');
  await expect.poll(names).toEqual(['Coque de téléphone']);
  await page.locator('select[name=condition]').selectOption('used');
  await page.getByRole('button', { name: t('apply') }).click();
  await page.waitForURL('**condition=used*');
  await expect.poll(names).toEqual(['Coque de téléphone']);
  await page
    .getByRole('link', { name: t('remove', { filter: common('conditions.used') }) })
    .click();
  await page.waitForURL((url) => !url.search.includes('condition'));
  const shared = page.url();
  await page
    .getByRole('link', { name: t('remove', { filter: common('categories.fashion') }) })
    .click();
  await page.waitForURL((url) => !url.search.includes('category'));
  expect(await names()).toHaveLength(3);

  const other = await market.visit({
    language: 'fr',
    viewport: desktop,
    colorScheme: 'dark',
    javaScriptEnabled: false,
  });
  await other.goto(shared);
  expect(await other.locator('.finder__results h3').allInnerTexts()).toEqual([
    'Coque de téléphone',
  ]);
  await other.goto('/fr/market/category/electronics');
  expect(await other.locator('meta[name=robots]').count()).toBe(0);
  expect(await other.locator('link[rel=canonical]').getAttribute('href')).toContain(
    '/fr/market/category/electronics',
  );
  await other.getByRole('searchbox', { name: t('words') }).fill('tecno');
  await other.getByRole('button', { name: t('submit'), exact: true }).click();
  expect(await other.locator('.finder__results h3').allInnerTexts()).toEqual(['Téléphone Tecno']);
});

test('bad addresses answer with a sentence, never with an error', async () => {
  for (const path of [
    `/fr/market?q=${'z'.repeat(5000)}`,
    '/fr/market?q=%25%26*%3C%3E',
    '/fr/market?min=9&max=1&page=99',
    '/fr/market/region/atlantis',
    '/fr/market/category/boats',
  ]) {
    const response = await fetch(market.url + path, { headers: { accept: 'text/html' } });
    expect(response.status, path).toBe(200);
    expect(await response.text()).toContain('note--wait');
  }
});
