import { expect, test } from 'vitest';
import { dictionaries } from '../../locales/index.ts';
import { signUpSeller } from '../support/actors.ts';
import { token } from '../support/botApi.ts';
import { openMarket, phone } from '../support/market.ts';
import { chatting } from '../support/talk.ts';

const market = await openMarket({ TELEGRAM_BOT_TOKEN: token });

test('a chat is linked by the code of one’s own account, told or not, and let go there', async () => {
  const language = 'en';
  const seller = await signUpSeller(market, { language });
  const say = dictionaries[language].account.chats;
  const page = await market.visit({ language, viewport: phone });
  await page.context().addCookies(
    [...seller.jar.header().split('; ')].map((pair) => ({
      name: pair.split('=')[0] ?? '',
      value: pair.slice(pair.indexOf('=') + 1),
      url: market.url,
    })),
  );
  await page.goto(`/${language}/account`);
  const panel = page.locator('section', {
    has: page.getByRole('heading', { name: say.title, exact: true }),
  });
  await panel.getByRole('button', { name: say.ask }).click();
  const code =
    /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(
      await panel
        .getByText(/[A-Z0-9]{4}-[A-Z0-9]{4}/)
        .first()
        .innerText(),
    )?.[0] ?? '';
  const chat = await chatting(market, { language, address: `phone of ${seller.email}` });
  await chat.say(`link ${code}`);
  await chat.say('yes');

  await page.reload();
  await panel.getByText(say.transports.telegram).waitFor();
  await panel.getByRole('button', { name: say.mute }).click();
  await page.getByText(say.noticesOff).waitFor();
  expect(await chat.row()).toMatchObject({ notices: false, userId: seller.userId });
  await panel.getByRole('button', { name: say.unlink }).click();
  await page.getByText(say.unlinked).waitFor();
  expect(await chat.row()).toMatchObject({ userId: null });
  expect(await panel.getByText(say.transports.telegram).count()).toBe(0);
  expect(page.errors).toEqual([]);
});
