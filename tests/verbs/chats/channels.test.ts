import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { type Noted, noteChannel } from '../../../api/chats/channels.ts';
import { receive } from '../../../api/chats/inbox.ts';
import { numbered } from '../../../api/chats/rules.ts';
import { takeMessages } from '../../../api/outbox/delivery.ts';
import { chatKey, sealAddress } from '../../../api/people/chats.ts';
import { checkHealth } from '../../../api/upkeep/check.ts';
import { forgetOldRows } from '../../../api/upkeep/forget.ts';
import type { Button } from '../../../bot/answers/types.ts';
import { inWords } from '../../../bot/delivery/shown.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp();
const { admin, seller, member } = await actors(market);
const { chatChannels, chats, outbox } = schema;
beforeEach(async () => {
  await market.reset();
  await market.db.delete(chatChannels);
});

const note = (noted: Partial<Noted> = {}) =>
  noteChannel(market.job('bot'), { transport: 'whatsapp', client: 'web', ...noted });
type Report = {
  channels: {
    state: string;
    failure: string | null;
    receivedAt: string | null;
    waiting: number;
    pairing: object | null;
  }[];
};
const report = async (as: typeof admin = admin) =>
  (await market.call<Report>('/api/admin/health', { as })).body.channels;
const write = (values: Partial<typeof outbox.$inferInsert> = {}) => {
  const at = market.clock.now();
  const recipient = chatKey(market.services.secret, 'whatsapp', 'somebody');
  const letter = {
    channel: 'whatsapp',
    recipient,
    language: 'en',
    kind: 'productLive',
    subject: '',
    bodyText: 'x',
    bodyHtml: '',
  } as const;
  return market.db
    .insert(outbox)
    .values({ ...letter, nextAttemptAt: at, createdAt: at, ...values });
};
const mailCheck = async () =>
  (await checkHealth(market.job('check-health'))).checks.find(({ name }) => name === 'mail');

test('what a process says of a network is what an admin reads, in any process, until nothing is heard of it any more', async () => {
  expect(await report()).toEqual([]);
  await note({ state: 'connected', receivedAt: market.clock.now() });
  await note({
    receivedAt: new Date(0),
    failedAt: market.clock.now(),
    failure: 'no answer from +237699001001',
  });
  await write();
  expect(await report()).toMatchObject([
    {
      state: 'connected',
      receivedAt: market.clock.now().toISOString(),
      waiting: 1,
      failure: expect.not.stringContaining('699001001'),
    },
  ]);
  market.clock.advance({ minutes: 3 });
  expect(await report()).toMatchObject([{ state: 'silent' }]);
  await note({ state: 'off' });
  market.clock.advance({ days: 3 });
  expect(await report()).toMatchObject([{ state: 'off' }]);
});

test('what links a phone is shown to admins alone, as long as it is waited for', async () => {
  await note({ state: 'pairing', pairing: 'ABCD2345' });
  expect((await report())[0]?.pairing).toEqual({ code: 'ABCD-2345' });
  for (const person of [undefined, member, seller])
    expect(
      (await market.call('/api/admin/health', person ? { as: person } : {})).status,
    ).toBeGreaterThanOrEqual(401);
  await note({ state: 'pairing', pairing: '2@abc,def,ghi' });
  expect((await report())[0]?.pairing).toEqual({
    size: expect.any(Number),
    path: expect.stringMatching(/^M/),
  });
  market.clock.advance({ minutes: 3 });
  expect((await report())[0]?.pairing).toBeNull();
  await note({ state: 'connected' });
  expect((await report())[0]?.pairing).toBeNull();
  expect(await market.db.select().from(chatChannels)).toMatchObject([{ pairing: null }]);
});

test('messages of a network that is off, or was never on, are not late; where it runs, or died, they are', async () => {
  await write();
  market.clock.advance({ minutes: 11 });
  expect(await mailCheck()).toMatchObject({
    status: 'healthy',
    code: 'admin:health.healthyText.mail',
  });
  await note({ state: 'connected' });
  expect(await mailCheck()).toMatchObject({
    status: 'warning',
    code: 'admin:health.mailLate',
    params: { count: 1 },
  });
  market.clock.advance({ hours: 5 });
  expect(await mailCheck()).toMatchObject({ code: 'admin:health.mailLate' });
  await note({ state: 'off' });
  expect(await mailCheck()).toMatchObject({ status: 'healthy' });
  await note({ state: 'connected' });
  market.clock.advance({ hours: 25 });
  expect(await mailCheck()).toMatchObject({ status: 'healthy' });
});

test('what could not be told in a chat for three days is forgotten; a mail is not', async () => {
  await write();
  await write({ channel: 'email', recipient: 'somebody@market.test' });
  market.clock.advance({ days: 3, minutes: -1 });
  await forgetOldRows(market.job('forget'));
  expect(await market.db.$count(outbox)).toBe(2);
  market.clock.advance({ minutes: 2 });
  await forgetOldRows(market.job('forget'));
  expect(await market.db.select().from(outbox)).toMatchObject([{ channel: 'email' }]);
});

test('whoever writes on WhatsApp lets what waited for it go at once; a message of long ago does not, nor ends a block', async () => {
  const sealed = sealAddress(market.services.secret, 'whatsapp', 'somebody');
  const now = market.clock.now();
  await market.db
    .insert(chats)
    .values({ ...sealed, createdAt: now, wroteAt: new Date(0), blockedAt: now });
  await write({ nextAttemptAt: new Date(now.getTime() + 86_400_000) });
  const hear = (updateId: string, at: Date) =>
    receive(market.job('bot'), {
      transport: 'whatsapp',
      address: 'somebody',
      updateId,
      at,
      message: { text: 'x' },
    });
  await hear('1', new Date(now.getTime() - 2 * 86_400_000));
  expect(await takeMessages(market.job('x'), 'whatsapp', 5)).toEqual([]);
  expect(await market.db.select().from(chats)).toMatchObject([
    { blockedAt: now, wroteAt: new Date(now.getTime() - 2 * 86_400_000) },
  ]);
  await hear('2', now);
  expect(await takeMessages(market.job('x'), 'whatsapp', 5)).toHaveLength(1);
  expect(await market.db.select().from(chats)).toMatchObject([{ blockedAt: null, wroteAt: now }]);
});

test('buttons are numbers where a network has none: each keeps its own, and numbers that stand are not given again', () => {
  const say = (label: string, what = label) => ({ label, say: what });
  const first = numbered(
    [say('#11', 'show 11'), say('2', 'listing ab'), say('More', 'more'), say('24 h', '24')],
    {},
  );
  expect(first.lines).toEqual(['1. More', '24. 24 h']);
  expect(first.choices).toEqual({ 11: 'show 11', 2: 'listing ab', 1: 'more', 24: '24' });
  expect(numbered([say('Yes', 'yes'), say('No', 'no')], first.choices)).toEqual({
    lines: ['3. Yes', '4. No'],
    choices: { ...first.choices, 3: 'yes', 4: 'no' },
  });
});

test('a number says what its button says, in the next message alone', async () => {
  const chat = await chatting(market, { language: 'en' });
  const buttons: Button[][] = [
    [
      { label: 'Help', say: 'help' },
      { label: 'Market', say: 'market' },
    ],
    [{ label: 'Open the Site', url: 'http://market.test/' }],
  ];
  const text = await inWords(
    market.job('bot'),
    chat.keyHash,
    'en',
    { text: 'What now?', buttons },
    4096,
  );
  expect(text).toBe(
    'What now?\n\nOpen the Site:\nhttp://market.test/\n\nWrite a number:\n1. Help\n2. Market',
  );
  expect((await chat.say(' 1 '))[0]?.text).toMatch(/^You can write/);
  expect((await chat.say('1'))[0]?.text).toMatch(/stall/i);
  // Text is cut, the numbers of the buttons never.
  const cut = await inWords(
    market.job('bot'),
    chat.keyHash,
    'en',
    { text: 'x'.repeat(500), buttons },
    200,
  );
  expect(Array.from(cut).length).toBeLessThanOrEqual(200);
  expect(cut).toMatch(/1\. Help\n2\. Market$/);
  await market.db.delete(chats).where(eq(chats.keyHash, chat.keyHash));
});
