import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBot } from '../../bot/open.ts';
import { typed } from '../../bot/understanding/words.ts';
import { dictionaries } from '../../locales/index.ts';
import { signInAdmin, signUpSeller } from '../support/actors.ts';
import { expectAccessible } from '../support/axe.ts';
import { openMarket, phone } from '../support/market.ts';
import { jpeg } from '../support/photos.ts';
import { live } from '../support/products.ts';
import { hold } from '../support/requests.ts';
import { patient } from './people.ts';

const market = await openMarket({ DEMO: '1' });
const bot = openBot(market.host);
beforeAll(async () => {
  await bot.start();
  await live(market, await signUpSeller(market), await signInAdmin(market), {
    name: { en: 'Raffia hat', fr: 'Chapeau en raphia' },
  });
});
afterAll(() => bot.stop());

test('the chat of the demo is talked to by buttons, words and a photo, by keyboard too', async () => {
  const language = 'en';
  const { demo } = dictionaries[language].common;
  const say = dictionaries[language].bot;
  const page = await market.visit({ language, viewport: phone });
  await page.goto(`/${language}/demo/chat`);
  const log = page.getByRole('log');
  await page.getByRole('button', { name: demo.chat.hello }).click();
  const first = log.getByRole('button', { name: say.button.market, exact: true });
  await first.waitFor();
  // A phone shows it whole, with the input at the bottom.
  const lower = await page
    .locator('.talk__phone')
    .evaluate((box) => box.getBoundingClientRect().bottom);
  expect(lower).toBeLessThanOrEqual(phone.height);
  await first.press('Enter');
  await log.getByText('Raffia hat').waitFor();
  const words = page.getByRole('textbox', { name: demo.chat.write });
  await words.fill(typed(language, 'help'));
  await words.press('Enter');
  await log.getByText(say.help.title).waitFor();
  expect(await words.inputValue()).toBe('');
  // A picture that loads late pushes nothing out of view.
  await words.fill(typed(language, 'show', 11));
  await words.press('Enter');
  const picture = log.locator('.talk__theirs img');
  await expect
    .poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth), patient)
    .toBeGreaterThan(0);
  expect(
    await log.evaluate(
      ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight,
    ),
  ).toBeLessThan(2);
  // Input typed while a message is being sent stays, and is sent after it.
  const arrive = await hold(page, '**/demo/chat');
  await words.fill(typed(language, 'help'));
  await words.press('Enter');
  await words.press('Enter');
  await words.fill(typed(language, 'show', 11));
  await words.press('Enter');
  await words.pressSequentially(' 7');
  await arrive();
  await expect.poll(() => log.getByText('Raffia hat').count(), patient).toBe(3);
  await page.getByRole('button', { name: demo.chat.again, disabled: false }).waitFor();
  expect(await log.getByText(say.help.title).count()).toBe(2);
  expect(await words.inputValue()).toBe(`${typed(language, 'show', 11)} 7`);
  await words.fill('');
  // The chat scrolls inside its box, so the page never grows.
  const below = () =>
    page.evaluate(
      () =>
        document.documentElement.scrollHeight -
        (document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0) -
        scrollY,
    );
  expect(await below()).toBeLessThan(1);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'hat.jpg', mimeType: 'image/jpeg', buffer: await jpeg() });
  await log.locator('.talk__mine img').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    phone.width,
  );
  await expectAccessible(page);

  // Another role is another chat; the first stays as it was.
  await page.getByRole('link', { name: demo.chat.admin }).click();
  await page.getByText(demo.chat.barred).waitFor();
  await page.getByRole('link', { name: demo.chat.visitor }).click();
  await log.getByText(say.help.title).first().waitFor();
  await page.getByRole('button', { name: demo.chat.again }).click();
  await page.getByRole('button', { name: demo.chat.hello }).waitFor();
});

test('the chat of the demo works before a script has arrived', async () => {
  const page = await market.visit({ language: 'fr', viewport: phone, javaScriptEnabled: false });
  await page.goto('/fr/demo/chat');
  const words = dictionaries.fr.common.demo.chat;
  await page.getByRole('textbox', { name: words.write }).fill('aide');
  await page.getByRole('button', { name: words.send, exact: true }).click();
  await page.getByText(dictionaries.fr.bot.help.title).waitFor();
});

test('a form of the chat keeps the language of its page, whatever the browser prefers', async () => {
  const page = await market.visit({ language: 'en', viewport: phone, javaScriptEnabled: false });
  const words = dictionaries.fr.common.demo.chat;
  for (const press of [words.hello, words.send, words.again]) {
    await page.goto('/fr/demo/chat');
    await page.getByRole('textbox', { name: words.write }).fill('aide');
    await page.getByRole('button', { name: press, exact: true }).click();
    await page.waitForURL(/\/fr\/demo\/chat\?/);
  }
});
