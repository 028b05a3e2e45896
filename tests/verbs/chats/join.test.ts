import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { openChat } from '../../../api/chats/chat.ts';
import { joinFromChat } from '../../../api/chats/join.ts';
import { linkChat } from '../../../api/chats/linking/linkChat.ts';
import { newLinkCode } from '../../../api/chats/linking/newLinkCode.ts';
import { readLinkCode } from '../../../api/chats/linking/readLinkCode.ts';
import { ownChats } from '../../../api/chats/reads.ts';
import { limits } from '../../../api/chats/rules.ts';
import { signInFromChat } from '../../../api/chats/signInFromChat.ts';
import { unlinkChat } from '../../../api/chats/unlinkChat.ts';
import type { Sender } from '../../../api/core/chatMessages.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { unlinkChats } from '../../../api/people/chats.ts';
import { notify } from '../../../api/people/notify.ts';
import { barredAddresses } from '../../../api/sellers/reads.ts';
import { removeSeller } from '../../../api/sellers/remove.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { token } from '../../support/botApi.ts';
import { refused } from '../../support/refusals.ts';
import { chatting } from '../../support/talk.ts';

const market = await testApp({ env: { TELEGRAM_BOT_TOKEN: token } });
const who = await actors(market);
const { user, sellers, chats, outbox } = schema;
beforeEach(() => market.reset());

let people = 0;
const numberOf = () => `+2376970${String(10_000 + ++people)}`;
const typed = { name: 'Ewondo Marie', location: 'Bafoussam, West' };

/** A stranger's chat; without `number` its transport delivers none. */
async function stranger(number?: string, address = `chat of ${number ?? ++people}`) {
  const { keyHash, say } = await chatting(market, { address, language: 'en' });
  const open = async (sender: Sender = number ? { number } : {}): Promise<Ctx> => {
    const opened = await openChat(asTx(market.job('x')), keyHash, sender);
    if (!opened) throw new Error('There is no chat');
    return opened.ctx;
  };
  return {
    keyHash,
    say,
    open,
    join: async (given = typed as Parameters<typeof joinFromChat>[2], sender?: Sender) =>
      joinFromChat(await open(sender), { keyHash }, given),
  };
}
const sellerOf = async (number: string) =>
  (await market.db.select().from(sellers).where(eq(sellers.verifiedWhatsapp, number)))[0];
const accountsNow = () => market.db.$count(user);

describe('an account that begins in a chat', () => {
  test('is a seller’s, with the number that the transport delivered, proven by it, and no mailbox', async () => {
    const number = numberOf();
    const { join, open } = await stranger(number);
    const { ctx } = await join();
    expect(ctx.actor).toMatchObject({
      kind: 'seller',
      name: typed.name,
      email: null,
      seller: { whatsapp: number, verifiedBy: 'chat', location: typed.location },
    });
    expect((await open()).actor).toMatchObject({ kind: 'seller' });
    expect(await sellerOf(number)).toMatchObject({ email: null, verified: true });
    const [row] = await market.db.select().from(user).where(eq(user.name, typed.name)).limit(1);
    expect(row).toMatchObject({ emailVerified: false });
    expect(row?.email).toMatch(/@chat\.invalid$/);
  });

  test('needs the number from the transport: what is typed, or said on the web, begins nothing', async () => {
    const before = await accountsNow();
    const { join, keyHash } = await stranger();
    await refused(join(), 'chats.numberMissing');
    await refused(
      joinFromChat(
        {
          ...(await market.ctx(who.visitor)),
          client: { visitor: 'x', addressHash: 'x', userAgent: '', number: numberOf() },
        },
        { keyHash },
        typed,
      ),
      'chats.numberMissing',
    );
    const { join: foreign } = await stranger('+33612345678');
    await refused(foreign(), 'validation');
    const { join: nameless } = await stranger(numberOf());
    await refused(nameless({ name: 'X', location: typed.location }), 'validation');
    expect(await accountsNow()).toBe(before);
  });

  test('is no second one unasked: a proven number is taken back or linked, one that an account merely names may be somebody else’s', async () => {
    const number = numberOf();
    const { join } = await stranger(number);
    await join();
    const again = await stranger(number, 'another phone');
    await refused(again.join(), 'chats.numberProven');
    await refused(again.join({ ...typed, anew: true }), 'chats.numberProven');
    // Its phone may take it back: the old account loses the number and stays closed to the phone.
    const first = await sellerOf(number);
    await again.join({ ...typed, takeBack: true });
    expect((await sellerOf(number))?.userId).not.toBe(first?.userId);
    expect(
      (
        await market.db
          .select()
          .from(sellers)
          .where(eq(sellers.id, first?.id ?? ''))
      )[0],
    ).toMatchObject({ verified: false, whatsapp: null });
    await refused(
      (await stranger(number, 'a third phone')).join({ ...typed, takeBack: true }),
      'sellers.numberByTeam',
    );
    const named = await signUpSeller(market, { whatsapp: numberOf() });
    const owner = await stranger(named.whatsapp);
    const refusal = await owner.join().catch((error) => error);
    expect(refusal.code).toBe('chats.numberClaimed');
    expect(JSON.stringify(refusal.params)).not.toContain(named.name);
    await owner.join({ ...typed, anew: true });
    expect((await sellerOf(named.whatsapp))?.userId).not.toBe(named.userId);
  });

  test('by WhatsApp’s id of before November 2014 has today’s number, which is not proven and takes none back', async () => {
    const number = numberOf();
    const old = { oldNumber: number };
    const { ctx } = await (await stranger(undefined, 'an old id')).join(typed, old);
    expect(ctx.actor).toMatchObject({ kind: 'seller', seller: { whatsapp: number } });
    expect(await sellerOf(number)).toBeUndefined();
    const owner = await stranger(number, 'its phone today');
    await owner.join({ ...typed, anew: true });
    const holder = await sellerOf(number);
    const second = await stranger(undefined, 'another old id');
    await refused(second.join({ ...typed, takeBack: true }, old), 'chats.numberClaimed');
    await second.join({ ...typed, anew: true, takeBack: true }, old);
    expect((await sellerOf(number))?.userId).toBe(holder?.userId);
    await suspendSeller(await market.ctx(who.admin), holder?.id ?? '', 'Fraud');
    const third = await stranger(undefined, 'a third old id');
    await refused(third.join({ ...typed, anew: true }, old), 'chats.numberKnown');
    await removeSeller(await market.ctx(who.admin), holder?.id ?? '');
    await refused(third.join({ ...typed, anew: true }, old), 'sellers.barred');
  });

  test('of two chats of one number that join at once is one', async () => {
    const number = numberOf();
    const [one, other] = [await stranger(number, 'left'), await stranger(number, 'right')];
    const outcomes = await Promise.allSettled([one.join(), other.join()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await market.db.$count(sellers, eq(sellers.whatsapp, number))).toBe(1);
  });

  test('is not begun with a number that is suspended or barred', async () => {
    const number = numberOf();
    const { join } = await stranger(number);
    await join();
    const admin = await market.ctx(who.admin);
    const { id } = (await sellerOf(number)) ?? { id: '' };
    await suspendSeller(admin, id, 'Fraud');
    await refused(
      (await stranger(number, 'second')).join({ ...typed, anew: true }),
      'chats.numberKnown',
    );
    await removeSeller(admin, id);
    expect((await barredAddresses(admin)).addresses.map(({ email }) => email)).toContain(number);
    await refused(
      (await stranger(number, 'third')).join({ ...typed, anew: true }),
      'sellers.barred',
    );
    // A number that was only typed proves nothing: its owner may join.
    const mailed = await signUpSeller(market, { whatsapp: numberOf() });
    await removeSeller(admin, mailed.sellerId ?? '');
    await (await stranger(mailed.whatsapp, 'fourth')).join();
    expect(await sellerOf(mailed.whatsapp)).toMatchObject({ verifiedBy: 'chat' });
  });

  test('is tried ten times an hour in a chat', async () => {
    const { join } = await stranger(numberOf());
    for (let n = 0; n < limits.joiningsAnHour; n++)
      await refused(join({ name: 'X', location: 'X' }), 'validation');
    await refused(join(), 'tooManyRequests');
  });

  test('of a member is the profile that was lacking, in the same account', async () => {
    const { ctx, chat } = await linkedMember();
    const number = numberOf();
    await joinFromChat({ ...ctx, client: { ...ctx.client, number } }, chat, typed);
    expect(await sellerOf(number)).toMatchObject({
      userId: who.member.userId,
      email: who.member.email,
    });
    await market.db.delete(sellers).where(eq(sellers.userId, who.member.userId));
  });

  async function linkedMember() {
    const { keyHash, open } = await stranger();
    const { code } = await newLinkCode(await market.ctx(who.member));
    const { codeHash } = await readLinkCode(await open(), { keyHash }, code);
    await linkChat(await open(), { keyHash, transport: 'telegram' }, codeHash);
    return { ctx: await open(), chat: { keyHash } };
  }
});

describe('whoever has no mailbox', () => {
  async function joined() {
    const number = numberOf();
    const chat = await stranger(number);
    const { ctx } = await chat.join();
    const userId = 'userId' in ctx.actor ? ctx.actor.userId : '';
    return { ...chat, number, ctx, userId };
  }
  async function session(ctx: Ctx) {
    const as = market.visitor();
    const { link } = await signInFromChat(ctx);
    expect(
      (
        await market.call('/api/auth/sign-in-link/use', {
          json: { token: new URL(link).searchParams.get('token') },
          as,
        })
      ).status,
    ).toBe(200);
    // Sessions start by the machine's clock, not the test's.
    await market.db
      .update(schema.session)
      .set({ createdAt: market.clock.now() })
      .where(eq(schema.session.userId, 'userId' in ctx.actor ? ctx.actor.userId : ''));
    return as;
  }

  test('is signed in on the web by a link, and sees no address where none is', async () => {
    const { ctx } = await joined();
    const as = await session(ctx);
    const { body } = await market.call<{ role: string; email: null }>('/api/auth/me', { as });
    expect(body).toMatchObject({ role: 'seller', email: null });
    expect((await market.call('/api/account', { as })).body).toMatchObject({
      email: null,
      hasPassword: false,
    });
    const shown = await Promise.all(
      ['/api/admin/sellers', '/api/admin/credits/members?search=Ewondo'].map(async (path) =>
        (await market.request(path, { as: who.admin })).text(),
      ),
    );
    for (const text of shown) {
      expect(text).toContain('Ewondo');
      expect(text).not.toContain('chat.invalid');
    }
  });

  test('is told in the chat what others are mailed, links for mailboxes excepted, and never by mail', async () => {
    const { ctx, userId, keyHash } = await joined();
    const { id } = 'seller' in ctx.actor && ctx.actor.seller ? ctx.actor.seller : { id: '' };
    await market.db.delete(outbox);
    await notify(asTx(market.job('x')), { sellerId: id }, 'sellerSuspended', { reason: 'Fraud' });
    await notify(asTx(market.job('x')), { userId }, 'resetPassword', {}, 'reset-password?token=x');
    expect(await market.db.select().from(outbox)).toMatchObject([
      { channel: 'telegram', recipient: keyHash, kind: 'sellerSuspended' },
    ]);
  });

  test('keeps the last chat, which is the only way in, until there is a mailbox', async () => {
    const { ctx, userId, say } = await joined();
    expect((await say('unlink'))[0]?.text).toMatch(
      /^This chat is the only way into the account whose proven number ends in \d\d/,
    );
    await say('no');
    const [chat] = (await ownChats(ctx)).chats;
    await refused(unlinkChat(ctx, chat?.id ?? ''), 'chats.onlyWayIn');
    await unlinkChats(ctx, userId);
    expect(await market.db.$count(chats, eq(chats.userId, userId))).toBe(1);
  });

  test('keeps it also from somebody with a code of another account, who is linked once there is another chat', async () => {
    const { keyHash, userId, ctx } = await joined();
    const { code } = await newLinkCode(await market.ctx(who.member));
    const type = async () =>
      linkChat(
        ctx,
        { keyHash, transport: 'telegram' },
        (await readLinkCode(ctx, { keyHash }, code)).codeHash,
      );
    await refused(type(), 'chats.onlyWayIn');
    expect(await market.db.$count(chats, eq(chats.userId, userId))).toBe(1);
    const { keyHash: another } = await stranger();
    await market.db
      .update(chats)
      .set({ userId, linkedAt: market.clock.now() })
      .where(eq(chats.keyHash, another));
    // The refusal does not use up the code.
    expect(await type()).toMatchObject({ account: { email: who.member.email } });
    expect(
      (await market.db.select().from(chats).where(eq(chats.userId, userId))).map(
        (row) => row.keyHash,
      ),
    ).toEqual([another]);
  });

  test('adds an address by a mailed link, in a young session of that very account', async () => {
    const { ctx, userId, number } = await joined();
    const as = await session(ctx);
    const ask = (email: string, person = as) =>
      market.call('/api/account/email', { json: { email }, as: person });
    const confirm = (token: string, person = as) =>
      market.call('/api/account/email/confirm', { json: { token }, as: person });
    const email = `marie${people}@example.test`;
    expect((await ask(email)).body).toEqual({ sent: true });
    const link =
      new URL(
        /http\S+confirm=\S+/.exec((await market.mails.lastTo(email)).text)?.[0] ?? '',
      ).searchParams.get('confirm') ?? '';
    // Another person's session cannot confirm it.
    expect((await confirm(link, who.otherSeller as never)).body.error.code).toBe(
      'auth.linkInvalid',
    );
    expect((await confirm(link)).body).toEqual({ email });
    expect((await confirm(link)).body.error.code).toBe('auth.linkInvalid');
    expect((await market.db.select().from(user).where(eq(user.id, userId)))[0]).toMatchObject({
      email,
      emailVerified: true,
    });
    expect(await sellerOf(number)).toMatchObject({ email });
    expect((await ask(`other${email}`)).body.error.code).toBe('account.emailThere');
  });

  test('is not given an address that has an account, and learns nothing of that', async () => {
    const { ctx, userId } = await joined();
    const as = await session(ctx);
    expect(
      (await market.call('/api/account/email', { json: { email: who.seller.email }, as })).body,
    ).toEqual({ sent: true });
    expect((await market.mails.lastTo(who.seller.email)).subject).toBe(
      'You already have an account',
    );
    market.clock.advance({ minutes: 11 });
    expect(
      (await market.call('/api/account/email', { json: { email: 'late@example.test' }, as })).body
        .error.code,
    ).toBe('account.signInAgain');
    expect((await market.db.select().from(user).where(eq(user.id, userId)))[0]).toMatchObject({
      emailVerified: false,
    });
  });
});
