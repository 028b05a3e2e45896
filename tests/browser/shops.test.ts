import { beforeAll, expect, test } from 'vitest';
import { markSold } from '../../api/products/markSold.ts';
import { reportShop } from '../../api/reports/reportShop.ts';
import { completeProfile } from '../../api/sellers/profile.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';

/** Sellers' pages (product R50, decision 072). */
const market = await openMarket();
const [seller, other, admin] = await Promise.all([
  signUpSeller(market),
  signUpSeller(market),
  signInAdmin(market),
]);
const shots = process.env.SHOTS;
let product: { slotId: number };

beforeAll(async () => {
  const profile = { name: 'Ngo', location: 'Bonabéri, Douala, Littoral' };
  await completeProfile(await market.ctx(seller), { ...profile, businessName: 'Ancien Nom' });
  await completeProfile(await market.ctx(seller), { ...profile, businessName: 'Électro & Fils' });
  const name = (en: string, fr: string) => ({ name: { en, fr } });
  product = await live(market, seller, admin, name('Fan', 'Ventilateur'));
  const { id } = await live(market, seller, admin, name('Radio', 'Poste de radio'));
  await markSold(await market.ctx(seller), id);
  await live(market, other, admin, name('Iron', 'Fer à repasser'));
}, 120_000);

test('a buyer goes from a product to its shop and to one like it, and reports the shop', async () => {
  const t = translator('en', 'shops');
  const page = await market.visit({ language: 'en', viewport: phone, javaScriptEnabled: false });
  await page.goto(`/en/shop/slot/${product.slotId}`);
  const related = page.getByRole('region', { name: t('related') });
  expect(await related.getByRole('link').allInnerTexts()).toEqual(['Iron']);
  if (shots) await page.screenshot({ path: `${shots}/product.png`, fullPage: true });
  await page.getByRole('link', { name: t('visit') }).click();
  await page.waitForURL('**/en/shops/electro-fils');
  expect(await page.locator('h1').innerText()).toBe('Électro & Fils');
  expect(
    await page
      .getByRole('region', { name: t('live') })
      .locator('h3')
      .allInnerTexts(),
  ).toEqual(['Fan']);
  expect(
    await page
      .getByRole('region', { name: t('sold') })
      .locator('h3')
      .allInnerTexts(),
  ).toEqual(['Radio']);
  const data = JSON.parse(
    await page.locator('script[type="application/ld+json"]').innerText(),
  ) as object;
  expect(data).toMatchObject({ '@type': 'Store', name: 'Électro & Fils' });
  await page.locator('#report summary').click();
  await page.locator('select[name=reason]').selectOption('fraud');
  await page.locator('#report button[type=submit]').click();
  await page.waitForURL('**/en/shops/electro-fils?report=sent');
  await page.getByText(t('report.sentText')).waitFor();
  await page.goto(`/en/shop/slot/${product.slotId}`);
  await page.getByRole('link', { name: 'Iron' }).click();
  expect(await page.locator('h1').innerText()).toBe('Iron');
  expect(await page.getByRole('link', { name: t('visit') }).count()).toBe(0);
});

test('a shop’s page is whole in French, has one address, and follows a new name', async () => {
  const t = translator('fr', 'shops');
  const page = await market.visit({ language: 'fr', viewport: phone });
  await page.goto('/fr/shops/ancien-nom');
  await page.waitForURL('**/fr/shops/electro-fils');
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toContain(
    '/fr/shops/electro-fils',
  );
  expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(
    /\/media\/cards\/shop-electro-fils-fr-[0-9a-f]{12}\.jpg$/,
  );
  const month = new Intl.DateTimeFormat('fr', {
    month: 'long',
    year: 'numeric',
    timeZone: 'Africa/Douala',
  }).format(market.clock.now());
  await page.getByText(t('since', { month })).waitFor();
  if (shots)
    for (const [name, colorScheme, viewport, language] of [
      ['phone-fr', 'light', phone, 'fr'],
      ['phone-dark-en', 'dark', phone, 'en'],
      ['desktop-dark-fr', 'dark', desktop, 'fr'],
      ['desktop-en', 'light', desktop, 'en'],
    ] as const) {
      const other = await market.visit({ language, viewport, colorScheme });
      await other.goto(`/${language}/shops/electro-fils`);
      await other.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
      await other.goto(`/${language}/shop/slot/${product.slotId}`);
      await other.screenshot({ path: `${shots}/product-${name}.png`, fullPage: true });
    }
  const answers = await Promise.all(
    ['/shops/ancien-nom', '/fr/shops/nobody', '/fr/shops/electro-fils', '/fr/shops/%25'].map(
      async (path) => (await fetch(market.url + path, { redirect: 'manual' })).status,
    ),
  );
  expect(answers).toEqual([301, 404, 200, 404]);
});

test('a seller names the shop in the profile, and an admin closes the report', async () => {
  const form = await visitAs(market, seller, { language: 'fr', viewport: phone });
  await form.goto(`${market.url}/fr/seller/dashboard?edit=profile`);
  const field = form.locator('input[name=businessName]');
  await form
    .locator('button[type=submit]:enabled', { hasText: dictionaries.fr.seller.profile.save })
    .waitFor();
  await form.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=businessName]')?.value !== '',
  );
  await field.fill('Admin');
  await form.getByRole('button', { name: dictionaries.fr.seller.profile.save }).click();
  await form.getByText(dictionaries.fr.validation.reservedName).waitFor();

  await reportShop(await market.ctx(), 'electro-fils', { reason: 'other', note: 'Never came' });
  const page = await visitAs(market, admin, { language: 'en', viewport: desktop });
  await page.goto(`${market.url}/en/admin/reports?tab=shops`);
  await page.getByRole('heading', { name: 'Électro & Fils' }).waitFor();
  if (shots) await page.screenshot({ path: `${shots}/admin.png`, fullPage: true });
  await page.getByRole('button', { name: /^Dismiss/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText(dictionaries.en.admin.reports.shopsEmpty).waitFor();
});
