import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { joinFromChat } from '../../api/chats/join.ts';
import { ownVersion } from '../../api/legal/version.ts';
import type { State } from '../../bot/understanding/state.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { type Person, signInAdmin, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { live } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` } });
const seller = await signUpSeller(market);
const { user } = schema;
beforeEach(() => market.reset());
beforeEach(() => agreed(ownVersion.id).execute());
const agreedTo = async ({ userId }: Pick<Person, 'userId'>) =>
  (await market.db.select().from(user).where(eq(user.id, userId)))[0]?.agreedTo;
const agreed = (to: string | null) =>
  market.db
    .update(user)
    .set({ agreedTo: to, agreedAt: to === null ? null : market.clock.now() })
    .where(eq(user.id, seller.userId));
const stateOf = async (chat: Awaited<ReturnType<typeof chatting>>): Promise<State> =>
  ((await chat.row())?.state ?? {}) as State;
const textOf = (replies: readonly { text: string }[]) => replies.map(({ text }) => text).join('\n');

test('a new version is asked about once, below an answer, and a tap agrees', async () => {
  await agreed('0');
  const chat = await chatting(market, { person: seller });
  const first = await chat.say('balance');
  expect(textOf(first)).toContain('the terms that hold now');
  expect(textOf(first)).toContain('/en/terms');
  expect(textOf(await chat.say('balance'))).not.toContain('the terms that hold now');
  expect(textOf(await chat.say(said(first, 'I Agree')))).toContain('You have agreed');
  expect(await agreedTo(seller)).toBe(ownVersion.id);
  expect(textOf(await chat.say('terms'))).not.toContain('the terms that hold now');
});

test('amid an open question nothing is asked, and agreeing does not answer it', async () => {
  const chat = await chatting(market, { person: seller });
  await agreed('0');
  expect(textOf(await chat.say('sell'))).not.toContain('the terms that hold now');
  const awaits = async () => (await stateOf(chat)).awaits;
  const open = await awaits();
  expect(open?.kind).toBe('draft');
  const asked = await chat.say('terms');
  expect(await awaits()).toEqual(open);
  await chat.say(said(asked, 'I Agree'));
  expect(await agreedTo(seller)).toBe(ownVersion.id);
  expect(await awaits()).toEqual(open);
});

test('a verb that is refused for it says why, with the button', async () => {
  await live(market, seller, await signInAdmin(market));
  await agreed('0');
  const chat = await chatting(market, { person: seller });
  await chat.say('my listings');
  await chat.say('list again 1');
  const refused = await chat.say('yes');
  expect(textOf(refused)).toContain(dictionaries.en.errors.legal.notAgreed);
  await chat.say(said(refused, 'I Agree'));
  expect(await agreedTo(seller)).toBe(ownVersion.id);
});

test('a button of an earlier version asks about the present one', async () => {
  await agreed('0');
  const chat = await chatting(market, { person: seller });
  expect(textOf(await chat.say('terms 0 20250101'))).toContain('the terms that hold now');
  expect(await agreedTo(seller)).toBe('0');
});

test('whoever joins in a chat agrees by joining, to the version that the chat showed', async () => {
  const host = market.job('x');
  const join = async (address: string, number: string, version: string) => {
    const chat = await chatting(market, { address });
    const visitor = { ...host.client, addressHash: chat.keyHash, number };
    const ctx = {
      ...host,
      actor: { kind: 'visitor' as const },
      via: 'telegram' as const,
      client: visitor,
    };
    const joined = await joinFromChat(ctx, chat, {
      name: 'Fanta',
      location: 'Douala',
      agreedTo: version,
    });
    return joined.ctx.actor;
  };
  expect(await join('one', '+237699700701', ownVersion.id)).toMatchObject({
    agreedTo: ownVersion.id,
  });
  expect(await join('two', '+237699700702', '0')).toMatchObject({ agreedTo: null });
});

test('a yes that comes when other terms hold is asked again, with these', async () => {
  const chat = await chatting(market, { language: 'en' });
  await chat.say('join');
  await chat.say('Fanta');
  await chat.say('Douala');
  const asked = await stateOf(chat);
  expect(asked.awaits).toMatchObject({ step: 'terms', shown: ownVersion.id });
  const state = { ...asked, awaits: { ...asked.awaits, shown: '0' } };
  await market.db.update(schema.chats).set({ state });
  expect(textOf(await chat.say('yes'))).toContain('do you agree?');
  expect((await stateOf(chat)).awaits).toMatchObject({ shown: ownVersion.id });
  expect(textOf(await chat.say('yes'))).not.toContain('do you agree?');
});
