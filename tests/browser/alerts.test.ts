import { expect, test } from 'vitest';
import { tellAlerts } from '../../api/alerts/tell.ts';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { desktop, openMarket, phone } from '../support/market.ts';
import { live } from '../support/products.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

/** From a search to a message of what came, ended from its mail. */
const market = await openMarket();
const t = translator('fr', 'alerts');

test('an alert without an account tells at the next visit, and moves to the account', async () => {
  const en = translator('en', 'alerts');
  const words = translator('en', 'favourites');
  const [seller, admin] = await Promise.all([signUpSeller(market), signInAdmin(market)]);
  const page = await market.visit({ language: 'en', viewport: phone });
  await page.goto('/en/market?q=radio');
  await page.getByRole('button', { name: en('tellMe') }).click();
  await page.getByText(en('said.addedHere')).waitFor();
  await expectUsable(page);
  market.clock.advance({ minutes: 1 });
  await live(market, seller, admin, { name: { en: 'Radio', fr: 'Poste radio' } });
  await page.goto('/en', { waitUntil: 'networkidle' });
  await page.mouse.wheel(0, 300);
  await page.getByText(words('alertsNew')).waitFor();
  await page.getByRole('link', { name: words('alertsOpen') }).click();
  await page.getByText(en('fresh', { count: 1 })).waitFor();
  await page.getByRole('button', { name: en('seeNamed', { name: '“radio”' }) }).click();
  await page.waitForURL('**/en/market?q=radio&sort=newest');
  await page.goto('/en/alerts');
  expect(await page.getByText(en('fresh', { count: 1 })).count()).toBe(0);
  expect(page.errors).toEqual([]);
}, 120_000);

test('an alert on a search is told once, seen on its page, and ended from the mail without signing in', async () => {
  const [seller, admin, member] = await Promise.all([
    signUpSeller(market, { name: 'Boutique' }),
    signInAdmin(market),
    signUpMember(market, { language: 'fr' }),
  ]);
  const page = await visitAs(market, member, { language: 'fr', viewport: phone });
  await page.goto('/fr/market');
  expect(await page.getByRole('button', { name: t('tellMe') }).count()).toBe(0);
  await page.goto('/fr/market?q=pagne&max=20000');
  await expectUsable(page);
  await page.getByRole('button', { name: t('tellMe') }).click();
  await page.waitForURL('**/fr/alerts?said=added');
  await page
    .getByRole('status')
    .filter({ hasText: t('said.added') })
    .waitFor();
  await expectUsable(page);
  const name = (await page.locator('.alerts__one h2').innerText()).trim();
  await page.getByRole('button', { name: t('pauseNamed', { name }) }).click();
  await page.getByText(t('paused'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('resumeNamed', { name }) }).click();
  await page.getByText(t('said.resume')).waitFor();

  await live(market, seller, admin, { name: { en: 'Wax', fr: 'Pagne wax' }, price: 12_000 });
  await tellAlerts(market.job('tell-alerts'));
  await tellAlerts(market.job('tell-alerts'));
  const letters = (await market.db.select().from(schema.outbox)).filter(
    ({ kind }) => kind === 'alertFits',
  );
  expect(letters).toHaveLength(1);
  const [, path = ''] = /(\/fr\/alerts\/end\/\S+)/.exec(letters[0]?.bodyText ?? '') ?? [];
  const other = await market.visit({ language: 'fr', viewport: desktop });
  await other.goto(path);
  await expectUsable(other);
  await other.getByRole('button', { name: t('stop.action') }).click();
  await other.getByRole('heading', { name: t('stop.done') }).waitFor();
  await page.goto('/fr/alerts');
  await page.getByText(t('none')).waitFor();
  expect([...page.errors, ...other.errors]).toEqual([]);
}, 120_000);
