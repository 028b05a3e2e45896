import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { actors, signUpMember } from '../support/actors.ts';
import { desktop, openMarket } from '../support/market.ts';
import { visitAs } from '../support/visits.ts';

const market = await openMarket();
const { seller } = await actors(market);

test('cash that is to be paid is told by a toast beside what to do', async () => {
  const language = 'en';
  const { buy } = dictionaries[language].connect;
  const page = await visitAs(market, await signUpMember(market), { language });
  await page.goto(`/${language}/connect/credits?buy`);
  await page.locator('dialog[open] [name=method][value=cash_partner]').check();
  await page.locator('.dialog__foot .button--primary').click();
  await page.locator('.notice strong', { hasText: buy.initiated.title }).waitFor();
  await page.locator('dialog[open]').getByText(buy.initiated.text).waitFor();
  expect(await page.getByText(buy.initiated.title, { exact: true }).count()).toBe(1);
  expect(page.errors).toEqual([]);
});

test('a toast stays while its button has the focus or the pointer is over it, and closes by itself otherwise', async () => {
  const page = await visitAs(market, seller, { language: 'en', viewport: desktop });
  await page.clock.install();
  await page.addInitScript(() =>
    sessionStorage.setItem('marche54.flash', JSON.stringify([{ tone: 'success', title: 'Radio' }])),
  );
  page.setDefaultTimeout(10_000);
  await page.goto('/en/seller/dashboard');
  const toast = page.locator('[data-sonner-toast][data-mounted=true][data-removed=false]');
  const close = toast.locator('[data-close-button]');
  await close.focus();
  await page.clock.fastForward(20_000);
  expect(await toast.count()).toBe(1);
  const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {};
  await page.mouse.move(x + 20, y + 20);
  await close.blur();
  await page.clock.fastForward(20_000);
  expect(await toast.count()).toBe(1);
  await page.mouse.move(0, 800);
  await page.clock.fastForward(5000);
  await toast.waitFor({ state: 'detached' });
  expect(page.errors).toEqual([]);
});
