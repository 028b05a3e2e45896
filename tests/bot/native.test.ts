import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chatKey } from '../../api/people/chats.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { withButtons } from '../../bot/transports/whatsapp/cloud/compose.ts';
import { schema } from '../../db/client.ts';
import { categories } from '../../db/vocabularies.ts';
import { setBranding } from '../../locales/index.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fakeBotApi, token, until } from '../support/botApi.ts';
import { live } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

/** Forms of their own that networks have for menus, lists, cards and buttons. */
const telegram = fakeBotApi();
const market = await testApp({
  env: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: telegram.root },
});
const { seller, admin } = await actors(market);
const { chats } = schema;
let ada = 500;
let bot: Bot | undefined;
beforeEach(async () => {
  ada++;
  await market.reset();
  market.clock.set(new Date());
  telegram.clear();
});
afterEach(async () => {
  await bot?.stop();
  bot = undefined;
  setBranding();
});

const times = { lockMs: 5, failureMs: 5, longestMs: 5, pollSeconds: 1 };
async function open(): Promise<void> {
  bot = openBot({ ...market.host, now: () => new Date() }, times);
  await bot.start();
}
const calls = (method: string) => telegram.calls.filter((call) => call.method === method);
/** A chat that has chosen its language; answers the number of its newest message. */
async function known(): Promise<number> {
  telegram.write(ada, '/start');
  await until(() => telegram.sentTo(ada).length === 1);
  await market.db
    .update(chats)
    .set({ language: 'en' })
    .where(eq(chats.keyHash, chatKey(market.services.secret, 'telegram', String(ada))));
  telegram.calls.length = 0;
  return 1;
}

test('Telegram gets a menu and a description in each language, of commands that are understood', async () => {
  await open();
  await until(() => calls('setMyShortDescription').length === 2);
  const menus = calls('setMyCommands').map(({ body }) => ({
    language: body.language_code,
    commands: body.commands as { command: string; description: string }[],
  }));
  expect(menus.map(({ language }) => language)).toEqual([undefined, 'fr']);
  for (const { commands } of menus)
    for (const { command, description } of commands) {
      expect(command).toMatch(/^[a-z0-9_]{1,32}$/);
      expect(description.length).toBeLessThanOrEqual(256);
    }
  expect(menus[1]?.commands.map(({ command }) => command)).toContain('mes_annonces');
  await known();
  telegram.write(ada, '/my_listings');
  await until(() => telegram.sentTo(ada).length === 1);
  expect(String(telegram.sentTo(ada)[0]?.body.text)).toMatch(/^To show your listings/);
});

test('Telegram gets the description again when the market gets another name', async () => {
  await open();
  await until(() => calls('setMyShortDescription').length === 2);
  telegram.calls.length = 0;
  setBranding({ name: 'Foire du Wouri', town: 'Douala', words: {} });
  await until(() => calls('setMyShortDescription').length === 2);
  expect(String(calls('setMyDescription')[1]?.body.description)).toMatch(/^Foire du Wouri, Douala/);
});

test('a card turns into the next below its own buttons; a picture is uploaded once', async () => {
  const first = await live(market, seller, admin);
  const second = await live(market, seller, admin);
  expect(first.id).not.toBe(second.id);
  await open();
  let newest = await known();
  telegram.write(ada, '11');
  await until(() => telegram.sentTo(ada).length === 1);
  newest++;
  const uploads = () =>
    calls('sendPhoto').filter(({ body }) => typeof body.photo !== 'string').length;
  telegram.press(ada, 'show 12', newest);
  await until(() => calls('editMessageMedia').length === 1);
  expect(telegram.sentTo(ada)).toHaveLength(1);
  expect(calls('editMessageMedia')[0]?.body).toMatchObject({ message_id: String(newest) });
  // Below an older message nobody would see the change.
  telegram.press(ada, 'show 11', newest - 1);
  await until(() => telegram.sentTo(ada).length === 2);
  expect(calls('editMessageMedia')).toHaveLength(1);
  const before = uploads();
  telegram.write(ada, '11');
  await until(() => telegram.sentTo(ada).length === 3);
  expect(uploads()).toBe(before);
});

test('WhatsApp’s list has the name, price and place of each stall; the contact is a button alone', async () => {
  await live(market, seller, admin);
  const chat = await chatting(market, { language: 'en', transport: 'whatsapp' });
  const [list] = await chat.say('market');
  const shaped = withButtons(list as NonNullable<typeof list>, 'Choose') as {
    interactive: { type: string; action: { sections: { rows: object[] }[] } };
  };
  expect(shaped.interactive.type).toBe('list');
  expect(shaped.interactive.action.sections[0]?.rows[0]).toMatchObject({
    id: 'show 11',
    title: expect.stringMatching(/^#11 \S/),
    description: expect.stringContaining('XAF'),
  });
  await chat.say('contact 11');
  const [contact] = await chat.say('yes');
  const opened = withButtons(contact as NonNullable<typeof contact>, 'Choose') as {
    interactive: { type: string };
  };
  expect(opened.interactive.type).toBe('cta_url');
});

test('all categories fit in one list of WhatsApp’s', () => {
  const says = categories.map((one) => [{ label: `${one} (12)`, say: `categories ${one}` }]);
  expect(withButtons({ text: 'x', buttons: says }, 'Choose')).toBeDefined();
});
