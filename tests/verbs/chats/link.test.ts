import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { endOtherSessions } from '../../../api/account/endOtherSessions.ts';
import { openChat } from '../../../api/chats/chat.ts';
import { leaveChat } from '../../../api/chats/leaveChat.ts';
import { declineLink } from '../../../api/chats/linking/declineLink.ts';
import { linkChat } from '../../../api/chats/linking/linkChat.ts';
import { newLinkCode } from '../../../api/chats/linking/newLinkCode.ts';
import { readLinkCode } from '../../../api/chats/linking/readLinkCode.ts';
import { ownChats } from '../../../api/chats/reads.ts';
import { codeOf, limits, typedCode } from '../../../api/chats/rules.ts';
import { signInFromChat } from '../../../api/chats/signInFromChat.ts';
import { switchNotices } from '../../../api/chats/switchNotices.ts';
import { unlinkChat } from '../../../api/chats/unlinkChat.ts';
import type { Ctx } from '../../../api/core/context.ts';
import type { Chat } from '../../../api/people/chats.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp();
const who = await actors(market);
const { chatLinkCodes, chats, secondFactors, signInLinks } = schema;
beforeEach(() => market.reset());

const codeFor = async (person: Parameters<typeof market.ctx>[0]) =>
  (await newLinkCode(await market.ctx(person))).code;
async function stranger(address = 'a chat') {
  const chat = await chatting(market, { address, language: 'en' });
  const opened = await openChat(asTx(market.job('x')), chat.keyHash);
  if (!opened) throw new Error('There is no chat');
  return { ...chat, ctx: opened.ctx, chat: opened.chat };
}
/** Reads a code in a chat and confirms the question that follows. */
const linkBy = async (ctx: Ctx, chat: Pick<Chat, 'keyHash' | 'transport'>, code: string) =>
  linkChat(ctx, chat, (await readLinkCode(ctx, chat, code)).codeHash);
const factorOf = (userId: string) =>
  market.db.insert(secondFactors).values({
    userId,
    secret: 'x',
    createdAt: market.clock.now(),
    confirmedAt: market.clock.now(),
  });

describe('a code that links a chat', () => {
  test('is forty bits by chance, read as it was typed, and kept as a keyed hash alone', async () => {
    expect(codeOf(new Uint8Array(8))).toBe('2222-2222');
    expect(typedCode(' abcd 2345')).toBe('ABCD2345');
    expect([typedCode('ABCD-234'), typedCode('ABCD-2340'), typedCode('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const codes = await Promise.all(Array.from({ length: 5 }, async () => codeFor(who.member)));
    expect(new Set(codes).size).toBe(5);
    expect(JSON.stringify(await market.db.select().from(chatLinkCodes))).not.toMatch(
      new RegExp(codes.map((code) => code.replace('-', '')).join('|')),
    );
  });

  test('links the chat in which it is typed, once, and the person reads of it', async () => {
    const { ctx, chat } = await stranger();
    const code = await codeFor(who.seller);
    const { codeHash, account } = await readLinkCode(
      ctx,
      chat,
      code.toLowerCase().replace('-', ' '),
    );
    expect(account).toEqual({ email: who.seller.email, provenNumber: null });
    expect((await ownChats(await market.ctx(who.seller))).chats).toEqual([]);
    expect(await linkChat(ctx, chat, codeHash)).toEqual({ account });
    expect((await ownChats(await market.ctx(who.seller))).chats).toMatchObject([
      { transport: 'telegram', notices: true, blocked: false },
    ]);
    expect((await ownChats(await market.ctx(who.otherSeller))).chats).toEqual([]);
    expect((await market.mails.lastTo(who.seller.email)).subject).toBe(
      'A Telegram chat was linked to your account',
    );
    const other = await stranger('another');
    await refused(linkChat(other.ctx, other.chat, codeHash), 'chats.codeInvalid');
    await refused(readLinkCode(other.ctx, other.chat, code), 'chats.codeInvalid');
  });

  test('is used up by a no, and links nothing', async () => {
    const { ctx, chat } = await stranger();
    const code = await codeFor(who.seller);
    const { codeHash } = await readLinkCode(ctx, chat, code);
    await declineLink(ctx, codeHash);
    await refused(linkBy(ctx, chat, code), 'chats.codeInvalid');
    await refused(linkChat(ctx, chat, codeHash), 'chats.codeInvalid');
    expect((await ownChats(await market.ctx(who.seller))).chats).toEqual([]);
  });

  test('is over after fifteen minutes, and when another is asked for', async () => {
    const { ctx, chat } = await stranger();
    const [first, second] = [await codeFor(who.member), await codeFor(who.member)];
    await refused(linkBy(ctx, chat, first), 'chats.codeInvalid');
    market.clock.advance({ milliseconds: limits.codeLivesMs });
    await refused(linkBy(ctx, chat, second), 'chats.codeInvalid');
  });

  test('links one of two chats that type it at once', async () => {
    const [one, other] = [await stranger('one'), await stranger('other')];
    const code = await codeFor(who.member);
    const outcomes = await Promise.allSettled(
      [one, other].map(({ ctx, chat }) => linkBy(ctx, chat, code)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await ownChats(await market.ctx(who.member))).chats).toHaveLength(1);
  });

  test('is not guessed: a chat has ten tries, and its tries are nobody else’s', async () => {
    const { ctx, chat } = await stranger();
    for (let n = 0; n < limits.tries; n++)
      await refused(linkBy(ctx, chat, 'ABCD-2345'), 'chats.codeInvalid');
    await refused(linkBy(ctx, chat, await codeFor(who.member)), 'tooManyRequests');
    const other = await stranger('other');
    await linkBy(other.ctx, other.chat, await codeFor(who.member));
  });

  test('is for no admin without a second factor, and acts for one only as long as there is one', async () => {
    const { admin } = who;
    const { ctx, chat, keyHash } = await stranger();
    await refused(newLinkCode(await market.ctx(admin)), 'chats.factorNeeded');
    await factorOf(admin.userId);
    await linkBy(ctx, chat, await codeFor(admin));
    expect((await openChat(asTx(market.job('x')), keyHash))?.ctx.actor.kind).toBe('admin');
    await market.db.delete(secondFactors);
    expect((await openChat(asTx(market.job('x')), keyHash))?.ctx.actor.kind).toBe('visitor');
    expect(await market.db.select().from(chats)).toMatchObject([{ userId: null }]);
  });

  test('of somebody who became an admin meanwhile links nothing', async () => {
    const member = await signUpMember(market);
    const { ctx, chat } = await stranger();
    const code = await codeFor(member);
    await market.db
      .update(schema.user)
      .set({ role: 'admin' })
      .where(eq(schema.user.id, member.userId));
    await refused(linkBy(ctx, chat, code), 'chats.factorNeeded');
    await market.db
      .update(schema.user)
      .set({ role: 'member' })
      .where(eq(schema.user.id, member.userId));
  });
});

describe('a linked chat', () => {
  const linked = () => chatting(market, { person: who.seller });

  test('is let go from the chat, from the web, and by signing out everywhere else; never by another', async () => {
    const { keyHash } = await linked();
    const opened = await openChat(asTx(market.job('x')), keyHash);
    const id = opened?.chat.id ?? '';
    await refused(unlinkChat(await market.ctx(who.otherSeller), id), 'notFound');
    await refused(switchNotices(await market.ctx(who.otherSeller), id, false), 'notFound');
    expect(await switchNotices(await market.ctx(who.seller), id, false)).toEqual({ on: false });
    await leaveChat(opened?.ctx ?? (await market.ctx()), { keyHash });
    expect(await market.db.select().from(chats)).toMatchObject([{ userId: null, linkedAt: null }]);
    for (const end of [
      async () => unlinkChat(await market.ctx(who.seller), id),
      async () => endOtherSessions(await market.ctx(who.seller)),
    ]) {
      await market.db
        .update(chats)
        .set({ userId: who.seller.userId, linkedAt: market.clock.now() });
      await end();
      expect(await market.db.select().from(chats)).toMatchObject([{ userId: null }]);
    }
  });

  test('signs its person in on the web, by a link of ten minutes that works once', async () => {
    const { say } = await linked();
    const [reply] = await say('sign in');
    const button = reply?.buttons?.[0]?.[0];
    const link = new URL(button && 'url' in button ? button.url : '');
    const token = link.searchParams.get('token') ?? '';
    const [row] = await market.db.select().from(signInLinks);
    expect((row?.expiresAt.getTime() ?? 0) - market.clock.now().getTime()).toBe(
      limits.signInLinkLivesMs,
    );
    expect(JSON.stringify(row)).not.toContain(token);
    const visitor = market.visitor();
    const use = () => market.call('/api/auth/sign-in-link/use', { json: { token }, as: visitor });
    expect((await use()).status).toBe(200);
    expect((await market.call<{ email: string }>('/api/auth/me', { as: visitor })).body.email).toBe(
      who.seller.email,
    );
    expect((await use()).body.error.code).toBe('auth.linkUsed');
  });

  test('proves the number of its seller’s profile, if the transport delivered that very number; what is typed proves nothing', async () => {
    const { say } = await linked();
    const verified = async () =>
      (
        await market.db
          .select()
          .from(schema.sellers)
          .where(eq(schema.sellers.id, who.seller.sellerId ?? ''))
      )[0]?.verifiedBy;
    await say(who.seller.whatsapp);
    for (const number of ['+237699000000', who.seller.whatsapp, who.seller.whatsapp])
      await say('', { number });
    await say('verify');
    await say('', { number: '+237699000000' });
    expect(await verified()).toBeNull();
    await say('verify');
    expect((await say('', { number: who.seller.whatsapp }))[0]?.text).toMatch(
      /^Your number is confirmed/,
    );
    expect(await verified()).toBe('chat');
    await say('verify');
    expect((await say('', { number: who.seller.whatsapp }))[0]?.text).toMatch(
      /^Your number is confirmed/,
    );
  });

  test('gives no link to a stranger, and none any more after ten minutes', async () => {
    const { ctx } = await stranger();
    await refused(signInFromChat(ctx), 'signInRequired');
    const { link } = await signInFromChat(await market.ctx(who.member));
    market.clock.advance({ milliseconds: limits.signInLinkLivesMs });
    const { body } = await market.call('/api/auth/sign-in-link/use', {
      json: { token: new URL(link).searchParams.get('token') },
      as: market.visitor(),
    });
    expect(body.error.code).toBe('auth.linkExpired');
  });
});
