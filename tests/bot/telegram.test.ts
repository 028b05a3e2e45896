import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announceChats, takeUpdates } from '../../api/chats/inbox.ts';
import { writeReplies } from '../../api/chats/replies.ts';
import { announceDue } from '../../api/outbox/delivery.ts';
import { chatKey } from '../../api/people/chats.ts';
import { notify } from '../../api/people/notify.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { readUpdate } from '../../bot/transports/telegram/update.ts';
import { schema } from '../../db/client.ts';
import { signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { fakeBotApi, token, until } from '../support/botApi.ts';
import { jpeg } from '../support/photos.ts';

const telegram = fakeBotApi();
const secret = 'a-secret-that-telegram-was-told';
const market = await testApp({
  env: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: telegram.root },
});
const hooked = await testApp({
  database: market.database,
  env: {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_WEBHOOK: '1',
    TELEGRAM_WEBHOOK_SECRET: secret,
  },
});
const { chats, chatUpdates, outbox } = schema;
// The real clock, because the bot really waits as long as Telegram asks.
const host = { ...market.host, now: () => new Date() };
const times = { lockMs: 20, failureMs: 5, longestMs: 20, pollSeconds: 5 };
const running: Bot[] = [];

async function open(which: typeof host = host): Promise<Bot> {
  const bot = openBot(which, times);
  await bot.start();
  running.push(bot);
  return bot;
}
beforeEach(async () => {
  await market.reset();
  hooked.clock.set(new Date());
  telegram.clear();
});
afterEach(async () => {
  for (const bot of running.splice(0)) await bot.stop();
});

const ada = 237_699_001_001;
const keyOf = (id: number) => chatKey(market.services.secret, 'telegram', String(id));
const textsTo = (id: number) =>
  telegram.sentTo(id).map(({ body }) => String(body.text ?? body.caption));
const speaks = (id: number) =>
  market.db
    .update(chats)
    .set({ language: 'en' })
    .where(eq(chats.keyHash, keyOf(id)));
async function known(id: number): Promise<void> {
  telegram.write(id, '/start');
  await until(() => textsTo(id).length === 1);
  await speaks(id);
  telegram.calls.length = 0;
}

describe('the bot that asks Telegram for messages', () => {
  test('answers what is written and what is pressed, in order, with buttons', async () => {
    await open();
    telegram.write(ada, '/start');
    await until(() => textsTo(ada).length === 1);
    expect(telegram.sentTo(ada)[0]?.body).toMatchObject({
      reply_markup: {
        inline_keyboard: expect.arrayContaining([
          expect.arrayContaining([expect.objectContaining({ callback_data: 'langue fr' })]),
        ]),
      },
    });
    telegram.press(ada, 'language en');
    telegram.write(ada, 'market');
    telegram.write(ada, 'help');
    await until(() => textsTo(ada).length === 4);
    expect(
      textsTo(ada)
        .slice(1)
        .map((text) => text.slice(0, 20)),
    ).toEqual(['From now on I write ', 'No stall is live rig', 'You can write what y']);
    await until(() => telegram.calls.some(({ method }) => method === 'answerCallbackQuery'));
    // A reply leaves the outbox once it is sent.
    await until(async () => (await market.db.select().from(outbox)).length === 0);
  });

  test('stores what it hears before it acknowledges it, sealed, and forgets the words once they are answered', async () => {
    await open();
    await known(ada);
    telegram.write(ada, 'help');
    await until(() => textsTo(ada).length === 1);
    await until(() => telegram.updates.length === 0);
    const rows = await market.db.select().from(chatUpdates);
    expect(rows).toMatchObject([
      { state: 'done', sealed: null },
      { state: 'done', sealed: null },
    ]);
    expect(
      JSON.stringify([rows, await market.db.select().from(chats), market.logged]),
    ).not.toContain(String(ada));
  });

  test('answers once what Telegram delivers twice', async () => {
    await open();
    await known(ada);
    const update = telegram.write(ada, 'help');
    telegram.updates.push({ ...update });
    telegram.write(ada, 'market');
    await until(() => textsTo(ada).length === 2);
    expect(textsTo(ada)[1]).toMatch(/^No stall/);
  });

  test('says nothing in a group, and writes to nobody who has blocked it until they write again', async () => {
    await open();
    await known(ada);
    telegram.inGroup('help');
    telegram.blockedBy(ada);
    await until(async () => (await market.db.select().from(chats))[0]?.blockedAt !== null);
    expect(await market.db.select().from(chats)).toHaveLength(1);
    telegram.write(ada, 'help');
    await until(() => textsTo(ada).length === 1);
    expect(await market.db.select().from(chats)).toMatchObject([{ blockedAt: null }]);
  });

  test('asks in one process a token; another takes over when that one ends', async () => {
    const first = await open();
    await known(ada);
    await open();
    telegram.write(ada, 'help');
    await until(() => textsTo(ada).length === 1);
    const hears = telegram.calls.filter(({ method }) => method === 'deleteWebhook').length;
    await first.stop();
    await until(
      () => telegram.calls.filter(({ method }) => method === 'deleteWebhook').length === hears + 1,
    );
    telegram.write(ada, 'market');
    await until(() => textsTo(ada).length === 2);
  });

  test('goes on after Telegram was away, slow, or cut the line, and loses nothing', async () => {
    for (const failure of [
      'drop',
      { status: 502 },
      { status: 429, retryAfter: 0.01 },
      { slowMs: 30 },
    ] as const)
      telegram.fail('getUpdates', failure);
    telegram.fail('deleteWebhook', { status: 500 });
    telegram.write(ada, '/start');
    await open();
    await until(() => textsTo(ada).length === 1);
  });

  test('answers after a restart what was stored before it', async () => {
    const first = await open();
    await known(ada);
    await first.stop();
    const { update_id } = telegram.write(ada, 'help');
    const door = await hooked.request('/bot/telegram', {
      json: telegram.updates.pop(),
      headers: { 'x-telegram-bot-api-secret-token': secret },
    });
    expect([door.status, update_id > 0]).toEqual([200, true]);
    expect(
      await market.db.select().from(chatUpdates).where(eq(chatUpdates.state, 'waiting')),
    ).toHaveLength(1);
    await open();
    await until(() => textsTo(ada).length === 1);
  });
});

describe('what is sent', () => {
  test('waits as long as Telegram says, and is counted as no failure', async () => {
    await open();
    await known(ada);
    telegram.fail('sendMessage', { status: 429, retryAfter: 1, description: 'Too Many Requests' });
    const begun = Date.now();
    telegram.write(ada, 'help');
    telegram.write(ada, 'market');
    await until(() => textsTo(ada).length === 2);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950);
    expect(textsTo(ada)[1]).toMatch(/^No stall/);
  });

  test('is given up for a chat that blocked the bot, with what waits behind it', async () => {
    await open();
    await known(ada);
    telegram.fail('sendMessage', {
      status: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    telegram.write(ada, 'help');
    await until(async () => (await market.db.select().from(chats))[0]?.blockedAt !== null);
    await until(async () => (await market.db.select().from(outbox)).length === 0);
    expect(textsTo(ada)).toEqual([]);
  });

  test.each([
    ['a fault of Telegram’s', { status: 502 }] as const,
    ['a line that is cut', 'drop'] as const,
  ])('is sent again after %s', async (_, failure) => {
    await open();
    await known(ada);
    telegram.fail('sendMessage', failure);
    telegram.write(ada, 'help');
    await until(() => textsTo(ada).length === 1);
    expect(
      market.logged.filter(({ message }) => message === 'A message could not be delivered'),
    ).toHaveLength(1);
    expect(JSON.stringify(market.logged)).not.toMatch(new RegExp(`${ada}|${token}`));
  });

  test('holds nobody up where Telegram cannot read it', async () => {
    await open();
    await known(ada);
    // Neither as it is nor plainly.
    for (let n = 0; n < 2; n++)
      telegram.fail('sendMessage', {
        status: 400,
        description: 'Bad Request: message is too long',
      });
    telegram.write(ada, 'help');
    telegram.write(ada, 'market');
    await until(() => textsTo(ada).length === 1);
    expect(textsTo(ada)).toEqual([expect.stringMatching(/^No stall/)]);
  });

  test('reaches each of many who ask at once', async () => {
    await open();
    const people = Array.from({ length: 60 }, (_, n) => 5000 + n);
    for (const id of people) telegram.write(id, '/start');
    await until(() => people.every((id) => textsTo(id).length === 1));
  });
});

describe('a chat that writes too fast', () => {
  test('is slowed, told so once, and slows nobody else', async () => {
    await open();
    await known(ada);
    for (let n = 0; n < 40; n++) telegram.write(ada, 'help');
    telegram.write(77, '/start');
    await until(() => textsTo(77).length === 1 && telegram.updates.length === 0);
    await until(
      async () =>
        (await market.db.select().from(outbox)).length === 0 &&
        (await takeUpdates(market.job('x'), 1)).length === 0,
    );
    expect(textsTo(ada).filter((text) => text.startsWith('You write faster'))).toHaveLength(1);
    expect(textsTo(ada).length).toBeLessThan(25);
  });
});

describe('the route of the webhook', () => {
  const post = (headers: Record<string, string>, json: unknown = telegram.posted(ada, '/start')) =>
    hooked.request('/bot/telegram', { json, headers });
  const right = { 'x-telegram-bot-api-secret-token': secret };

  test('stores what comes with the secret, once, and refuses what comes without it', async () => {
    const update = telegram.posted(ada, '/start');
    expect((await post({}, update)).status).toBe(403);
    expect((await post({ 'x-telegram-bot-api-secret-token': `${secret}x` }, update)).status).toBe(
      403,
    );
    expect(await market.db.select().from(chatUpdates)).toEqual([]);
    for (let n = 0; n < 2; n++) expect((await post(right, update)).status).toBe(200);
    expect(await market.db.select().from(chatUpdates)).toHaveLength(1);
    expect((await post(right, { update_id: 'x' })).status).toBe(400);
  });

  test('counts a message once that Telegram delivers again and again: those after it come in too', async () => {
    const updates = Array.from({ length: 10 }, () => telegram.posted(78, 'help'));
    for (const update of updates)
      for (let n = 0; n < 25; n++) expect((await post(right, update)).status).toBe(200);
    expect(await market.db.select().from(chatUpdates)).toHaveLength(10);
  });

  test('is closed where the bot asks by itself, and where there is none', async () => {
    expect(
      (await market.request('/bot/telegram', { json: telegram.posted(ada, 'x'), headers: right }))
        .status,
    ).toBe(404);
  });

  test('takes what one network delivers for a thousand chats, of three megabytes', async () => {
    const big = { ...telegram.posted(ada, '/start'), padding: 'x'.repeat(2_500_000) };
    expect((await post(right, big)).status).toBe(200);
    expect((await post(right, { ...big, padding: 'x'.repeat(3_300_000) })).status).toBe(413);
    for (let n = 0; n < 1000; n++) expect((await post({})).status).toBe(403);
    expect((await post(right)).status).toBe(200);
  });

  test('is told to Telegram with its secret when the market starts', async () => {
    await open({ ...hooked.host, now: () => new Date() });
    await until(() => telegram.calls.some(({ method }) => method === 'setWebhook'));
    expect(telegram.calls.find(({ method }) => method === 'setWebhook')?.body).toMatchObject({
      url: 'http://market.test/bot/telegram',
      secret_token: secret,
    });
    await post(right);
    await until(() => textsTo(ada).length === 1);
  });
});

describe('what comes with a message', () => {
  const from = { id: ada, is_bot: false, first_name: 'A' };
  const said = (more: object) => {
    const heard = readUpdate(1, {
      update_id: 1,
      message: {
        message_id: 1,
        date: 0,
        from,
        chat: { id: ada, type: 'private', first_name: 'A' },
        ...more,
      } as never,
    });
    return heard && 'message' in heard ? heard.message.message : undefined;
  };
  const size = (file_id: string) => ({ file_id, file_unique_id: file_id, width: 1, height: 1 });

  test('is a number only where the shared contact is the sender’s own', () => {
    const shared = (user_id?: number) =>
      said({
        contact: {
          phone_number: '237 699001001',
          first_name: 'A',
          ...(user_id === undefined ? {} : { user_id }),
        },
      });
    expect(shared(ada)).toEqual({ text: '', number: '+237699001001' });
    for (const another of [shared(5), shared()])
      expect(another).toEqual({ text: '', anothersContact: true });
  });

  test('is a photo in its largest size, also as a file, with its album; no other file', () => {
    expect(said({ photo: [size('small'), size('large')], caption: 'A bag' })).toEqual({
      text: 'A bag',
      photos: [{ ref: 'large' }],
    });
    expect(said({ photo: [size('one')], media_group_id: '77' })).toEqual({
      text: '',
      photos: [{ ref: 'one', album: '77' }],
    });
    expect(said({ document: { ...size('file'), mime_type: 'image/png' } })).toEqual({
      text: '',
      photos: [{ ref: 'file' }],
    });
    expect(said({ document: { ...size('file'), mime_type: 'application/pdf' } })).toEqual({
      text: '',
      wordless: true,
    });
  });
});

test('an update of a form that nobody knows yet is passed over, not thrown at', () => {
  const chat = { id: ada, type: 'private' };
  const odd = [undefined, null, 1, 'x', [], {}, { id: 'x', type: 1 }];
  for (const one of odd) {
    for (const member of ['message', 'callback_query', 'my_chat_member']) {
      expect(readUpdate(1, { update_id: 1, [member]: one })).toBeUndefined();
      expect(
        readUpdate(1, {
          update_id: 1,
          [member]: { chat: one, message: one, new_chat_member: one },
        }),
      ).toBeUndefined();
    }
    const message = {
      chat,
      text: one ?? 'help',
      contact: one,
      photo: one,
      document: one,
      caption: one,
      from: one,
    };
    expect(readUpdate(1, { update_id: 1, message })).toMatchObject({
      message: { address: String(ada) },
    });
    expect(readUpdate(1, one)).toBeUndefined();
  }
});

test('a contact that is somebody else’s is said to prove nothing', async () => {
  await open();
  await known(ada);
  telegram.share(ada, { phone_number: '237699001009', user_id: 5 });
  await until(() => textsTo(ada).length === 1);
  expect(textsTo(ada)[0]).toMatch(/^That contact is not your own/);
});

test('a photo is fetched from Telegram, also when that fails at first, and joins the draft', async () => {
  const seller = await signUpSeller(market);
  await open();
  await known(ada);
  await market.db
    .update(chats)
    .set({ userId: seller.userId, linkedAt: new Date() })
    .where(eq(chats.keyHash, keyOf(ada)));
  telegram.fail('getFile', { status: 502 });
  telegram.photo(ada, 'a-photo', new Uint8Array(await jpeg()));
  const tried = eq(chatUpdates.attempts, 1);
  await until(
    async () =>
      (await market.db.$count(chatUpdates, and(tried, eq(chatUpdates.state, 'waiting')))) === 1,
  );
  await market.db
    .update(chatUpdates)
    .set({ nextAttemptAt: new Date(0) })
    .where(eq(chatUpdates.state, 'waiting'));
  await announceChats(market.job('x'));
  await until(() => textsTo(ada).length === 1);
  expect(textsTo(ada)[0]).toContain('Photo 1 of 5 is here.');
  expect(await market.db.select().from(schema.productDrafts)).toMatchObject([
    { userId: seller.userId, photos: [expect.any(String)] },
  ]);
  expect(JSON.stringify(market.logged)).not.toContain(token);
});

test('a reply that asks for the number has a key for it where the keyboard is', async () => {
  await open();
  await known(ada);
  const [chat] = await market.db.select().from(chats);
  const buttons = [
    [{ label: 'Share My Number', askForContact: true as const }],
    [{ label: 'Not Now', say: 'no' }],
  ];
  await writeReplies(asTx({ ...market.job('x'), now: host.now }), chat as never, [
    { text: 'Your number?', buttons },
  ]);
  await until(() => textsTo(ada).length === 1);
  expect(telegram.sentTo(ada)[0]?.body.reply_markup).toEqual({
    keyboard: [[{ text: 'Share My Number', request_contact: true }], [{ text: 'no' }]],
    one_time_keyboard: true,
    resize_keyboard: true,
  });
});

test('a notice has its buttons below it, and what one of them says is answered', async () => {
  await open();
  await known(ada);
  const { userId } = await signUpMember(market);
  await market.db.update(chats).set({ userId, linkedAt: host.now() });
  await notify(
    asTx({ ...market.job('x'), services: host.services, now: host.now }),
    { userId },
    'postResponse',
    { title: 'A driver' },
    'connect/abcd2345',
  );
  await until(() => textsTo(ada).length === 1);
  expect(telegram.sentTo(ada)[0]?.body).toMatchObject({
    text: expect.stringMatching(/^Somebody responded to “A driver”/),
    reply_markup: { inline_keyboard: [[{ text: 'Responses', callback_data: 'responses' }]] },
  });
  telegram.press(ada, 'responses');
  await until(() => textsTo(ada).length === 2);
  expect(textsTo(ada)[1]).toBe('Nobody has responded to your posts yet.');
});

test('the timetable announces what nobody took', async () => {
  expect([await announceChats(hooked.job('x')), await announceDue(hooked.job('x'))]).toEqual([
    { due: false },
    { due: false },
  ]);
  await hooked.request('/bot/telegram', {
    json: telegram.posted(ada, '/start'),
    headers: { 'x-telegram-bot-api-secret-token': secret },
  });
  expect(await announceChats(hooked.job('x'))).toEqual({ due: true });
});
