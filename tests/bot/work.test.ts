import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { receive } from '../../api/chats/inbox.ts';
import { chatKey } from '../../api/people/chats.ts';
import { createWorker, type Worker } from '../../bot/messages/work.ts';
import { openBot } from '../../bot/open.ts';
import { connect, schema, type Target } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fakeBotApi, token, until } from '../support/botApi.ts';
import { jpeg } from '../support/photos.ts';
import { live } from '../support/products.ts';

const telegram = fakeBotApi();
const secret = 'a-secret-that-telegram-was-told';
const market = await testApp({
  env: {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_WEBHOOK: '1',
    TELEGRAM_WEBHOOK_SECRET: secret,
  },
  reception: { perAccount: 20 },
});
const { seller, admin } = await actors(market);
const { chats, chatUpdates, outbox } = schema;
const now = () => new Date();
const ctx = { ...market.job('bot'), now };

beforeEach(async () => {
  await market.reset();
  telegram.clear();
});

const write = (address: string, text: string, photo?: string) =>
  receive(ctx, {
    transport: 'telegram',
    address,
    updateId: crypto.randomUUID(),
    message: { text, ...(photo === undefined ? {} : { photos: [{ ref: photo }] }) },
  });
const keyOf = (address: string) => chatKey(market.services.secret, 'telegram', address);
const waiting = () => market.db.$count(chatUpdates, eq(chatUpdates.state, 'waiting'));
const answered = (address: string) =>
  market.db.$count(outbox, eq(outbox.recipient, keyOf(address)));

/** Number of statements that wait for a lock. */
const blocked = async () =>
  Number(
    (
      await market.sql`select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    )[0]?.count,
  );

test('a network that takes its time to hand over photos holds up nobody’s words, and is asked for few at once', async () => {
  const photo = new Uint8Array(await jpeg());
  const open: (() => void)[] = [];
  let [under, most] = [0, 0];
  const slow = async () => {
    most = Math.max(most, ++under);
    await new Promise<void>((resolve) => open.push(resolve));
    under--;
    return photo;
  };
  const worker: Worker = createWorker(ctx, { telegram: slow }, 20);
  const [sellers, others] = [1, 2].map((of) =>
    Array.from({ length: 10 }, (_, n) => `${of}-${n}`),
  ) as [string[], string[]];
  for (const one of sellers) await write(one, '', 'a photo');
  await market.db.update(chats).set({ userId: seller.userId, linkedAt: now() });
  for (const one of others) await write(one, '/start');
  worker.wake();
  for (const one of others) await until(async () => (await answered(one)) === 1);
  // The last of the four may begin after the words are answered.
  await until(async () => most === 4);
  expect(await waiting()).toBe(sellers.length);
  // Each finished download makes room for the next.
  const opening = setInterval(() => open.shift()?.(), 1);
  await until(async () => (await waiting()) === 0);
  clearInterval(opening);
  await worker.stop();
  for (const one of sellers) expect(await answered(one)).toBe(1);
  expect(most).toBe(4);
});

test('what is written while an answer is being made is answered after it', async () => {
  const worker = createWorker(ctx);
  await write('one', '/start');
  const woken = await market.sql.listen('chats', worker.wake);
  let second: Promise<boolean> | undefined;
  await market.db.transaction(async (held) => {
    // First the turn of the first message waits here, then the storing of the second.
    await held.select().from(chats).for('update');
    worker.wake();
    await until(async () => (await blocked()) === 1);
    second = write('one', '/start');
    await until(async () => (await blocked()) === 2);
  });
  await second;
  await until(async () => (await waiting()) === 0);
  await woken.unlisten();
  await worker.stop();
  expect(await answered('one')).toBe(2);
});

describe('what a message costs the database, stored, answered and sent', () => {
  test.each([
    ['help', 9],
    ['market', 11],
    // One of them keeps the card that "it" then means.
    ['show 11', 15],
  ])('%s: %i statements', async (text, most) => {
    await live(market, seller, admin);
    await market.db.delete(outbox);
    const { target } = market.database;
    let statements = 0;
    // A target that is a URL cannot be counted.
    const counted: Target =
      typeof target === 'string' ? target : { ...target, debug: () => void statements++ };
    const { db, sql, close } = connect(counted, { max: 5 });
    const bot = openBot({ ...market.host, db, sql, now: market.clock.now });
    await bot.start();
    const say = async (words: string) => {
      const before = telegram.sentTo(5).length;
      const headers = {
        'content-type': 'application/json',
        'x-telegram-bot-api-secret-token': secret,
      };
      await bot.webhooks.request('/telegram', {
        method: 'POST',
        headers,
        body: JSON.stringify(telegram.posted(5, words)),
      });
      await until(
        async () => telegram.sentTo(5).length > before && (await market.db.$count(outbox)) === 0,
      );
    };
    await say('/start');
    await market.db.update(chats).set({ language: 'en' });
    await say('help');
    const before = statements;
    await say(text);
    const cost = statements - before;
    await bot.stop();
    await close();
    expect(cost).toBeLessThanOrEqual(most);
  });
});
