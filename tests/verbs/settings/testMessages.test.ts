import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Mailer } from '../../../api/core/ports.ts';
import { createDelivery } from '../../../api/outbox/delivery.ts';
import { notify } from '../../../api/people/notify.ts';
import { sendTestMessage, testMessages } from '../../../api/settings/testMessages.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { auditLines } from '../../support/audit.ts';
import { token } from '../../support/botApi.ts';
import { chatOf } from '../../support/chat.ts';
import { deliverOutbox } from '../../support/mail.ts';

let refusal: Error | undefined;
const mailer: Mailer = {
  async send() {
    if (refusal) throw refusal;
  },
  close() {},
};
const market = await testApp({ mailer, env: { TELEGRAM_BOT_TOKEN: token } });
const { admin, seller, visitor } = await actors(market);
const { outbox, chats } = schema;
beforeEach(async () => {
  refusal = undefined;
  await market.reset();
  await market.db.delete(chats);
});

const path = '/api/admin/settings/test-messages';
type Tests = Awaited<ReturnType<typeof testMessages>>;
const send = (way: 'mail' | 'chat') => market.call<Tests>(path, { as: admin, json: { way } });
const look = async () => (await market.call<Tests>(path, { as: admin })).body.messages;
const deliver = () => deliverOutbox(market.job('deliver-outbox'));
/** Delivers waiting Telegram messages; the transport fails with `error`, if given. */
async function deliverChats(error?: Error) {
  const delivery = createDelivery(market.job('bot'), {
    channel: 'telegram',
    atOnce: 5,
    async send() {
      if (error) throw error;
    },
  });
  delivery.wake();
  await delivery.idle();
  await delivery.stop();
}

describe('a test message', () => {
  test('goes to the admin’s own address, through the outbox, and is in the audit log', async () => {
    const { status, body } = await send('mail');
    expect([status, body.messages]).toMatchObject([
      200,
      [{ way: 'mail', channel: 'email', state: 'waiting', simulated: false, waitsLong: false }],
    ]);
    await deliver();
    expect(market.mails.delivered.map(({ to, subject }) => [to, subject])).toEqual([
      [admin.email, 'Test message'],
    ]);
    expect(await look()).toMatchObject([{ state: 'sent', fault: null, reason: null }]);
    expect(await auditLines(market, 'settings.test')).toMatchObject([
      { actorId: admin.userId, subjectId: admin.userId, after: { way: 'mail', messages: 1 } },
    ]);
  });

  test('goes to every linked chat of the admin, also with notices switched off, and to nobody else’s', async () => {
    await chatOf(market, admin);
    await chatOf(market, seller);
    await market.db.update(chats).set({ notices: false }).where(eq(chats.userId, admin.userId));
    expect((await send('chat')).body.messages).toMatchObject([
      { way: 'chat', channel: 'telegram', state: 'waiting' },
    ]);
    expect(await market.db.select().from(outbox)).toMatchObject([
      { userId: admin.userId, kind: 'testChat' },
    ]);
    await deliverChats();
    expect(await look()).toMatchObject([{ state: 'sent' }]);
  });

  test('without a chat that could be written to is refused with what to do', async () => {
    expect(await send('chat')).toMatchObject({
      status: 409,
      body: { error: { code: 'settings.noChat', message: expect.stringContaining('Link one') } },
    });
    expect(await auditLines(market, 'settings.test')).toEqual([]);
  });

  test('takes no address: whatever else is sent with it is refused', async () => {
    const asked = await market.call(path, {
      as: admin,
      json: { way: 'mail', to: 'victim@example.test' },
    });
    expect(asked.status).toBe(400);
    expect(await market.db.select().from(outbox)).toEqual([]);
  });

  test('is tried once, and the reason is shown without addresses', async () => {
    refusal = Object.assign(new Error(`535 5.7.8 Authentication failed for ${admin.email}`), {
      code: 'EAUTH',
      responseCode: 535,
    });
    await send('mail');
    await deliver();
    expect(await look()).toMatchObject([
      { state: 'failed', fault: 'login', reason: '535 5.7.8 Authentication failed for [address]' },
    ]);
    market.clock.advance({ minutes: 10 });
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    await chatOf(market, admin);
    await send('chat');
    await deliverChats(new Error('401: Unauthorized'));
    expect((await look())[0]).toMatchObject({
      way: 'chat',
      state: 'failed',
      reason: '401: Unauthorized',
    });
  });

  test('overtakes mails to the same address that wait for their next try, which come after it', async () => {
    refusal = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ESOCKET',
      command: 'CONN',
    });
    await notify(asTx(market.job('x')), { userId: admin.userId }, 'passwordChanged', {});
    await deliver();
    refusal = undefined;
    await send('mail');
    await deliver();
    expect(market.mails.delivered.map(({ subject }) => subject)).toEqual(['Test message']);
    market.clock.advance({ minutes: 2 });
    await deliver();
    expect(market.mails.delivered).toHaveLength(2);
  });

  test('says after half a minute that it still waits, and is forgotten on the page after an hour', async () => {
    await send('mail');
    market.clock.advance({ seconds: 31 });
    expect(await look()).toMatchObject([{ state: 'waiting', waitsLong: true }]);
    await send('mail');
    expect(await look()).toHaveLength(1);
    market.clock.advance({ hours: 1, seconds: 1 });
    expect(await look()).toEqual([]);
  });

  test('can be sent five times in ten minutes, each way for itself', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('mail')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429,
    ]);
    expect(await market.db.$count(outbox)).toBe(5);
    await chatOf(market, admin);
    expect((await send('chat')).status).toBe(200);
    market.clock.advance({ minutes: 10, seconds: 1 });
    expect((await send('mail')).status).toBe(200);
  });

  test('is for admins alone, who see their own', async () => {
    await send('mail');
    for (const as of [seller, visitor]) {
      expect((await market.call(path, { as, json: { way: 'mail' } })).status).toBeGreaterThan(400);
      expect((await market.call(path, { as })).status).toBeGreaterThan(400);
    }
    await expect(sendTestMessage(market.job('x'), 'mail')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

test('a demo says that its mail and its chat are simulated', async () => {
  const ctx = await market.ctx(admin);
  const { SMTP_URL: _, ...env } = market.env;
  const demo = {
    ...ctx,
    services: { ...ctx.services, env: { ...env, SMTP_URL: undefined }, demoNetwork: {} as never },
  };
  await send('mail');
  expect(await testMessages(demo)).toMatchObject({
    messages: [{ simulated: true }],
    simulated: { mail: true, chat: true },
  });
});
