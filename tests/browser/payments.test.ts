import { expect, test } from 'vitest';
import { dictionaries, translator } from '../../locales/index.ts';
import { signUpSeller } from '../support/actors.ts';
import { openMarket } from '../support/market.ts';
import { submitted } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

const market = await openMarket();

/** Its words are the longer ones. */
const language = 'fr';
const t = translator(language, 'seller');
const { pay } = dictionaries[language].seller;

test('a seller pays a fee from the dashboard on a phone, and sees it paid by itself', async () => {
  const seller = await signUpSeller(market);
  await submitted(market, seller);
  const page = await visitAs(market, seller, { language });
  await page.goto(`/${language}/seller/dashboard`);
  await expectUsable(page, '.listing__fee');
  await page.locator('.listing__pay button').click();
  await page.getByText(pay.title.pending).waitFor();
  await expectUsable(page);
  const own = page.url();
  // A closed tab loses nothing: the dashboard leads back.
  await page.goto(`/${language}/seller/dashboard`);
  await page.getByText(t('fee.underWay')).click();
  await page.waitForURL(own);
  await page.getByText(pay.title.pending).waitFor();
  market.clock.advance({ seconds: 3 });
  await page.getByText(pay.title.completed, { exact: true }).waitFor();
  await expectUsable(page);
  await page.getByText(pay.back).click();
  await page.getByText(t('fee.paid'), { exact: true }).waitFor();
  expect(await page.locator('.listing__pay').count()).toBe(0);
});
