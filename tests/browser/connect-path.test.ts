import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { type Person, signUpMember } from '../support/actors.ts';
import { balanceOf, expectSoundCredits } from '../support/credits.ts';
import { openMarket, phone } from '../support/market.ts';
import { filled } from '../support/requests.ts';
import { answerWhatsApp } from '../support/visits.ts';
import { button } from './people.ts';

/** Connect from the first visit to the last credit (product §11): two members, using pages only. */
const market = await openMarket();
const number = '+237 699 44 55 77';

test('a request travels from a first look to a paid answer, and credits run out and are counted', async () => {
  const language = 'en';
  const { connect: say, errors } = dictionaries[language];
  const { auth, buy, create, feed, post, statement, update } = say;
  const [title, words] = ['Fence for a school garden', 'Forty metres of bamboo.'];
  const at = (path = '') => `/${language}/connect${path}`;
  const dialog = (page: Page) => page.locator('dialog[open]');
  const said = (page: Page, text: string) =>
    dialog(page).getByText(text, { exact: true }).first().waitFor();
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const shows = (page: Page, text: string) =>
    page.getByText(text, { exact: true }).first().waitFor();
  const field = (page: Page, name: string) => dialog(page).locator(`[name="${name}"]`);
  const signIn = async (page: Page, { email, password }: Person) => {
    await page.locator('main input[name=email]').fill(email);
    await page.locator('main input[name=password]').fill(password);
    await page.locator('form:has(input[name=password]) button[type=submit]').click();
  };
  const buyPack = async (page: Page) => {
    await dialog(page).locator('.dialog__foot .button--primary').click();
    await said(page, buy.running);
    market.clock.advance({ seconds: 3 });
    await said(page, buy.success.title);
  };
  const [asker, helper] = [
    await signUpMember(market, { language }),
    await signUpMember(market, { language, name: 'Helping Hand' }),
  ];

  // A look around, a new post, and the way through sign-in and back.
  const page = await market.visit({ language, viewport: phone });
  await page.goto(at(`?search=${encodeURIComponent(title)}`));
  await shows(page, feed.empty);
  await link(page, feed.createFirst).click();
  await said(page, auth.title);
  await dialog(page).getByRole('link', { name: auth.signIn }).click();
  await signIn(page, asker);
  await said(page, create.insufficient.title);
  await field(page, 'title').fill(title);
  await field(page, 'description').fill(words);
  await field(page, 'category').selectOption('services_home');
  await field(page, 'contactWhatsapp').fill(number);

  // Credits first; the input is still there.
  await dialog(page).getByRole('link', { name: create.insufficient.buy }).first().click();
  await said(page, filled(buy.pack, { credits: 25 }));
  await buyPack(page);
  await link(page, buy.onward).click();
  expect(await field(page, 'title').inputValue()).toBe(title);
  await button(page, create.publish).click();
  await page.waitForURL(new RegExp(`${at('/')}[a-z2-9]{8}$`));
  const address = page.url();
  expect(await balanceOf(market, asker)).toBe(23);

  // Another member finds it, has no credit, buys, and writes.
  const other = await market.visit({ language, viewport: phone });
  await answerWhatsApp(other);
  await other.goto(at());
  await other.getByRole('link', { name: title, exact: true }).click();
  await button(other, post.connect.action).click();
  await other.getByRole('dialog').getByRole('link', { name: post.connect.signIn }).click();
  await signIn(other, helper);
  await other.waitForURL(address);
  await button(other, post.connect.action).click();
  await shows(other, errors.credits.neededForResponse);
  await other.locator('#connect').getByRole('link', { name: post.connect.buy }).click();
  await said(other, filled(buy.pack, { credits: 25 }));
  await buyPack(other);
  await button(other, buy.done).click();
  const [tab] = await Promise.all([
    other.waitForEvent('popup'),
    button(other, post.connect.action).click(),
  ]);
  await tab.waitForURL('https://wa.me/**');
  expect(decodeURIComponent(tab.url().replaceAll('+', ' '))).toContain(title);
  await shows(other, post.connect.opened);
  expect(await balanceOf(market, helper)).toBe(24);

  // The owner sees who responded, posts an update, pauses, and asks again.
  await page.goto(address);
  await page.getByText('Helping Hand').waitFor();
  await link(page, update.action).click();
  await page.getByRole('dialog').locator('textarea').fill(words);
  await button(page, update.send).click();
  await shows(page, update.done);
  await button(page, post.owner.pause).click();
  await shows(page, post.owner.closed);
  await button(page, post.owner.activate).click();
  await shows(page, post.owner.activated);

  // The limit is twenty dollars a week.
  await page.goto(at('/credits?buy'));
  await said(page, filled(buy.pack, { credits: 25 }));
  await buyPack(page);
  await button(page, buy.done).click();
  await page.goto(at('/credits?buy'));
  await said(page, buy.limit.title);
  await said(page, filled(buy.limit.text, { limit: 20 }));
  await page.keyboard.press('Escape');

  // The statement adds up to the last credit.
  const balances = page
    .locator('.statement section')
    .filter({ hasText: statement.entries })
    .locator('tbody tr td:last-child');
  expect((await balances.allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')))).toEqual([
    46, 21, 23, 25,
  ]);
  expect(await balanceOf(market, asker)).toBe(46);
  await expectSoundCredits(market);
  expect([...page.errors, ...other.errors]).toEqual([]);
});
