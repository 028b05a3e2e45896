import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { actors, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
const newcomer = await signUpSeller(market);
const { place } = dictionaries.fr.common;

test('a French page names the region in French, and a form finds it from the town', async () => {
  const { slotId } = await live(market, seller, admin, { sellerLocation: 'Bamenda, NW' });
  for (const [language, name] of [
    ['fr', 'Bamenda, Nord-Ouest'],
    ['en', 'Bamenda, North West'],
  ])
    expect(await (await fetch(`${market.url}/${language}/shop/slot/${slotId}`)).text()).toContain(
      name,
    );

  const page = await visitAs(market, newcomer, { viewport: phone, language: 'fr' });
  await page.goto(`${market.url}/fr/seller/dashboard?edit=profile`);
  const words = page.locator('input[name=location]');
  const region = page.getByLabel(place.region);
  await page
    .locator('button[type=submit]:enabled', { hasText: dictionaries.fr.seller.profile.save })
    .waitFor();
  await words.fill('Ndop');
  expect(await region.inputValue()).toBe('north-west');
  await region.selectOption('west');
  await page.getByText(/Ndop.* se trouve dans la région .*Nord-Ouest/).waitFor();
  expect(await words.inputValue()).toBe('Ndop');
  await words.fill('Ndikiniméki');
  await region.selectOption('centre');
  expect(await words.inputValue()).toBe('Ndikiniméki, Centre');
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/phone.png`, fullPage: true });
    await page.setViewportSize(desktop);
    await page.screenshot({ path: `${process.env.SHOTS}/desktop.png`, fullPage: true });
    await page.setViewportSize(phone);
  }
  await expectUsable(page);
});
