import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { accountActions } from '../support/account.ts';
import { signUpMember } from '../support/actors.ts';
import { linkIn } from '../support/mail.ts';
import { openMarket } from '../support/market.ts';
import { expectUsable, visitAs } from '../support/visits.ts';

const market = await openMarket();
const { rowOf } = accountActions(market);
const pathIn = async (address: string) => {
  const { pathname, search } = linkIn(await market.mails.lastTo(address));
  return `${pathname}${search}`;
};

test('one’s e-mail is changed, opened elsewhere it is not, and the old address takes it back without a script', async () => {
  const { account: say, errors } = dictionaries.en;
  const person = await signUpMember(market);
  const page = await visitAs(market, person, { language: 'en' });
  await page.goto('/en/account');
  const facts = page.locator('.own__facts');
  const ask = page.locator('button[data-act=change-email]:enabled');
  await ask.click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByLabel(say.you.newEmail).fill('Rose.New@Example.test');
  await dialog.getByLabel(say.proof.password).fill('not this one');
  await dialog.getByRole('button', { name: say.you.sendLink }).click();
  await dialog.getByText(errors.auth.passwordWrong).waitFor();
  await dialog.getByLabel(say.proof.password).fill(person.password);
  await dialog.getByRole('button', { name: say.you.sendLink }).click();
  await page.locator('.own__pending').getByText('rose.new@example.test').waitFor();
  const path = await pathIn('rose.new@example.test');

  const stranger = await market.visit({ language: 'en', javaScriptEnabled: false });
  await stranger.goto(path);
  await stranger.getByText(errors.account.otherSession).waitFor();
  expect(await stranger.locator('form button', { hasText: say.changePage.button }).count()).toBe(0);

  await page.goto(path);
  expect(await rowOf(person)).toMatchObject({ email: person.email });
  await page.getByRole('button', { name: say.changePage.button }).click();
  await page.getByRole('heading', { name: say.changePage.doneTitle }).waitFor();
  await page.getByRole('link', { name: say.changePage.toAccount }).click();
  await facts.getByText('rose.new@example.test').waitFor();

  await stranger.goto(await pathIn(person.email));
  await stranger.getByRole('button', { name: say.backPage.button }).click();
  await stranger.getByRole('heading', { name: say.backPage.doneTitle }).waitFor();
  expect(new URL(stranger.url()).search).toBe('?said=done');
  expect(await rowOf(person)).toMatchObject({ email: person.email });
  await page.goto('/en/account');
  await page.waitForURL(/sign-in/);
});

test('its pages hold in French, and a change that waits can be given up', async () => {
  const { account: say } = dictionaries.fr;
  const person = await signUpMember(market, { language: 'fr' });
  await market.call('/api/account/email/change', {
    json: { email: 'nouvelle@example.test', password: person.password },
    as: person,
  });
  const page = await visitAs(market, person, { language: 'fr' });
  for (const path of [
    '/fr/email-change?token=x',
    '/fr/email-change?said=auth.linkExpired',
    '/fr/email-back?token=x',
    '/fr/email-back?said=done',
  ]) {
    await page.goto(path);
    await page.locator('h1').waitFor();
    await expectUsable(page);
  }
  await page.goto('/fr/account');
  await page.locator('.own__pending').getByText('nouvelle@example.test').waitFor();
  await expectUsable(page);
  await page.locator('button[data-act=cancel-email]:enabled').click();
  await page.getByText(say.you.cancelled).first().waitFor();
  expect(await page.locator('.own__pending').count()).toBe(0);
});
