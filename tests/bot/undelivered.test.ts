import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { channelReport } from '../../api/chats/channels.ts';
import { chatKey } from '../../api/people/chats.ts';
import { notify } from '../../api/people/notify.ts';
import { alarmLooks } from '../../api/upkeep/alarmLooks.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { schema } from '../../db/client.ts';
import { actors } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { until } from '../support/botApi.ts';
import { cloudDelivery, cloudEnv, cloudMessage, fakeCloudApi } from '../support/cloudApi.ts';

/** Messages that WhatsApp took and reports as failed. */
const whatsapp = fakeCloudApi();
const market = await testApp({
  env: { ...cloudEnv(whatsapp.root), WHATSAPP_CLOUD_TEMPLATE: 'market_news' },
});
const { seller, admin } = await actors(market);
const { chats, chatChannels } = schema;
const person = '237699004001';
const keyHash = chatKey(market.services.secret, 'whatsapp', person);
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
let bot: Bot;
beforeEach(async () => {
  ahead = 0;
  await market.reset();
  market.clock.set(new Date());
  whatsapp.clear();
  bot = openBot({ ...market.host, now });
  await bot.start();
});
afterEach(async () => {
  await bot.stop();
  await market.db.delete(chatChannels);
});

const post = (delivery: { body: string; headers: Record<string, string> }) =>
  market.request('/bot/whatsapp', { method: 'POST', ...delivery });
const failed = (id: string, code: number, details = 'Something went wrong', to = person) => ({
  id: `wamid.${id}`,
  status: 'failed',
  timestamp: String(Math.floor(now().getTime() / 1000)),
  recipient_id: to,
  errors: [{ code, title: 'Failed', error_data: { details } }],
});
const report = (...statuses: object[]) => post(cloudDelivery([], { more: { statuses } }));
const network = async () =>
  (await channelReport(await market.ctx(admin))).find(({ transport }) => transport === 'whatsapp');
const chat = async () =>
  (await market.db.select().from(chats).where(eq(chats.keyHash, keyHash)))[0];
const alarm = () => alarmLooks.deliveryFailed(market.job('alarms'));
/** A linked chat whose 24 hours are over. */
async function lateChat(): Promise<void> {
  await post(cloudDelivery([cloudMessage(person, '/start')]));
  await until(() => whatsapp.sentTo(person).length > 0);
  await market.db
    .update(chats)
    .set({ language: 'en', userId: seller.userId, linkedAt: now() })
    .where(eq(chats.keyHash, keyHash));
  whatsapp.calls.length = 0;
  ahead = 25 * 3_600_000;
  market.clock.set(now());
}
const tell = () =>
  notify(asTx(market.job('x')), { userId: seller.userId }, 'productApproved', {
    product: 'Chair',
    lane: 'standard',
  });

test('each counts once, shows its reason to admins, and says nothing of whom it was for', async () => {
  const once = failed('a', 131_000, `not for ${person}`);
  await report(once, { ...once, status: 'delivered' });
  await report(once);
  await report(failed('b', 131_049, 'kept back'));
  const found = await network();
  expect(found?.undelivered?.count).toBe(2);
  expect(found?.undelivered?.reason).toMatch(/\(\d+\)$/);
  const rows = await market.sql`select * from chat_undelivered`;
  expect(JSON.stringify(rows)).not.toContain(person);
  market.clock.advance({ hours: 25 });
  expect((await network())?.undelivered).toBeNull();
});

test('five in an hour are an alarm; people who cannot be reached are none, and their chats rest', async () => {
  await lateChat();
  for (let n = 0; n < 6; n++) await report(failed(`gone ${n}`, 131_026));
  expect((await chat())?.blockedAt).not.toBeNull();
  expect(await alarm()).toEqual([]);
  for (let n = 0; n < 4; n++) await report(failed(`four ${n}`, 131_000));
  expect(await alarm()).toEqual([]);
  await report(failed('five', 131_000));
  expect((await alarm()).map(({ subject }) => subject)).toEqual(['whatsapp']);
});

test.each(['reported later', 'refused at once'])(
  'a template that WhatsApp refuses rests for a day, and admins learn it (%s)',
  async (how) => {
    await lateChat();
    const templates = () => whatsapp.sentTo(person).filter(({ type }) => type === 'template');
    if (how === 'refused at once') whatsapp.fail({ status: 400, code: 132_015 });
    await tell();
    await until(() => whatsapp.calls.length > 0);
    if (how === 'reported later') {
      expect(templates()).toHaveLength(1);
      await report(failed('template', 132_015, 'Template is paused'));
    }
    await until(async () => Boolean((await network())?.template));
    expect((await alarm()).map(({ subject }) => subject)).toEqual(['whatsapp']);
    const before = templates().length;
    await tell();
    // The bot looks at what waits at each word of anybody.
    await post(cloudDelivery([cloudMessage('237699004002', '/start', { at: now() })]));
    await until(() => whatsapp.sentTo('237699004002').length > 0);
    expect(templates()).toHaveLength(before);
  },
);
