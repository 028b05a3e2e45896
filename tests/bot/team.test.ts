import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import {
  actors,
  type Person,
  signInModerator,
  signUpMember,
  withFactor,
} from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { submitted } from '../support/products.ts';
import { chatting, said } from '../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}` } });
const { seller, admin } = await actors(market);
const { chats, user } = schema;
beforeEach(() => market.reset());
afterEach(() => market.db.delete(chats));
const textOf = (replies: readonly { text: string }[]) => replies.map(({ text }) => text).join('\n');
const roleOf = async ({ userId }: Person) =>
  (await market.db.select({ role: user.role }).from(user).where(eq(user.id, userId)))[0]?.role;

async function chatWith(person: Person, language: 'en' | 'fr' = 'en') {
  await withFactor(market, person);
  return chatting(market, { person, language, address: person.userId });
}

describe.each([
  ['en', 'moderator', 'end moderator', 'yes', 'is a moderator now', 'no longer a moderator'],
  ['fr', 'modérateur', 'fin modérateur', 'oui', 'a maintenant', 'n’a plus'],
] as const)('an admin, in %s', (language, word, end, yes, given, taken) => {
  test('lists the team, and gives and ends the role after a yes', async () => {
    const chat = await chatWith(admin, language);
    const person = await signUpMember(market);
    expect(textOf(await chat.say(word))).toContain('Admin');
    expect(textOf(await chat.say(`${word} ama@`))).not.toContain('?');
    expect(textOf(await chat.say(`${word} ${person.email}`))).toContain(person.email);
    expect(await roleOf(person)).toBe('member');
    expect(textOf(await chat.say(yes))).toContain(given);
    expect(await roleOf(person)).toBe('moderator');
    await chat.say(`${end} ${person.email}`);
    expect(textOf(await chat.say(yes))).toContain(taken);
    expect(await roleOf(person)).toBe('member');
  });

  test('reads why a role is not given, and a no changes nothing', async () => {
    const chat = await chatWith(admin, language);
    await chat.say(`${word} ${seller.email}`);
    expect(textOf(await chat.say(yes))).toMatch(/sells|vend/);
    const person = await signUpMember(market);
    await chat.say(`${word} ${person.email}`);
    await chat.say(language === 'en' ? 'no' : 'non');
    expect(await roleOf(person)).toBe('member');
  });
});

test('for everybody else the words are a search, and a forged yes gives nothing', async () => {
  const moderator = await signInModerator(market);
  const person = await signUpMember(market);
  for (const one of [moderator, seller]) {
    const chat = await chatWith(one);
    expect(textOf(await chat.say(`moderator ${person.email}`))).not.toContain('Make');
    await market.db
      .update(chats)
      .set({ state: { awaits: { kind: 'team', act: 'give', email: person.email } } })
      .where(eq(chats.keyHash, chat.keyHash));
    await chat.say('yes');
    expect(await roleOf(person)).toBe('member');
  }
});

test('a moderator reviews in a chat, without the number, and has no health', async () => {
  const moderator = await signInModerator(market);
  const chat = await chatWith(moderator);
  const help = textOf(await chat.say('help'));
  expect(help).toContain('approve, reject');
  expect(help).not.toContain('health');
  await submitted(market, seller);
  const shown = await chat.say('pending');
  const digits = (replies: typeof shown) => textOf(replies).replaceAll(/\D/g, '');
  expect(digits(shown)).not.toContain(seller.whatsapp.slice(-6));
  const other = await chatWith(admin);
  expect(digits(await other.say('pending'))).toContain(seller.whatsapp.slice(-6));
  expect(textOf(await chat.say(said(shown, 'Approve')))).toContain('Approved');
  expect(textOf(await chat.say('health'))).not.toMatch(/Database|Last checked/);
});
