import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { actors, signUpMember } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { contactingIn } from '../support/contacting.ts';
import { answerTo } from '../support/question.ts';
import { chatting } from '../support/talk.ts';

/** New chats share a pace, a question and the alarm with the newcomers of the web (decision 028). */
const market = await testApp();
const { admin } = await actors(market);
const { fillMarket, set, wait } = contactingIn(market, admin);

beforeEach(async () => {
  await market.reset();
  await fillMarket(49);
});

type Chat = Awaited<ReturnType<typeof chatting>>;
const fresh = (address: string, transport: 'telegram' | 'whatsapp' = 'telegram') =>
  chatting(market, { address, transport, language: 'en' });
const textOf = (replies: { text: string }[]) => replies.map(({ text }) => text).join('\n\n');
const given = (replies: unknown) => JSON.stringify(replies).includes('https://wa.me/237699');
/** Asks for a contact and agrees. */
const wants = async (chat: Chat, slot: number) => {
  await chat.say(`contact ${slot}`);
  return chat.say('yes');
};
const questionIn = (replies: { text: string }[]) => textOf(replies).split('\n\n').at(-1) ?? '';
/** Ten contacts of new chats, all that pass without a question in an hour. */
const busyHour = async () => {
  for (let n = 1; n <= 10; n++) expect(given(await wants(await fresh(`early ${n}`), n))).toBe(true);
};

describe('in a busy hour a new chat', () => {
  test.each(['telegram', 'whatsapp'] as const)(
    'on %s gets one question, then the contact',
    async (transport) => {
      await busyHour();
      const chat = await fresh('honest', transport);
      const asked = await wants(chat, 20);
      expect(textOf(asked)).toContain(dictionaries.en.errors.contact.challenge);
      expect(given(asked)).toBe(false);
      wait(5);
      expect(given(await chat.say(answerTo(questionIn(asked))))).toBe(true);
    },
  );

  test('is asked again after a wrong answer, later each time', async () => {
    await busyHour();
    const chat = await fresh('honest');
    await wants(chat, 20);
    wait(5);
    const again = await chat.say('1');
    expect(textOf(again)).toContain(dictionaries.en.errors.contact.wrongAnswer);
    wait(5);
    const early = await chat.say(answerTo(questionIn(again)));
    expect(textOf(early)).toMatch(/^That was a little fast. Write your answer again in 5 s\./);
    wait(5);
    expect(given(await chat.say(answerTo(questionIn(early))))).toBe(true);
  });

  test('may leave the question, and meets it again', async () => {
    await busyHour();
    const chat = await fresh('honest');
    const asked = await wants(chat, 20);
    expect(textOf(await chat.say('help'))).not.toContain('little fast');
    expect(questionIn(await wants(chat, 21))).toBe(questionIn(asked));
    expect(textOf(await chat.say('no'))).toBe(dictionaries.en.bot.cancelled);
    expect((await chat.row())?.state).not.toHaveProperty('awaits');
  });

  test('is not asked a day after its first contact', async () => {
    const chat = await fresh('old');
    expect(given(await wants(chat, 30))).toBe(true);
    await market.sql`update chats set contacted_at = contacted_at - interval '24 hours'`;
    await market.sql`update contact_requests set requested_at = requested_at - interval '24 hours'`;
    await busyHour();
    expect(given(await wants(chat, 31))).toBe(true);
  });

  test('of an account that joined a moment ago is new, and of an older one is not', async () => {
    const [old, late] = [await signUpMember(market), await signUpMember(market)];
    const made = market.clock.now();
    await market.db.update(schema.user).set({ createdAt: new Date(made.getTime() - 86_400_000) });
    await market.sql`update "user" set created_at = ${made} where id = ${late.userId}`;
    await busyHour();
    const chatOf = (person: typeof old, address: string) =>
      chatting(market, { person, address, language: 'en' });
    expect(given(await wants(await chatOf(old, 'old'), 20))).toBe(true);
    expect(given(await wants(await chatOf(late, 'late'), 21))).toBe(false);
  });

  test('meets turns for further numbers once an admin lowers their number', async () => {
    await set('contactNewcomersPerHour', 20);
    await set('contactTurnSeconds', 300);
    for (let n = 1; n <= 8; n++) {
      const chat = await fresh(`early ${n}`);
      const asked = await wants(chat, n);
      wait(5);
      if (!given(asked)) expect(given(await chat.say(answerTo(questionIn(asked))))).toBe(true);
    }
    const chat = await fresh('late');
    const asked = await wants(chat, 40);
    wait(5);
    expect(given(await chat.say(answerTo(questionIn(asked))))).toBe(false);
    wait(295);
    expect(given(await chat.say(answerTo(questionIn(asked))))).toBe(true);
  });
});

test('five new chats that answer no question get ten numbers of 49', async () => {
  const chats = await Promise.all([1, 2, 3, 4, 5].map((n) => fresh(`collector ${n}`)));
  let numbers = 0;
  for (let slot = 1; slot <= 49; slot++)
    numbers += Number(given(await wants(chats[slot % 5] as Chat, slot)));
  expect(numbers).toBe(10);
});

test('five new chats that answer the questions raise the alarm', async () => {
  const chats = await Promise.all([1, 2, 3, 4, 5].map((n) => fresh(`collector ${n}`)));
  for (let slot = 1; slot <= 20; slot++) {
    const chat = chats[slot % 5] as Chat;
    const asked = await wants(chat, slot);
    wait(5);
    if (!given(asked)) expect(given(await chat.say(answerTo(questionIn(asked))))).toBe(true);
  }
  const log = await market.db.select().from(schema.auditLog);
  expect(log.filter(({ action }) => action === 'contact.harvest')).toMatchObject([
    { subjectKind: 'address', subjectId: 'chats' },
  ]);
  expect(await market.db.select().from(schema.alarms)).toMatchObject([{ kind: 'harvest' }]);
});
