import { expect, test } from 'vitest';
import { typed } from '../../bot/understanding/words.ts';
import { dictionaries, translator } from '../../locales/index.ts';
import { token } from '../support/botApi.ts';
import { linkIn, openMarket } from '../support/market.ts';
import { jpeg } from '../support/photos.ts';
import { chatting } from '../support/talk.ts';
import { expectUsable } from '../support/visits.ts';
import { button, patient } from './people.ts';

const market = await openMarket({ TELEGRAM_BOT_TOKEN: token });

test('an account and a draft that began in a chat go on on the site, and the draft back in the chat', async () => {
  const language = 'en';
  const say = dictionaries[language];
  const b = translator(language, 'bot');
  const wizard = say.seller.wizard;
  const chat = await chatting(market, { language, address: 'newcomer' });
  const write = (
    ...words: Parameters<typeof typed> extends [unknown, ...infer Rest] ? Rest : never
  ) => chat.say(typed(language, ...words));
  await write('join');
  for (const words of ['Ewondo Marie', 'Bafoussam, West', typed(language, 'yes')])
    await chat.say(words);
  await chat.say('', { number: '+237697000010' });
  await write('sell');
  for (const ref of ['x', 'y']) await chat.say('', { photos: [{ ref }] }, () => jpeg(200));
  await write('done');
  const name = 'Raffia hat';
  await chat.say(name);

  // The chat's link signs in; the wizard has the chat's photos and texts.
  const page = await market.visit({ language });
  const [link] = (await write('signIn')).flatMap(({ buttons = [] }) => buttons.flat());
  await page.goto(link && 'url' in link ? link.url : '');
  await button(page, say.seller.signInLink.submit).click();
  await page.waitForURL('**/seller/dashboard*');
  await page.goto(`/${language}/seller/upload`);
  const field = (path: string) => page.locator(`[name="${path}"]`);
  await expect.poll(() => field(`name.${language}`).inputValue(), patient).toBe(name);
  await page
    .getByText(translator(language, 'seller')('wizard.draftFound', { date: '' }).trim(), {
      exact: false,
    })
    .waitFor();
  if (language !== 'en') await field('name.en').fill('Raffia hat');
  await field('description.en').fill('Woven by hand, for the sun.');
  await field('category').selectOption('fashion');
  await button(page, wizard.actions.next).click();
  await field('price').fill('4500');
  await button(page, wizard.actions.next).click();
  await page.locator('.photo[data-state=sent]').nth(1).waitFor();
  await button(page, wizard.actions.next).click();
  // The later draft must not overwrite the profile.
  expect(await field('sellerName').inputValue()).toBe('Ewondo Marie');

  // The chat goes on with the site's input and asks for the rest.
  const asked = (await write('myDraft')).map(({ text }) => text).join('\n');
  expect(asked).toContain(b('draft.goOn', { name }));
  expect(asked).not.toContain(b('draft.price'));

  // Adds an email address, which counts once its link is confirmed.
  await page.goto(`/${language}/account`);
  const { you } = say.account;
  const address = `ewondo.${language}@example.test`;
  await page.getByText(you.addEmailText).waitFor();
  await page.getByText(say.account.signIns.byChat).waitFor();
  await expect.poll(() => button(page, you.sendLink).isEnabled(), patient).toBe(true);
  await expectUsable(page);
  await field('email').fill(address);
  await button(page, you.sendLink).click();
  await page.getByText(you.linkSentText).waitFor();
  await page.goto(linkIn(await market.letterTo(address)));
  await page.getByText(you.confirmText).waitFor();
  // The text is wide, not squeezed into a column beside the button.
  expect((await page.getByText(you.confirmText).boundingBox())?.width).toBeGreaterThan(180);
  await expectUsable(page);
  await button(page, you.confirm).click();
  await page.getByText(you.confirmed).waitFor();
  await page.locator('.own__facts').getByText(address, { exact: true }).waitFor();
  expect(await page.getByText(you.addEmailText).count()).toBe(0);
  await page
    .getByText(translator(language, 'account')('password.none', { email: address }))
    .waitFor();
  expect(await page.getByText('Google').count()).toBe(0);
  expect(page.errors).toEqual([]);
});
