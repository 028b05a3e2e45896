import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { channelReport } from '../../api/chats/channels.ts';
import { announceChats, messageOf, takeUpdates } from '../../api/chats/inbox.ts';
import { chatKey } from '../../api/people/chats.ts';
import { notify } from '../../api/people/notify.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { until } from '../support/botApi.ts';
import { cloud, cloudDelivery, cloudEnv, cloudMessage, fakeCloudApi } from '../support/cloudApi.ts';
import { jpeg } from '../support/photos.ts';
import { live } from '../support/products.ts';

const whatsapp = fakeCloudApi();
const market = await testApp({ env: cloudEnv(whatsapp.root) });
const templated = await testApp({
  database: market.database,
  env: { ...cloudEnv(whatsapp.root), WHATSAPP_CLOUD_TEMPLATE: 'market_news' },
});
const { seller, admin } = await actors(market);
const { chats, chatUpdates, outbox, chatChannels, productDrafts } = schema;
const hourMs = 3_600_000;
/** The bot's clock; the market's own clock does not move. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const running: Bot[] = [];

async function open(which = market): Promise<Bot> {
  const bot = openBot({ ...which.host, now });
  await bot.start();
  running.push(bot);
  return bot;
}
beforeEach(async () => {
  ada = String(Number(ada) + 10);
  ahead = 0;
  await market.reset();
  market.clock.set(new Date());
  whatsapp.clear();
});
afterEach(async () => {
  for (const bot of running.splice(0)) await bot.stop();
  await market.db.delete(chatChannels);
});

/** A new sender for each test: all of them together would hit the rate limit. */
let ada = '237699001001';
const keyOf = (address: string) => chatKey(market.services.secret, 'whatsapp', address);
const deliver = (...messages: unknown[]) =>
  market.request('/bot/whatsapp', { method: 'POST', ...cloudDelivery(messages) });
type Sent = {
  type: string;
  text?: { body: string };
  image?: { id: string; caption?: string };
  interactive?: { type: string; body: { text: string }; action: object };
};
const sent = (whom = ada) => whatsapp.sentTo(whom) as unknown as Sent[];
const words = (whom = ada) =>
  sent(whom).map(
    ({ text, interactive, image }) => text?.body ?? interactive?.body.text ?? image?.caption ?? '',
  );
/** A chat that has chosen its language, linked if there is a `userId`. */
async function known(address = ada, userId?: string): Promise<void> {
  const link = userId ? { userId, linkedAt: now() } : {};
  await deliver(cloudMessage(address, '/start'));
  await until(() => words(address).length === 1);
  await market.db
    .update(chats)
    .set({ language: 'en', ...link })
    .where(eq(chats.keyHash, keyOf(address)));
  whatsapp.calls.length = 0;
}

test('word of a changed number closes the chat of the old one, whose next holder is a visitor', async () => {
  await open();
  await known(ada, seller.userId);
  const system = { body: 'User A changed', wa_id: '237699009999', type: 'user_changed_number' };
  const changed = cloudMessage(
    ada,
    { type: 'system', system },
    { at: new Date(Date.now() + 1000) },
  );
  expect((await deliver(changed)).status).toBe(200);
  const row = async () =>
    (
      await market.db
        .select()
        .from(chats)
        .where(eq(chats.keyHash, keyOf(ada)))
    )[0];
  expect(await row()).toMatchObject({ closedWhy: 'numberChanged' });
  await deliver(cloudMessage(ada, 'my listings'));
  await until(() => words().length === 1);
  expect(words()[0]).toContain('whose owner changed number');
  // A second delivery, after the chat was linked again.
  await market.db
    .update(chats)
    .set({ closedAt: null, closedWhy: null, linkedAt: new Date(Date.now() + 5000) })
    .where(eq(chats.keyHash, keyOf(ada)));
  await deliver(changed);
  expect((await row())?.closedAt).toBeNull();
});

describe('the webhooks of the Cloud API', () => {
  const hub = (mode: string, word: string, challenge = '1158201444') =>
    market.request(
      `/bot/whatsapp?hub.mode=${mode}&hub.verify_token=${word}&hub.challenge=${encodeURIComponent(challenge)}`,
    );

  test('answer the question whether this is the right place with its own number, to whoever knows the word', async () => {
    const answer = await hub('subscribe', cloud.verifyToken);
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([
      200,
      '1158201444',
      expect.stringContaining('text/plain'),
    ]);
    expect((await hub('subscribe', 'another')).status).toBe(403);
    expect((await hub('unsubscribe', cloud.verifyToken)).status).toBe(403);
    expect((await hub('subscribe', cloud.verifyToken, '<script>')).status).toBe(403);
  });

  test('store what is signed over every byte, once, and refuse what is not', async () => {
    const message = cloudMessage(ada, '/start');
    const { body, headers } = cloudDelivery([message]);
    const post = (given: { body: string; headers: Record<string, string> }) =>
      market.request('/bot/whatsapp', { method: 'POST', ...given });
    expect((await post({ body: body.replace('/start', '/help '), headers })).status).toBe(403);
    expect(
      (await post(cloudDelivery([message], { secret: 'another secret altogether' }))).status,
    ).toBe(403);
    expect((await post({ body, headers: { 'content-type': 'application/json' } })).status).toBe(
      403,
    );
    expect(await market.db.select().from(chatUpdates)).toEqual([]);
    for (let n = 0; n < 2; n++) expect((await post({ body, headers })).status).toBe(200);
    const rows = await market.db.select().from(chatUpdates);
    expect(rows).toHaveLength(1);
    // Neither the number nor WhatsApp's id, which contains it, is stored or logged in plain text.
    expect(JSON.stringify([rows, await market.db.select().from(chats), market.logged])).not.toMatch(
      new RegExp(`${ada}|${message.id}`),
    );
  });

  test('take what they cannot read, or is nobody’s word: asked again it would read no better', async () => {
    const receipts = {
      statuses: [{ id: 'wamid.1', status: 'delivered', recipient_id: ada, timestamp: '1' }],
    };
    const strange = [
      cloudMessage(ada, { type: 'reaction', reaction: { emoji: '👍' } }),
      cloudMessage(ada, { type: 'system' }),
      { id: 7 },
      'x',
      null,
    ];
    expect(
      (
        await market.request('/bot/whatsapp', {
          method: 'POST',
          ...cloudDelivery(strange, { more: receipts }),
        })
      ).status,
    ).toBe(200);
    const others = cloudDelivery([cloudMessage(ada, 'x')], { phoneId: '999999' });
    expect((await market.request('/bot/whatsapp', { method: 'POST', ...others })).status).toBe(200);
    expect(await market.db.select().from(chatUpdates)).toEqual([]);
  });

  test('keep a bounded number of large bodies at once; a delivery of a usual size passes beside them', async () => {
    const { body, headers } = cloudDelivery([
      cloudMessage(ada, { type: 'text', text: { body: 'x' }, padding: 'x'.repeat(2_900_000) }),
    ]);
    const large = {
      method: 'POST',
      body,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    };
    const many = Array.from({ length: 40 }, () => market.request('/bot/whatsapp', large));
    const small = deliver(cloudMessage(ada, '/start'));
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect((await small).status).toBe(200);
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 503)).toHaveLength(36);
    expect((await market.request('/bot/whatsapp', large)).status).toBe(200);
  });

  test('take three megabytes, and are closed where nothing is configured', async () => {
    const large = cloudMessage(ada, {
      type: 'text',
      text: { body: 'x' },
      padding: 'x'.repeat(2_500_000),
    });
    expect((await deliver(large)).status).toBe(200);
    expect((await deliver({ ...large, more: 'x'.repeat(700_000) })).status).toBe(413);
    const none = await testApp({ database: market.database });
    expect(
      (await none.request('/bot/whatsapp', { method: 'POST', ...cloudDelivery([]) })).status,
    ).toBe(404);
    expect((await none.request('/bot/whatsapp?hub.mode=subscribe')).status).toBe(404);
  });
});

describe('what people write', () => {
  test('is answered in the order in which it was written, however it was delivered, and once', async () => {
    await open();
    await known();
    const at = (seconds: number) => ({ at: new Date(Date.now() - 60_000 + seconds * 1000) });
    const [first, second] = [cloudMessage(ada, 'help', at(1)), cloudMessage(ada, 'market', at(2))];
    await deliver(second, first);
    await deliver(first);
    await until(() => words().length === 2);
    expect(words()[0]).toMatch(/^You can write/);
    expect(words()[1]).toMatch(/^No stall/);
    await deliver(first, second);
    expect(await market.db.$count(chatUpdates, eq(chatUpdates.state, 'waiting'))).toBe(0);
  });

  test('is no yes to a question that was asked after it was written', async () => {
    await open();
    await known();
    await market.db.update(chats).set({
      state: {
        awaits: { kind: 'contact', product: crypto.randomUUID(), slot: 3 },
        askedAt: now().toISOString(),
      },
    });
    await deliver(cloudMessage(ada, 'yes', { at: new Date(Date.now() - 120_000) }));
    await until(() => words().length === 1);
    expect(words()[0]).toMatch(/^That reached me late/);
    await deliver(cloudMessage(ada, 'yes'));
    await until(() => words().length === 2);
    expect(words()[1]).toMatch(/^This product is not live any more/);
  });

  test('has the sender’s number; whoever hides it is served and proves nothing', async () => {
    const hidden = 'CM.13491208655302741918';
    const old = `2377${ada.slice(-7)}`;
    await deliver(...[ada, hidden, old].map((from) => cloudMessage(from, 'hello')));
    const taken = await takeUpdates(market.job('x'), 5);
    const senders = taken.map((update) => messageOf(market.job('x'), update));
    expect(senders.map(({ number, oldNumber }) => number ?? oldNumber)).toEqual([
      `+${ada}`,
      undefined,
      `+2376${old.slice(3)}`,
    ]);
    expect(senders[2]).not.toHaveProperty('number');
    await market.db.update(chatUpdates).set({ lease: null, nextAttemptAt: new Date(0) });
    await open();
    await until(() => words(hidden).length === 1 && words().length === 1);
    expect(whatsapp.sentTo(hidden)[0]).toMatchObject({
      recipient: hidden,
      recipient_type: 'individual',
    });
    expect(whatsapp.sentTo(hidden)[0]).not.toHaveProperty('to');
    // An id of before November 2014 is answered where it wrote from.
    await until(() => words(old).length === 1);
  });

  test('may be a photo or a contact: another’s proves nothing', async () => {
    const contact = (number: string) => ({
      type: 'contacts',
      contacts: [{ name: {}, phones: [{ phone: `+${number}`, wa_id: number }] }],
    });
    await deliver(
      cloudMessage(
        ada,
        { type: 'image', image: { id: '777', mime_type: 'image/jpeg', caption: 'My chair' } },
        { at: new Date(1000) },
      ),
      cloudMessage('237699001002', contact('237699001002')),
      cloudMessage('237699001003', contact(ada)),
    );
    const taken = (await takeUpdates(market.job('x'), 5)).map((update) =>
      messageOf(market.job('x'), update),
    );
    expect(taken).toMatchObject([
      { text: 'My chair', photos: [{ ref: '777' }] },
      { text: '', number: '+237699001002' },
      { text: '', anothersContact: true },
    ]);
    expect(JSON.stringify(taken[2])).not.toContain(ada);
  });
});

describe('a photo', () => {
  test('of a seller is fetched by its id, with the token, and joins the draft', async () => {
    await open();
    await known(ada, seller.userId);
    whatsapp.media.set('a-chair', { bytes: new Uint8Array(await jpeg()) });
    await deliver(
      cloudMessage(ada, {
        type: 'image',
        image: { id: 'a-chair', mime_type: 'image/jpeg', caption: 'done' },
      }),
    );
    await until(() => words().length === 1);
    expect(words()[0]).toMatch(/Photo 1 of 5 is here\./);
    expect(whatsapp.calls.find(({ path }) => path === 'kept')?.token).toBe(`Bearer ${cloud.token}`);
    const [drafted] = await market.db.select().from(productDrafts);
    expect(drafted).toMatchObject({ userId: seller.userId, photos: [expect.any(String)] });
    const [upload] = await market.db.select().from(schema.uploads);
    expect(upload).toMatchObject({ id: drafted?.photos[0], ownerId: seller.userId });
  });

  test('that WhatsApp cannot hand over is asked for again, and the message is not lost', async () => {
    await open();
    await known(ada, seller.userId);
    await deliver(
      cloudMessage(ada, { type: 'image', image: { id: 'later', mime_type: 'image/jpeg' } }),
    );
    const waits = and(eq(chatUpdates.state, 'waiting'), eq(chatUpdates.attempts, 1));
    await until(async () => (await market.db.$count(chatUpdates, waits)) === 1);
    whatsapp.media.set('later', { bytes: new Uint8Array(await jpeg()) });
    await market.db
      .update(chatUpdates)
      .set({ nextAttemptAt: new Date(0) })
      .where(eq(chatUpdates.state, 'waiting'));
    await announceChats(market.job('x'));
    await until(() => words().length === 1);
    expect(words()[0]).toContain('Photo 1 of 5 is here.');
  });

  test('of a stall goes out as a JPEG, uploaded once, with the words and what can be done below it', async () => {
    const { slotId } = await live(market, seller, admin, {
      name: { en: 'Garden chair', fr: 'Chaise de jardin' },
    });
    await market.db.delete(outbox);
    await open();
    await known();
    for (const times of [1, 2]) {
      await deliver(cloudMessage(ada, `show ${slotId}`));
      await until(() => sent().length === times);
    }
    const uploads = whatsapp.calls.filter(({ path }) => path === `${cloud.phoneId}/media`);
    expect(uploads).toHaveLength(1);
    const file = uploads[0]?.body.file as File;
    expect([file.type, [...new Uint8Array(await file.arrayBuffer()).subarray(0, 3)]]).toEqual([
      'image/jpeg',
      [0xff, 0xd8, 0xff],
    ]);
    for (const one of sent()) expect(JSON.stringify(one)).toMatch(/picture-\d+/);
    expect(JSON.stringify(sent()[0])).toContain('Garden chair');
  });
});

describe('what is sent', () => {
  test('has three buttons, else a list; pressing one writes what it says', async () => {
    await open();
    await deliver(cloudMessage(ada, '/start'));
    await until(() => sent().length === 1);
    await deliver(cloudMessage(ada, 'link'));
    await until(() => sent().length === 2);
    expect(sent()[1]?.interactive).toMatchObject({
      type: 'button',
      action: { buttons: [{ reply: { id: 'no', title: 'Not Now' } }] },
    });
    await deliver(
      cloudMessage(ada, {
        type: 'interactive',
        interactive: { type: 'button_reply', button_reply: { id: 'no', title: 'Not Now' } },
      }),
    );
    await until(() => sent().length === 3);
    expect(sent()[0]?.interactive).toMatchObject({
      type: 'list',
      action: {
        button: 'Choose',
        sections: [{ rows: expect.arrayContaining([{ id: 'market', title: 'Market' }]) }],
      },
    });
    await deliver(
      cloudMessage(ada, {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: 'market', title: 'Market' } },
      }),
    );
    await until(() => sent().length === 4);
    expect(words()[3]).toMatch(/^No stall/);
  });

  test.each([
    ['a fault of WhatsApp’s', { status: 503 }] as const,
    ['a line that is cut', 'drop'] as const,
    ['too many to one person', { status: 400, code: 131_056, retryAfter: 0.01 }] as const,
    ['too many in all', { status: 429, code: 130_429, retryAfter: 0.01 }] as const,
  ])('is sent again after %s', async (_, failure) => {
    await open();
    await known();
    whatsapp.fail(failure);
    await deliver(cloudMessage(ada, 'help'), cloudMessage(ada, 'market'));
    await until(() => words().length === 2);
    expect(words()[1]).toMatch(/^No stall/);
    expect(JSON.stringify(market.logged)).not.toMatch(new RegExp(`${ada}|${cloud.token}`));
  });

  test('holds nobody up where WhatsApp cannot read it, and is lost by no token that ran out', async () => {
    await open();
    await known();
    whatsapp.fail({ status: 400, code: 131_009 });
    whatsapp.fail({ status: 401, code: 190 });
    await deliver(cloudMessage(ada, 'help'), cloudMessage(ada, 'market'));
    await until(
      async () => (await market.db.select().from(outbox))[0]?.lastError?.includes('190') ?? false,
    );
    expect(await market.db.select().from(outbox)).toMatchObject([
      { attempts: 0, state: 'waiting' },
    ]);
    await running[0]?.stop();
    expect(await channelReport(market.job('x'))).toMatchObject([
      {
        transport: 'whatsapp',
        client: 'cloud',
        state: 'off',
        waiting: 1,
        failure: expect.stringContaining('190'),
      },
    ]);
  });

  test('ends for whoever takes nothing from this number, until they write again', async () => {
    await open();
    await known();
    whatsapp.fail({ status: 400, code: 131_026 });
    await deliver(cloudMessage(ada, 'help'));
    await until(async () => (await market.db.select().from(chats))[0]?.blockedAt !== null);
    await until(async () => (await market.db.$count(outbox)) === 0);
    await deliver(cloudMessage(ada, 'market'));
    await until(() => words().length === 1);
  });

  test('may be a stranger’s media address: it is not asked, least of all with the token', async () => {
    const { fetchPhoto } =
      (await import('../../bot/transports/whatsapp/cloud/transport.ts')).cloudTransport({
        host: market.host,
        ctx: market.job('x'),
        receive: async () => {},
      }) ?? {};
    const fetch = (ref: string, most = 100) => fetchPhoto?.(ref, most, AbortSignal.timeout(5000));
    whatsapp.media.set('a', { bytes: new Uint8Array(50) });
    expect(await fetch('a')).toHaveLength(50);
    await expect(fetch('a', 49)).rejects.toMatchObject({ code: 'uploads.tooBig' });
    // Also when the declared size is wrong.
    whatsapp.media.set('b', { bytes: new Uint8Array(500), size: 5 });
    await expect(fetch('b')).rejects.toMatchObject({ code: 'uploads.tooBig' });
    for (const url of [
      'http://169.254.169.254/latest',
      'https://fbsbx.com.example.org/x',
      'file:///etc/passwd',
    ]) {
      whatsapp.media.set('c', { bytes: new Uint8Array(5), url });
      await expect(fetch('c')).rejects.toThrow('not WhatsApp');
    }
  });
});

describe('beyond the 24 hours', () => {
  const tell = (where: typeof market) =>
    notify(asTx(where.job('x')), { userId: seller.userId }, 'productApproved', {
      product: 'Chair',
      lane: 'standard',
    });

  test('a notice waits until the person writes, and goes out ahead of the answer', async () => {
    await open();
    await known(ada, seller.userId);
    ahead = 25 * hourMs;
    market.clock.set(now());
    await tell(market);
    await until(
      async () =>
        (
          await market.db.select().from(outbox).where(eq(outbox.channel, 'whatsapp'))
        )[0]?.lastError?.includes('24 hours') ?? false,
    );
    expect(words()).toEqual([]);
    await deliver(cloudMessage(ada, 'help', { at: now() }));
    await until(() => words().length === 2);
    expect(words()[0]).toContain('Chair');
  });

  test('it is the template’s, on one line in the person’s language, where one is configured', async () => {
    await open(templated);
    await known(ada, seller.userId);
    ahead = 25 * hourMs;
    market.clock.set(now());
    await tell(templated);
    await until(() => sent().length === 1);
    const [message] = whatsapp.sentTo(ada);
    expect(message).toMatchObject({
      type: 'template',
      template: { name: 'market_news', language: { code: 'en' }, components: [{ type: 'body' }] },
    });
    expect(JSON.stringify(message)).toContain('Chair');
    expect(JSON.stringify(message)).not.toContain('\\n');
  });

  test('a message that WhatsApp delivers days late opens no window', async () => {
    await open();
    await deliver(cloudMessage(ada, '/start', { at: new Date(Date.now() - 30 * hourMs) }));
    await until(
      async () =>
        (await market.db.select().from(outbox))[0]?.lastError?.includes('24 hours') ?? false,
    );
    expect(words()).toEqual([]);
    await deliver(cloudMessage(ada, '/start'));
    await until(() => words().length === 2);
  });
});
