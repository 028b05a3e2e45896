import { and, eq, isNotNull } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { askBack } from '../../../api/chats/closed/askBack.ts';
import { closeNumber } from '../../../api/chats/closed/closeNumber.ts';
import { reopenChat } from '../../../api/chats/closed/reopenChat.ts';
import { tendChats } from '../../../api/chats/closed/tendChats.ts';
import { giveLinkCode } from '../../../api/chats/linking/giveLinkCode.ts';
import { ownChats } from '../../../api/chats/reads.ts';
import { toSend } from '../../../api/chats/replies.ts';
import { unlinkChat } from '../../../api/chats/unlinkChat.ts';
import { replyKind } from '../../../api/outbox/outbox.ts';
import { notify } from '../../../api/people/notify.ts';
import { schema } from '../../../db/client.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  withFactor,
} from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: `1:${'x'.repeat(30)}`, DEMO: '0' } });
const seller = await signUpSeller(market);
const member = await signUpMember(market);
const admin = await signInAdmin(market);
await withFactor(market, admin);
const { auditLog, chats, outbox, session, user } = schema;
const days = (count: number) => market.clock.advance({ days: count });
const tend = () => tendChats(market.job('tend-chats'));
const job = () => asTx(market.job('x'));

beforeEach(async () => {
  await market.reset();
  await market.db.update(user).set({ webUsedAt: market.clock.now(), emailVerified: true });
  await market.db.update(user).set({ email: seller.email }).where(eq(user.id, seller.userId));
});

type Chat = Awaited<ReturnType<typeof chatting>>;
const linked = (person: Person, address = 'a chat') => chatting(market, { person, address });
async function closed(person: Person, address?: string): Promise<Chat> {
  const chat = await linked(person, address);
  await market.db
    .update(chats)
    .set({ closedAt: market.clock.now(), closedWhy: 'unused' })
    .where(eq(chats.keyHash, chat.keyHash));
  return chat;
}
const isClosed = async (chat: Chat) => (await chat.row())?.closedAt !== null;
const idOf = async (chat: Chat) => (await chat.row())?.id ?? '';
const waiting = (recipient: string) =>
  market.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.recipient, recipient), eq(outbox.state, 'waiting')));
const takenBy = (recipient: string, sentAt = market.clock.now()) =>
  market.db
    .update(outbox)
    .set({ state: 'sent', sentAt })
    .where(and(eq(outbox.recipient, recipient), eq(outbox.kind, 'chatBackAsked')));
const mailless = () =>
  market.db
    .update(user)
    .set({ email: 'nobody@chat.invalid', emailVerified: false })
    .where(eq(user.id, seller.userId));

describe('a linked chat is closed', () => {
  test('after sixty days without a message in it and without the site, and its owner is mailed', async () => {
    const chat = await linked(seller);
    const used = await linked(member, 'one that is used');
    days(59);
    await market.db
      .update(chats)
      .set({ wroteAt: market.clock.now() })
      .where(eq(chats.keyHash, used.keyHash));
    expect(await tend()).toEqual({ closed: 0, opened: 0 });
    days(2);
    expect(await tend()).toEqual({ closed: 1, opened: 0 });
    expect([await isClosed(chat), await isClosed(used)]).toEqual([true, false]);
    const mail = await market.mails.lastTo(seller.email);
    expect(mail.subject).toBe('Your Telegram chat no longer acts for you');
    expect(mail.text).toContain('For 60 days');
    expect(await tend()).toEqual({ closed: 0, opened: 0 });
  });

  test('never while the account is used on the web: opening a session is a use', async () => {
    const one = await signUpMember(market);
    const chat = await linked(one);
    await market.db.update(chats).set({ linkedAt: new Date(0) });
    await tend();
    expect(await isClosed(chat)).toBe(false);
    await market.db.update(user).set({ webUsedAt: null }).where(eq(user.id, one.userId));
    await tend();
    expect(await isClosed(chat)).toBe(true);
    // Renewed once a day.
    const soon = new Date(Date.now() + 20 * 86_400_000);
    await market.db.update(session).set({ expiresAt: soon }).where(eq(session.userId, one.userId));
    await market.request('/api/account', { as: one });
    expect(
      await market.db.$count(user, and(eq(user.id, one.userId), isNotNull(user.webUsedAt))),
    ).toBe(1);
  });

  test('when its network says that the number was left, unless it was linked since', async () => {
    const chat = await chatting(market, {
      person: seller,
      address: '237699001001',
      transport: 'whatsapp',
    });
    const left = (at: Date) =>
      closeNumber(market.job('x'), 'whatsapp', { address: '237699001001', at });
    await left(new Date(market.clock.now().getTime() - 1000));
    expect(await isClosed(chat)).toBe(false);
    await left(new Date(market.clock.now().getTime() + 1000));
    expect(await chat.row()).toMatchObject({ closedWhy: 'numberChanged', userId: seller.userId });
    const { subject, text } = await market.mails.lastTo(seller.email);
    expect(subject).toContain('WhatsApp chat');
    expect(text).not.toContain('699001001');
  });
});

describe('a closed chat', () => {
  test('gets answers alone: no news of the account is written or sent to it', async () => {
    const chat = await linked(seller);
    const news = () =>
      notify(job(), { userId: seller.userId }, 'productApproved', {
        product: 'Chair',
        lane: 'standard',
      });
    await news();
    const [message] = await waiting(chat.keyHash);
    days(61);
    await tend();
    expect(await waiting(chat.keyHash)).toEqual([]);
    await news();
    expect(await waiting(chat.keyHash)).toEqual([]);
    const late = { kind: 'productApproved', bodyText: '', sealed: null };
    expect(message).toBeDefined();
    expect(await toSend(market.job('x'), chat.keyHash, late)).toBeUndefined();
    expect(await toSend(market.job('x'), chat.keyHash, { ...late, kind: replyKind })).toBeDefined();
  });

  test('is opened by its owner’s session, and by nobody else’s', async () => {
    const chat = await closed(seller);
    const id = await idOf(chat);
    expect((await ownChats(await market.ctx(seller))).chats).toMatchObject([
      { id, closed: { why: 'unused', backAskedAt: null } },
    ]);
    await refused(reopenChat(await market.ctx(member), id), 'notFound');
    await reopenChat(await market.ctx(seller), id);
    expect(await isClosed(chat)).toBe(false);
    expect((await market.mails.lastTo(seller.email)).subject).toContain('acts for your account');
    await refused(reopenChat(await market.ctx(seller), id), 'notFound');
  });

  test('is no way into an account: the last open chat stays, a closed one may go', async () => {
    await mailless();
    const open = await linked(seller, 'open');
    const other = await closed(seller, 'closed');
    const ctx = await market.ctx(seller);
    await refused(unlinkChat(ctx, await idOf(open)), 'chats.onlyWayIn');
    await unlinkChat(ctx, await idOf(other));
    expect(await other.row()).toMatchObject({ userId: null, closedAt: null, closedWhy: null });
  });
});

describe('asking in a closed chat', () => {
  const ask = (chat: Chat) => askBack(market.job('x'), chat);

  test('tells every other channel of the account, and never the chat itself', async () => {
    const chat = await closed(seller);
    const other = await linked(seller, 'another');
    const { told, opensAt } = await ask(chat);
    expect(told).toBe(true);
    expect(opensAt?.getTime()).toBe(market.clock.now().getTime() + 72 * 3_600_000);
    expect(await waiting(chat.keyHash)).toEqual([]);
    expect(await waiting(other.keyHash)).toMatchObject([{ kind: 'chatBackAsked' }]);
    expect((await market.mails.lastTo(seller.email)).text).toContain('If you do nothing');
    await refused(ask(other), 'notFound');
  });

  test('opens it 72 hours after a message arrived, and only then', async () => {
    const chat = await closed(seller);
    await ask(chat);
    days(4);
    // Not delivered yet: the wait has not begun.
    expect(await tend()).toEqual({ closed: 0, opened: 0 });
    await takenBy(seller.email);
    market.clock.advance({ hours: 71 });
    expect((await tend()).opened).toBe(0);
    market.clock.advance({ hours: 1 });
    expect((await tend()).opened).toBe(1);
    // Opening is a use: it does not close again at once.
    await market.db.update(user).set({ webUsedAt: null });
    expect((await tend()).closed).toBe(0);
    expect(await chat.row()).toMatchObject({ closedAt: null, backAskedAt: null });
    expect((await market.mails.lastTo(seller.email)).subject).toContain('acts for your account');
  });

  test('is in vain where mail bounced, and where the only other chat is blocked or closed', async () => {
    await mailless();
    const chat = await closed(seller);
    const other = await linked(seller, 'another');
    await ask(chat);
    await market.db
      .update(outbox)
      .set({ state: 'failed' })
      .where(eq(outbox.recipient, other.keyHash));
    days(4);
    expect((await tend()).opened).toBe(0);
    await takenBy(other.keyHash, new Date(market.clock.now().getTime() - 73 * 3_600_000));
    for (const gone of [
      { blockedAt: market.clock.now() },
      { blockedAt: null, closedAt: market.clock.now(), closedWhy: 'unused' as const },
    ]) {
      await market.db.update(chats).set(gone).where(eq(chats.keyHash, other.keyHash));
      expect((await tend()).opened).toBe(0);
    }
    await market.db
      .update(chats)
      .set({ closedAt: null, closedWhy: null })
      .where(eq(chats.keyHash, other.keyHash));
    expect((await tend()).opened).toBe(1);
  });

  test('a message of an earlier asking does not count', async () => {
    const chat = await closed(seller);
    await ask(chat);
    await takenBy(seller.email);
    await reopenChat(await market.ctx(seller), await idOf(chat));
    days(10);
    await market.db
      .update(chats)
      .set({ closedAt: market.clock.now(), closedWhy: 'unused' })
      .where(eq(chats.keyHash, chat.keyHash));
    await ask(chat);
    expect((await tend()).opened).toBe(0);
  });

  test('a message about another closed chat of the account does not count', async () => {
    const chat = await closed(seller);
    const other = await closed(seller, 'another');
    await ask(chat);
    await takenBy(seller.email);
    market.clock.advance({ hours: 71 });
    await ask(other);
    market.clock.advance({ hours: 1 });
    expect((await tend()).opened).toBe(1);
    expect([await isClosed(chat), await isClosed(other)]).toEqual([false, true]);
    // It has notices of its own, and opens by them.
    await takenBy(seller.email);
    days(3);
    expect((await tend()).opened).toBe(1);
  });

  test('an objection ends it: the unlinked chat never opens', async () => {
    const chat = await closed(seller);
    await ask(chat);
    await takenBy(seller.email);
    await unlinkChat(await market.ctx(seller), await idOf(chat));
    days(4);
    expect((await tend()).opened).toBe(0);
    expect((await chat.row())?.userId).toBeNull();
  });

  test('an admin’s chat never opens by waiting', async () => {
    const chat = await closed(admin);
    expect(await ask(chat)).toEqual({ told: true, opensAt: null });
    expect((await market.mails.lastTo(admin.email)).text).not.toContain('If you do nothing');
    await takenBy(admin.email);
    days(4);
    expect((await tend()).opened).toBe(0);
  });

  test('without another channel nobody is told and no wait begins; five times a day at most', async () => {
    await mailless();
    const chat = await closed(seller);
    for (let n = 0; n < 5; n++) expect((await ask(chat)).told).toBe(false);
    await refused(ask(chat), 'tooManyRequests');
    days(30);
    expect((await tend()).opened).toBe(0);
  });
});

describe('an admin’s code for a seller', () => {
  test('links a chat to that account, and is in the audit log', async () => {
    const ctx = await market.ctx(admin);
    const { code } = await giveLinkCode(ctx, seller.sellerId ?? '');
    const chat = await chatting(market, { language: 'en' });
    await chat.say(`link ${code}`);
    await chat.say('yes');
    expect((await chat.row())?.userId).toBe(seller.userId);
    const entries = await market.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'seller.chatCode'));
    expect(entries).toMatchObject([{ actorId: admin.userId, subjectId: seller.sellerId }]);
    expect(JSON.stringify(entries)).not.toContain(code);
  });

  test('opens a closed chat of its own account', async () => {
    const chat = await closed(seller);
    const { code } = await giveLinkCode(await market.ctx(admin), seller.sellerId ?? '');
    await chat.say(`link ${code}`);
    await chat.say('yes');
    expect(await isClosed(chat)).toBe(false);
  });

  test('is for sellers with an account, and no admin’s', async () => {
    const ctx = await market.ctx(admin);
    await refused(giveLinkCode(await market.ctx(member), seller.sellerId ?? ''), 'forbidden');
    await refused(giveLinkCode(ctx, crypto.randomUUID()), 'sellers.notFound');
    const { sellers } = schema;
    const [imported] = await market.db
      .insert(sellers)
      .values({
        userId: null,
        name: 'Imported',
        email: 'imported@example.cm',
        createdAt: market.clock.now(),
        updatedAt: market.clock.now(),
      } as never)
      .returning({ id: sellers.id });
    await refused(giveLinkCode(ctx, imported?.id ?? ''), 'chats.noAccount');
    await market.db.update(user).set({ role: 'admin' }).where(eq(user.id, seller.userId));
    await refused(giveLinkCode(ctx, seller.sellerId ?? ''), 'chats.adminsOwn');
    await market.db.update(user).set({ role: 'member' }).where(eq(user.id, seller.userId));
  });
});
