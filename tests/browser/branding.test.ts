import { afterAll, expect, test } from 'vitest';
import { loadBranding } from '../../api/settings/branding.ts';
import { saveSetting } from '../../api/settings/saveSetting.ts';
import { schema } from '../../db/client.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket } from '../support/market.ts';
import { png, svg } from '../support/photos.ts';
import { live } from '../support/products.ts';
import { visitAs } from '../support/visits.ts';
import { button, expectNoSidewaysScroll } from './people.ts';

const market = await openMarket();
const { seller, admin } = await actors(market);
afterAll(async () => {
  await market.db.delete(schema.settings);
  await loadBranding(market.host);
});

const language = 'en';
const { admin: words, errors, validation } = dictionaries[language];
const say = words.settings;

test('an admin gives the market another name, mark, colour and words, and buyers see them', async () => {
  const product = await live(market, seller, admin);
  const page = await visitAs(market, admin, { language });
  await page.goto(`/${language}/admin/settings`);
  const save = (title: string) => button(page, `${say.save}: ${title}`).press('Enter');
  const saved = (title: string) => page.getByText(title).last().waitFor();

  const name = page.getByLabel(say.fields.marketName.label);
  await name.fill('سوق ووري');
  await save(say.market.title);
  await page.getByText(validation.latin).waitFor();
  expect(await name.inputValue()).toBe('سوق ووري');
  await name.fill('Foire du Wouri');
  await page.getByLabel(say.fields.marketTown.label).fill('Douala');
  await save(say.market.title);
  await saved(say.saved);

  const chooser = page.getByLabel(say.mark.choose);
  const file = (given: Buffer) => ({ name: 'mark', mimeType: 'image/png', buffer: given });
  await chooser.setInputFiles(file(svg()));
  await page.getByText(errors.settings.markType).last().waitFor();
  await chooser.setInputFiles(file(Buffer.alloc(3_000_000, 1)));
  await page
    .getByText(translator(language, 'errors')('settings.markTooBig', { max: 600 }))
    .last()
    .waitFor();
  await chooser.setInputFiles(file(await png()));
  await page.getByAltText(say.mark.present).waitFor();

  const dark = page.getByRole('group', { name: say.colours.dark });
  await dark.getByLabel(say.colours.hot).fill('#3d0c11');
  const light = page.getByRole('group', { name: say.colours.light });
  await light.getByLabel(say.colours.hot).fill('#0b6e4f');
  await save(say.colours.title);
  await page.getByText(validation.darkContrast).waitFor();
  expect(await light.getByLabel(say.colours.hot).inputValue()).toBe('#0b6e4f');
  await dark.getByLabel(say.colours.hot).fill('#9be3c3');
  await save(say.colours.title);
  await page.getByText(validation.darkContrast).waitFor({ state: 'detached' });

  const own = page.getByRole('group', { name: say.fields.taglines.label });
  await own.locator('summary', { hasText: 'Français' }).click();
  await own.getByLabel(dictionaries.fr.home.hero.title).fill('Le marché du fleuve');
  await save(say.words.title);
  await expect
    .poll(async () => (await (await fetch(`${market.url}/fr`)).text()).includes('du fleuve'))
    .toBe(true);
  expect(page.errors).toEqual([]);

  for (const [colorScheme, colour] of [
    ['light', 'rgb(11, 110, 79)'],
    ['dark', 'rgb(155, 227, 195)'],
  ] as const) {
    const buyer = await market.visit({ language: 'fr', colorScheme });
    await buyer.goto('/fr');
    await buyer.getByRole('heading', { level: 1, name: 'Le marché du fleuve' }).waitFor();
    expect(await buyer.title()).toContain('Foire du Wouri');
    const call = buyer.locator('.hero .button--primary');
    expect(await call.evaluate((node) => getComputedStyle(node).backgroundColor)).toBe(colour);
    const mark = buyer.locator('header .logo img');
    expect(await mark.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(96);
    await expectNoSidewaysScroll(buyer);
    await expectAccessible(buyer);
    expect(buyer.errors).toEqual([]);
  }
  await saveSetting(await market.ctx(admin), 'marketName', 'Foire artisanale du Haut Wouri');
  const narrow = await market.visit({ language: 'fr', viewport: { width: 340, height: 640 } });
  await narrow.goto('/fr');
  await narrow.getByRole('link', { name: 'Foire artisanale du Haut Wouri' }).first().waitFor();
  await expectNoSidewaysScroll(narrow);
  await saveSetting(await market.ctx(admin), 'marketName', 'Foire du Wouri');

  const html = await (await fetch(`${market.url}/fr/shop/${product.slotId}`)).text();
  const card = /og:image" content="([^"]+)"/.exec(html)?.[1] as string;
  expect((await fetch(card)).headers.get('content-type')).toBe('image/jpeg');
  expect(html).toMatch(/© \d{4} Foire du Wouri, Douala/);
  await fetch(`${market.url}/api/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: market.url },
    body: JSON.stringify({ email: seller.email }),
  });
  const letter = await market.letterTo(seller.email);
  expect([letter.text.includes('Foire du Wouri'), letter.html.includes('#0b6e4f')]).toEqual([
    true,
    true,
  ]);
});
