import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openChat } from '../../api/chats/chat.ts';
import { newLinkCode } from '../../api/chats/linking/newLinkCode.ts';
import { limits } from '../../api/chats/rules.ts';
import { signInFromChat } from '../../api/chats/signInFromChat.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { verifySeller } from '../../api/sellers/verify.ts';
import type { Reply } from '../../bot/answers/types.ts';
import { schema } from '../../db/client.ts';
import { actors, type Person, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { asTx } from '../support/asTx.ts';
import { token } from '../support/botApi.ts';
import { live } from '../support/products.ts';
import { refused } from '../support/refusals.ts';
import { chatting, said } from '../support/talk.ts';

/** A link leads into a chat, and from there to a phone's number: every step needs consent. */
const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const who = await actors(market);
const { chats, outbox, sellers } = schema;
beforeEach(() => market.reset());

let count = 0;
const freshNumber = () => `+2376971${String(20_000 + ++count)}`;
type Chat = Awaited<ReturnType<typeof chatting>>;
const text = (replies: Reply[]) => replies.map((reply) => reply.text).join('\n');
const codeOf = async (person: Person) => (await newLinkCode(await market.ctx(person))).code;
const opens = (chat: Chat, code: string) => chat.say(`/start l-${code.replace('-', '')}`);
const actsFor = async (chat: Chat) => (await chat.row())?.userId ?? null;
const sellerBy = async (number: string) =>
  (await market.db.select().from(sellers).where(eq(sellers.verifiedWhatsapp, number)))[0];
const rowOf = async (person: Person) =>
  (
    await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.id, person.sellerId ?? ''))
  )[0];
/** A chat whose transport can deliver the sender's number. */
const phone = (
  address = `phone ${++count}`,
  language: 'en' | 'fr' = 'en',
  transport: 'telegram' | 'whatsapp' = 'telegram',
) => chatting(market, { address, language, transport });

async function joins(chat: Chat, number: string): Promise<Reply[]> {
  for (const line of ['join', 'Ewondo Marie', 'Bafoussam, West', 'yes']) await chat.say(line);
  return chat.say('', { number });
}

describe('a link from a stranger', () => {
  test('never leaves the owner of a number unable to join, however far its victim goes along', async () => {
    const number = freshNumber();
    const stranger = await signUpSeller(market, {
      name: 'Marché Assistance',
      whatsapp: number,
      email: 'support@market54.example',
    });
    const victim = await phone('the victim');
    // One tap links nothing: the question shows only the account's masked address.
    const question = await opens(victim, await codeOf(stranger));
    expect(text(question)).toMatch(/s•••@m•••\.example/);
    expect(text(question)).not.toContain(stranger.name);
    expect(await actsFor(victim)).toBeNull();
    // The deceived victim confirms every step.
    await victim.say(said(question, 'Yes, I Asked for It'));
    expect(await actsFor(victim)).toBe(stranger.userId);
    expect(text(await victim.say('', { number }))).toMatch(
      /proves nothing[\s\S]*s•••@m•••\.example/,
    );
    expect(await sellerBy(number)).toBeUndefined();
    await victim.say('verify');
    await victim.say('', { number });
    expect(await sellerBy(number)).toMatchObject({ userId: stranger.userId });
    const { slotId } = await live(market, stranger, who.admin);
    expect(text(await victim.say('join'))).toMatch(/s•••@m•••\.example[\s\S]*unlink/);
    await victim.say('unlink');
    const take = await joins(victim, number);
    expect(text(take)).toMatch(/proven for another account[\s\S]*loses/);
    // A double tap on the number button is no confirmation.
    expect(text(await victim.say('', { number }))).toMatch(/proven for another account/);
    expect(await sellerBy(number)).toMatchObject({ userId: stranger.userId });
    expect(text(await victim.say('yes'))).toMatch(/share your number once more/);
    market.mails.clear();
    expect(text(await victim.say('', { number }))).toMatch(/^Welcome, Ewondo Marie/);
    const own = await sellerBy(number);
    expect(own).toMatchObject({ name: 'Ewondo Marie', verifiedBy: 'chat', whatsapp: number });
    expect(await actsFor(victim)).toBe(own?.userId);
    // The stranger keeps the listing without the badge, and is notified.
    expect(await rowOf(stranger)).toMatchObject({
      verified: false,
      verifiedWhatsapp: null,
      whatsapp: null,
    });
    expect(
      (await market.call<{ seller_verified: null }>(`/api/slots/${slotId}`)).body.seller_verified,
    ).toBeNull();
    expect((await market.mails.lastTo(stranger.email)).subject).toBe(
      'Your number is proven for another account now',
    );
  });

  test('does not either where the stranger’s account has no mailbox, and the victim’s chat became its only one', async () => {
    const number = freshNumber();
    const strangers = await phone('a stranger');
    await joins(strangers, freshNumber());
    const userId = (await actsFor(strangers)) ?? '';
    const as = market.visitor();
    const [row] = await market.db.select().from(schema.user).where(eq(schema.user.id, userId));
    expect(row?.emailVerified).toBe(false);
    const opened = await openChat(asTx(market.job('x')), strangers.keyHash);
    const { link } = await signInFromChat(opened?.ctx ?? market.job('x'));
    await market.call('/api/auth/sign-in-link/use', {
      json: { token: new URL(link).searchParams.get('token') },
      as,
    });
    const { code } = (
      await market.call<{ code: string }>('/api/chats/code', { method: 'POST', as })
    ).body;
    const victim = await phone('the victim');
    const question = await opens(victim, code);
    expect(text(question)).toContain('whose proven number ends in');
    await victim.say('yes');
    await market.db
      .update(chats)
      .set({ userId: null, linkedAt: null })
      .where(eq(chats.keyHash, strangers.keyHash));
    expect(text(await victim.say('unlink'))).toMatch(/^This chat is the only way into/);
    expect(await actsFor(victim)).toBe(userId);
    await victim.say('yes');
    expect(await actsFor(victim)).toBeNull();
    expect(text(await joins(victim, number))).toMatch(/^Welcome/);
  });
});

describe('the question before a chat is linked', () => {
  test.each(['en', 'fr'] as const)(
    'names the masked address, in %s, whatever opens it',
    async (language) => {
      for (const transport of ['telegram', 'whatsapp'] as const) {
        const chat = await phone(undefined, language, transport);
        const code = await codeOf(who.seller);
        for (const line of [
          `/start l-${code.replace('-', '')}`,
          language === 'en' ? `link ${code}` : `lier ${code}`,
        ]) {
          const question = text(await chat.say(line));
          expect(question).toMatch(/\w•••@\w•••\.\w+/);
          expect(question).toMatch(
            language === 'en'
              ? /only if you asked for this yourself/i
              : /seulement si vous l’avez demandé vous-même/i,
          );
          expect(question).not.toContain(who.seller.name);
          expect(question).not.toContain(who.seller.email);
        }
        expect(await actsFor(chat)).toBeNull();
      }
    },
  );

  test('is answered once: yes and no both use the code up', async () => {
    for (const [answer, linked] of [
      ['no', null],
      ['yes', who.seller.userId],
    ] as const) {
      const code = await codeOf(who.seller);
      const chat = await phone();
      await opens(chat, code);
      await chat.say(answer);
      expect(await actsFor(chat)).toBe(linked);
      const other = await phone();
      expect(text(await opens(other, code))).toMatch(/^This code cannot be used/);
      expect(text(await other.say('yes'))).toMatch(/^There is nothing to answer/);
    }
  });

  test('lapses when something else is written, and the code is good for another question', async () => {
    const code = await codeOf(who.seller);
    const chat = await phone();
    await opens(chat, code);
    await chat.say('market');
    await chat.say('yes');
    expect(await actsFor(chat)).toBeNull();
    await opens(chat, code);
    await chat.say('yes');
    expect(await actsFor(chat)).toBe(who.seller.userId);
  });

  test('is not answered after a quarter of an hour, by another chat, or by an old yes', async () => {
    const code = await codeOf(who.seller);
    const [chat, other] = [await phone(), await phone()];
    await opens(chat, code);
    await other.say('yes');
    await chat.say('yes', { at: new Date(market.clock.now().getTime() - 60_000).toISOString() });
    expect([await actsFor(chat), await actsFor(other)]).toEqual([null, null]);
    market.clock.advance({ milliseconds: limits.codeLivesMs });
    await opens(chat, code);
    expect(text(await chat.say('yes'))).not.toContain('acts for');
    expect(await actsFor(chat)).toBeNull();
    const young = await codeOf(who.seller);
    await opens(chat, young);
    market.clock.advance({ milliseconds: limits.codeLivesMs });
    expect(text(await chat.say('yes'))).toMatch(/^This code cannot be used/);
  });

  test('of two chats that ask with one code is one’s', async () => {
    const code = await codeOf(who.seller);
    const [one, other] = [await phone(), await phone()];
    await opens(one, code);
    await opens(other, code);
    await Promise.all([one.say('yes'), other.say('yes')]);
    expect(
      [await actsFor(one), await actsFor(other)].filter((userId) => userId === who.seller.userId),
    ).toHaveLength(1);
  });

  test('is not put in a chat that acts for somebody: it says for whom', async () => {
    const chat = await phone();
    await opens(chat, await codeOf(who.seller));
    await chat.say('yes');
    const reply = text(await opens(chat, await codeOf(who.otherSeller)));
    expect(reply).toMatch(/already acts for the account \w•••@\w•••/);
    expect(reply).not.toContain(who.seller.name);
    await chat.say('yes');
    expect(await actsFor(chat)).toBe(who.seller.userId);
  });

  test('keeps no code in the chat’s state, and neither number nor address', async () => {
    const code = await codeOf(who.seller);
    const chat = await phone();
    await opens(chat, code);
    const state = JSON.stringify((await chat.row())?.state);
    expect(state).not.toContain(code.replace('-', ''));
    expect(state).not.toContain('@');
  });
});

describe('a number', () => {
  const linkedTo = async (person: Person, transport: 'telegram' | 'whatsapp' = 'telegram') =>
    chatting(market, { person, address: `chat ${++count}`, language: 'en', transport });

  test('is proven by a contact that was asked for, by a question that names the account', async () => {
    const seller = await signUpSeller(market, { whatsapp: freshNumber() });
    const chat = await linkedTo(seller);
    expect(text(await chat.say('', { number: seller.whatsapp }))).toMatch(/proves nothing/);
    expect(await rowOf(seller)).toMatchObject({ verified: false });
    expect(text(await chat.say('verify'))).toMatch(/\w•••@e•••\.test/);
    await chat.say('market');
    for (let n = 0; n < 2; n++) await chat.say('', { number: seller.whatsapp });
    expect(await rowOf(seller)).toMatchObject({ verified: false });
    await chat.say('verify');
    expect(text(await chat.say('', { number: seller.whatsapp }))).toMatch(
      /^Your number is confirmed/,
    );
    expect(await rowOf(seller)).toMatchObject({ verified: true, verifiedBy: 'chat' });
  });

  test('that WhatsApp delivers with every message is proven by a yes alone', async () => {
    const seller = await signUpSeller(market, { whatsapp: freshNumber() });
    const chat = await linkedTo(seller, 'whatsapp');
    const sent = { number: seller.whatsapp };
    await chat.say('hello', sent);
    expect(text(await chat.say('verify', sent))).toMatch(/\w•••@e•••\.test[\s\S]*yes or no/);
    expect(await rowOf(seller)).toMatchObject({ verified: false });
    await chat.say('no', sent);
    await chat.say('yes', sent);
    expect(await rowOf(seller)).toMatchObject({ verified: false });
    await chat.say('verify', sent);
    expect(text(await chat.say('yes', sent))).toMatch(/^Your number is confirmed/);
  });

  test('is taken back by its phone after one question, once in thirty days; then an admin moves it', async () => {
    const number = freshNumber();
    const [first, second] = [
      await signUpSeller(market, { whatsapp: number }),
      await signUpSeller(market, { whatsapp: number }),
    ];
    const [a, b] = [await linkedTo(first), await linkedTo(second)];
    await a.say('verify');
    await a.say('', { number });
    await b.say('verify');
    const question = await b.say('', { number });
    expect(text(question)).toMatch(/proven for another account/);
    expect(text(question)).not.toContain(first.name);
    expect(text(question)).not.toMatch(/a•••|first/i);
    // None of these takes the number: a contact without a yes, a yes without the contact, another
    // number, a lapsed question.
    await b.say('', { number });
    await b.say('yes');
    await b.say('', { number: freshNumber() });
    await b.say('', { number });
    expect(await rowOf(first)).toMatchObject({ verified: true });
    await b.say('verify');
    await b.say('', { number });
    await b.say('yes');
    await market.db.delete(outbox);
    expect(text(await b.say('', { number }))).toMatch(/^Your number is confirmed/);
    expect(await rowOf(second)).toMatchObject({ verifiedWhatsapp: number, whatsapp: number });
    expect(await rowOf(first)).toMatchObject({ verified: false, whatsapp: null });
    const told = await market.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.kind, 'numberTaken'), eq(outbox.userId, first.userId)));
    expect(told.map(({ channel }) => channel).sort()).toEqual(['email', 'telegram']);
    // For thirty days only the team can give it back.
    await market.db
      .update(sellers)
      .set({ whatsapp: number })
      .where(eq(sellers.id, first.sellerId ?? ''));
    await a.say('verify');
    expect(text(await a.say('', { number }))).toMatch(/our team/);
    for (const line of ['yes', 'verify']) await a.say(line);
    await a.say('', { number });
    expect(await rowOf(second)).toMatchObject({ verified: true });
    market.clock.advance({ days: 31 });
    await a.say('verify');
    await a.say('', { number });
    await a.say('yes');
    await a.say('', { number });
    expect(await rowOf(first)).toMatchObject({ verified: true });
    await market.db
      .update(sellers)
      .set({ whatsapp: number })
      .where(eq(sellers.id, second.sellerId ?? ''));
    await verifySeller(await market.ctx(who.admin), second.sellerId ?? '', { number, move: true });
    expect(await rowOf(second)).toMatchObject({ verified: true, verifiedBy: 'admin' });
  });

  test('is taken back on WhatsApp by a yes alone, by a person who joins, and by a member by name', async () => {
    const numbers = [freshNumber(), freshNumber()];
    const holders = await Promise.all(
      numbers.map((whatsapp) => signUpSeller(market, { whatsapp })),
    );
    const admin = await market.ctx(who.admin);
    for (const [n, holder] of holders.entries())
      await verifySeller(admin, holder.sellerId ?? '', { number: numbers[n] ?? '' });
    const member = await signUpMember(market);
    for (const [n, chat] of [
      await phone(undefined, 'en', 'whatsapp'),
      await linkedTo(member, 'whatsapp'),
    ].entries()) {
      const sent = { number: numbers[n] ?? '' };
      const replies: string[] = [];
      for (const line of ['join', ...(n === 0 ? ['Ewondo Marie'] : []), 'Bafoussam, West', 'yes'])
        replies.push(text(await chat.say(line, sent)));
      const masked = /account \w•••@e•••\.test/;
      expect(replies.at(-1)).toMatch(/proven for another account[\s\S]*yes or no/);
      for (const reply of replies.slice(-2))
        n === 0 ? expect(reply).not.toMatch(masked) : expect(reply).toMatch(masked);
      expect(await rowOf(holders[n] as Person)).toMatchObject({ verified: true });
      expect(text(await chat.say('yes', sent))).toMatch(/^Welcome/);
      expect(await rowOf(holders[n] as Person)).toMatchObject({ verified: false, whatsapp: null });
      expect((await sellerBy(sent.number))?.userId).toBe(await actsFor(chat));
    }
  });

  test('of a suspended seller is not taken: that would be the way round the suspension', async () => {
    const number = freshNumber();
    const [first, second] = [
      await signUpSeller(market, { whatsapp: number }),
      await signUpSeller(market, { whatsapp: number }),
    ];
    const [a, b] = [await linkedTo(first), await linkedTo(second)];
    await a.say('verify');
    await a.say('', { number });
    await suspendSeller(await market.ctx(who.admin), first.sellerId ?? '', 'Fraud');
    await b.say('verify');
    expect(text(await b.say('', { number }))).toMatch(/our team/);
    await b.say('', { number });
    expect(await rowOf(first)).toMatchObject({ verified: true });
  });

  test('taken back by two accounts at once is one’s', async () => {
    const number = freshNumber();
    const [holder, one, other] = [
      await signUpSeller(market, { whatsapp: number }),
      await signUpSeller(market, { whatsapp: number }),
      await signUpSeller(market, { whatsapp: number }),
    ];
    await verifySeller(await market.ctx(who.admin), holder.sellerId ?? '', { number });
    const phones = [await linkedTo(one), await linkedTo(other)];
    for (const chat of phones) {
      await chat.say('verify');
      await chat.say('', { number });
      await chat.say('yes');
    }
    await Promise.all(phones.map((chat) => chat.say('', { number })));
    expect(
      (await Promise.all([holder, one, other].map(rowOf))).filter((row) => row?.verified),
    ).toHaveLength(1);
    expect(await rowOf(holder)).toMatchObject({ verified: false });
  });

  test('is taken by its own phone’s proof alone, never by a route of the web or for another seller', async () => {
    const number = freshNumber();
    const [first, second] = [
      await signUpSeller(market, { whatsapp: number }),
      await signUpSeller(market, { whatsapp: number }),
    ];
    await verifySeller(await market.ctx(who.admin), first.sellerId ?? '', { number });
    const take = { number, verifiedBy: 'chat', takeBack: true } as const;
    await refused(verifySeller(await market.ctx(second), second.sellerId ?? '', take), 'forbidden');
    await refused(
      verifySeller(await market.ctx(who.admin), second.sellerId ?? '', take),
      'forbidden',
    );
    expect(await rowOf(first)).toMatchObject({ verified: true });
  });
});
