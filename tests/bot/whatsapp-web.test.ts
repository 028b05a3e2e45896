import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { channelReport } from '../../api/chats/channels.ts';
import { chatKey } from '../../api/people/chats.ts';
import { type Bot, openBot } from '../../bot/open.ts';
import { chromiumHere } from '../../bot/transports/whatsapp/web/chromium.ts';
import type { WebTimes } from '../../bot/transports/whatsapp/web/transport.ts';
import { addressOf, chatIdOf, readMessage } from '../../bot/transports/whatsapp/web/update.ts';
import type { WebMessage } from '../../bot/transports/whatsapp/web/wire.ts';
import { schema } from '../../db/client.ts';
import { testApp } from '../support/app.ts';
import { until } from '../support/botApi.ts';
import { findBrowser } from '../support/chromium.ts';
import { whatsappPage } from '../support/whatsappPage.ts';

const CHROMIUM = await findBrowser();
const folder = mkdtempSync(join(tmpdir(), 'marche54-whatsapp-'));
const env = { WHATSAPP_WEB: '1', DATA_DIR: folder, CHROMIUM };
const byPicture = await testApp({ env });
const byCode = await testApp({
  database: byPicture.database,
  env: { ...env, WHATSAPP_NUMBER: '+237699001001' },
});
const without = await testApp({
  database: byPicture.database,
  env: { ...env, CHROMIUM: '/nowhere/chromium' },
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: Bot[] = [];
const shown: string[] = [];
async function open(
  which: typeof byPicture,
  page: Parameters<typeof whatsappPage>[1] = {},
  times: Partial<WebTimes> = {},
): Promise<Bot> {
  const bot = openBot({ ...which.host, now: () => new Date() }, undefined, {
    page: whatsappPage(join(folder, 'pages'), page),
    times: { lockMs: 30, failureMs: 20, longestMs: 60, ...times },
    show: (text) => void shown.push(text),
  });
  running.push(bot);
  await bot.start();
  return bot;
}
beforeEach(async () => {
  await byPicture.reset();
  byPicture.clock.set(new Date());
  await byPicture.db.delete(schema.chatChannels);
  shown.length = 0;
});
afterEach(async () => {
  for (const bot of running.splice(0)) await bot.stop();
});
const report = async () =>
  (await channelReport({ ...byPicture.job('x'), now: () => new Date() }))[0];

describe('the real client in a real browser, as far as it goes without a phone', () => {
  test('shows a picture to be scanned, which the admin’s page has too; one process alone has the session', async () => {
    const tries = vi.spyOn(byPicture.host.sql, 'reserve');
    await open(byPicture);
    await until(async () => (await report())?.state === 'pairing');
    await open(byPicture);
    // The second has been refused once when it tries again.
    await until(() => tries.mock.calls.length > 2);
    tries.mockRestore();
    expect(await report()).toMatchObject({
      client: 'web',
      pairing: { size: expect.any(Number), path: expect.stringMatching(/^M\d+ \d+h1v1h-1z/) },
    });
    expect(shown).toHaveLength(1);
    await running.shift()?.stop();
    await until(() => shown.length === 2);
    for (const bot of running.splice(0)) await bot.stop();
    expect(await report()).toMatchObject({ state: 'off', pairing: null });
  });

  test('gives a code to be typed on the phone whose number is configured', async () => {
    await open(byCode);
    await until(async () => (await report())?.state === 'pairing');
    expect((await report())?.pairing).toEqual({ code: 'W900-1001' });
    expect(shown).toEqual([expect.stringContaining('W900-1001')]);
  });

  test('is begun again where it was authenticated and never ready, and says so', async () => {
    await open(byPicture, { linked: true }, { readyMs: 300 });
    await until(
      async () =>
        byPicture.logged.filter(({ reason }) =>
          String(reason).startsWith('authenticated, but not ready'),
        ).length >= 2,
    );
    expect(await report()).toMatchObject({ failure: expect.stringContaining('not ready') });
  });
});

test('a browser that is not there is named to whoever switched this on, and nobody else is disturbed', async () => {
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    await open(without);
    await until(() =>
      without.logged.some(({ reason }) => String(reason).includes('CHROMIUM=/path/to/chromium')),
    );
  } finally {
    process.env.PATH = path;
  }
  await until(async () => (await report())?.failure?.includes('needs Chromium') === true);
  expect(chromiumHere({ PATH: '/nowhere' })).toBeUndefined();
});

describe('a message of WhatsApp Web', () => {
  const secret = byPicture.services.secret;
  const message = (more: Partial<WebMessage> = {}): WebMessage => ({
    id: 'false_237699001001@c.us_3EB0',
    from: '237699001001@c.us',
    fromMe: false,
    type: 'chat',
    body: 'market',
    timestamp: 1_790_000_000,
    ...more,
  });

  test('has its sender’s number; whoever hides it is served, and proves nothing', () => {
    const read = readMessage(secret, message());
    expect(read).toMatchObject({
      transport: 'whatsapp',
      address: '237699001001',
      at: new Date(1_790_000_000_000),
      message: { text: 'market', number: '+237699001001' },
    });
    expect(read?.updateId).not.toContain('237699');
    const hidden = readMessage(secret, message({ from: '98765@lid' }));
    expect(hidden).toMatchObject({ address: '98765@lid', message: { text: 'market' } });
    expect(hidden?.message).not.toHaveProperty('number');
    expect([chatIdOf('237699001001'), chatIdOf('98765@lid'), chatIdOf('CM.123')]).toEqual([
      '237699001001@c.us',
      '98765@lid',
      undefined,
    ]);
    // The same key as through the Cloud API: a chat stays linked when the market changes transport.
    expect(chatKey(secret, 'whatsapp', read?.address ?? '')).toBe(
      chatKey(secret, 'whatsapp', '237699001001'),
    );
  });

  test('of an id from before November 2014 has today’s number, proven only by WhatsApp', () => {
    const old = (from: string, more: Partial<WebMessage> = {}) =>
      readMessage(secret, message({ from: `${from}@c.us`, ...more }));
    expect(old('23776671338')).toMatchObject({
      address: '23776671338',
      message: { text: 'market', oldNumber: '+237676671338' },
    });
    expect(old('23776671338')?.message).not.toHaveProperty('number');
    expect(old('23799671338', { confirmed: true })?.message).toEqual(
      expect.objectContaining({ number: '+237699671338' }),
    );
    // A fixed line, and numbers of other countries.
    for (const whole of ['23722221338', '33776671338', '237676671338'])
      expect(old(whole, { confirmed: true })?.message).toMatchObject({ number: `+${whole}` });
    expect(
      old('23776671338', { type: 'vcard', contacts: ['237676671338'] })?.message,
    ).toMatchObject({ anothersContact: true });
  });

  test('of a changed number names the chat that was left', () => {
    expect(addressOf('237699001001@c.us')).toBe('237699001001');
    expect(addressOf('1203630@g.us')).toBeUndefined();
  });

  test.each([
    ['of a group', { from: '1203630@g.us' }],
    ['of a status', { from: 'status@broadcast' }],
    ['of a channel', { from: '1203@newsletter' }],
    ['written on the linked phone itself', { fromMe: true }],
    ['that WhatsApp wrote', { type: 'e2e_notification' }],
    ['that was taken back', { type: 'revoked' }],
    ['of nobody', { from: '@c.us' }],
  ] as [string, Partial<WebMessage>][])('%s is nobody’s word', (_, more) => {
    expect(readMessage(secret, message(more))).toBeUndefined();
  });

  test('may bring a photo, or a contact, which proves nothing where it is another’s', () => {
    expect(
      readMessage(secret, message({ type: 'image', body: 'My chair', photo: { data: 'AAAA' } }))
        ?.message,
    ).toMatchObject({
      text: 'My chair',
      photos: [{ ref: 'data:AAAA' }],
    });
    expect(
      readMessage(
        secret,
        message({ type: 'vcard', body: 'BEGIN:VCARD', contacts: ['237699001001'] }),
      )?.message,
    ).toEqual({
      text: '',
      number: '+237699001001',
    });
    expect(
      readMessage(secret, message({ type: 'vcard', body: 'BEGIN:VCARD', contacts: ['237655'] }))
        ?.message,
    ).toMatchObject({ anothersContact: true });
  });
});
