import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeReplies } from '../../api/chats/replies.ts';
import { chatKey, type Transport } from '../../api/people/chats.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { actors, withFactor } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { fakeBotApi, token, until } from '../support/botApi.ts';
import { cloudDelivery, cloudEnv, cloudMessage, fakeCloudApi } from '../support/cloudApi.ts';
import { productRow, submitted } from '../support/products.ts';
import { chatting } from '../support/talk.ts';

const telegram = fakeBotApi();
const whatsapp = fakeCloudApi();
const market = await testApp({
  env: {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: telegram.root,
    PUBLIC_URL: 'http://localhost:5454',
    ...cloudEnv(whatsapp.root),
  },
});
const { seller, admin } = await actors(market);
const { chats, outbox } = schema;
const times = { lockMs: 20, failureMs: 5, longestMs: 20, pollSeconds: 5 };
const running: Bot[] = [];
async function open(): Promise<Bot> {
  const bot = openBot({ ...market.host, now: () => new Date() }, times);
  await bot.start();
  running.push(bot);
  return bot;
}
beforeEach(async () => {
  await market.reset();
  market.clock.set(new Date());
  await withFactor(market, admin);
  telegram.clear();
  whatsapp.clear();
});
afterEach(async () => {
  for (const bot of running.splice(0)) await bot.stop();
});

const ada = '237699001001';
const shown = {
  telegram: () => telegram.sentTo(Number(ada)).map(({ body }) => JSON.stringify(body)),
  whatsapp: () => whatsapp.sentTo(ada).map((body) => JSON.stringify(body)),
};
const failing = {
  telegram: () => telegram.fail('sendMessage', { status: 400, description: 'Bad Request: x' }),
  whatsapp: () => whatsapp.fail({ status: 400, code: 131_009 }),
};
const write = {
  telegram: async (text: string) => void telegram.write(Number(ada), text),
  whatsapp: async (text: string) => {
    const delivery = cloudDelivery([cloudMessage(ada, text)]);
    await market.request('/bot/whatsapp', { method: 'POST', ...delivery });
  },
};
const empty = () => until(async () => (await market.db.$count(outbox)) === 0);
const reply = async (transport: Transport, of: Parameters<typeof writeReplies>[2][number]) => {
  const keyHash = chatKey(market.services.secret, transport, ada);
  await writeReplies(asTx({ ...market.job('x'), now: () => new Date() }), { transport, keyHash }, [
    of,
  ]);
  await market.sql.notify('outbox', '');
};

describe.each(['telegram', 'whatsapp'] as const)('on %s', (transport) => {
  const begin = async (person?: typeof admin) => {
    const chat = await chatting(market, {
      transport,
      address: ada,
      language: 'en',
      ...(person ? { person } : {}),
    });
    await market.db.update(chats).set({ wroteAt: new Date() });
    await open();
    return chat;
  };

  test('an address that cannot be a button is written into the text', async () => {
    await begin();
    await reply(transport, {
      text: 'Here it is',
      buttons: [[{ label: 'Open the Site', url: 'http://localhost:5454/en' }]],
    });
    await until(() => shown[transport]().length === 1);
    expect(shown[transport]()[0]).toContain('Here it is');
    expect(shown[transport]()[0]).toContain('http://localhost:5454/en');
  });

  test('what is refused is sent again plainly, with its addresses and numbers', async () => {
    await begin();
    failing[transport]();
    await reply(transport, {
      text: 'Here it is',
      buttons: [
        [
          { label: 'Open the Site', url: 'https://market.test/en' },
          { label: 'Market', say: 'market' },
        ],
      ],
    });
    await until(() => shown[transport]().length === 1);
    expect(shown[transport]()[0]).toContain('https://market.test/en');
    expect(shown[transport]()[0]).toContain('1. Market');
  });

  test('an admin decides nothing that was never shown, and is told', async () => {
    const { id } = await submitted(market, seller);
    await market.db.delete(outbox);
    const chat = await begin(admin);
    // Neither the item nor its plain form arrives.
    for (let n = 0; n < { telegram: 2, whatsapp: 3 }[transport]; n++) failing[transport]();
    await write[transport]('pending');
    await until(() => shown[transport]().some((text) => text.includes('could not be shown')));
    expect((await chat.row())?.state).not.toHaveProperty('decides');
    telegram.calls.length = 0;
    whatsapp.calls.length = 0;
    await write[transport]('reject');
    await until(() => shown[transport]().length === 1);
    expect(shown[transport]()[0]).toContain('What was shown is decided, or not shown yet');
    expect((await productRow(market, id)).rejectedAt).toBeNull();
    await empty();
  });
});

test('a start with an address that networks refuse warns', async () => {
  await open();
  expect(JSON.stringify(market.logged)).toContain('cannot be opened by a button');
});

describe('a button of Telegram’s', () => {
  test('longer than 64 bytes is a short stored key, and says all that it says', async () => {
    const long = `place ${'مدينة'.repeat(8)}`;
    const chat = await chatting(market, { address: ada, language: 'en' });
    await open();
    await reply('telegram', {
      text: 'Where?',
      buttons: [[{ label: 'A town', say: long }], [{ label: 'Market', say: 'market' }]],
    });
    await until(() => shown.telegram().length === 1);
    const { body } = telegram.sentTo(Number(ada))[0] ?? {};
    const markup = (
      typeof body?.reply_markup === 'string' ? JSON.parse(body.reply_markup) : body?.reply_markup
    ) as { inline_keyboard: { callback_data: string }[][] };
    const data = markup.inline_keyboard.flat().map((one) => one.callback_data);
    expect(data[1]).toBe('market');
    expect(Buffer.byteLength(data[0] ?? '')).toBeLessThanOrEqual(64);
    expect((await chat.row())?.state).toMatchObject({ keys: { [data[0] ?? '']: long } });
    await chat.say('help');
    const answer = await chat.say(data[0] ?? '');
    expect(answer[0]?.text).not.toMatch(/did not understand|too old/);
    expect((await chat.say('~0123456789abcdef'))[0]?.text).toContain('This button is too old');
  });
});
