import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { leave } from '../../../api/account/leaving/leave.ts';
import { stay } from '../../../api/account/leaving/stay.ts';
import { ownAccount } from '../../../api/account/reads.ts';
import { connectRules } from '../../../api/check/ledger.ts';
import { hidePost } from '../../../api/connect/hide.ts';
import { publishPost } from '../../../api/connect/publish.ts';
import { feed, readPost } from '../../../api/connect/reads.ts';
import { respond } from '../../../api/connect/respond.ts';
import { newPost } from '../../../api/connect/schema.ts';
import { setPostStatus } from '../../../api/connect/toggle.ts';
import { unhidePost } from '../../../api/connect/unhidePost.ts';
import { addUpdate } from '../../../api/connect/update.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { statement } from '../../../api/credits/reads.ts';
import { buyCredits } from '../../../api/payments/buy.ts';
import { cancelPurchase } from '../../../api/payments/cancelPurchase.ts';
import { pack } from '../../../api/payments/rules.ts';
import { settlePurchase } from '../../../api/payments/settle.ts';
import { schema } from '../../../db/client.ts';
import { accountActions } from '../../support/account.ts';
import { actors, type Person, signUpMember } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { chatOf } from '../../support/chat.ts';
import { balanceOf, expectSoundCredits, grant } from '../../support/credits.ts';
import { collide } from '../../support/race.ts';
import { outcomesOf, refused } from '../../support/refusals.ts';
import { expectSound } from '../../support/sound.ts';

const market = await testApp();
const { as } = accountActions(market);
let admin: Person;
let owner: Person;
let other: Person;
const given = {
  title: 'A plumber',
  description: 'My tap leaks.',
  category: 'repairs',
  contactWhatsapp: '699001000',
} as const;
const note = { type: 'note', message: 'Still looking' } as const;

beforeEach(async () => {
  await market.reset({ accounts: true });
  ({ admin } = await actors(market));
  [owner, other] = await Promise.all([
    signUpMember(market, { name: 'Owner' }),
    signUpMember(market, { name: 'Other' }),
  ]);
  for (const person of [owner, other]) await grant(market, person, 20);
});

const ctxOf = (person: Person, elsewhere = false) =>
  market.ctx(person, elsewhere ? { db: market.database.another({ max: 2 }).db } : {});
const publish = async (person = owner, title = 'A plumber') =>
  (await publishPost(await ctxOf(person), newPost.parse({ ...given, title }), randomUUID()))
    .reference;
const toggle = async (reference: string, status: 'active' | 'closed') =>
  setPostStatus(await ctxOf(owner), reference, status);
const hide = async (reference: string) =>
  hidePost(await ctxOf(admin), reference, { reason: 'No service', refund: false });
const ask = async (person = owner) => leave(await as(person), { password: person.password });
const statusOf = async (reference: string) => {
  const { status, hiddenAt, updatedAt } = schema.connectPosts;
  const [row] = await market.db
    .select({ status, hiddenAt, updatedAt })
    .from(schema.connectPosts)
    .where(eq(schema.connectPosts.reference, reference));
  return row;
};
const shown = async () =>
  (await feed(await market.ctx(), {})).posts.map(({ reference }) => reference);
const sound = async () => {
  await expectSound(market, connectRules);
  await expectSoundCredits(market);
};

describe('posts of an account that is leaving', () => {
  test('offer neither activating nor buying until the owner stays', async () => {
    const reference = await publish();
    const offered = async () => {
      const ctx = await ctxOf(owner);
      const post = await readPost(ctx, reference);
      return [!post.closed && post.can.toggle, (await statement(ctx)).canBuy];
    };
    expect(await offered()).toEqual([true, true]);
    await ask();
    expect(await offered()).toEqual([false, false]);
    await stay(await ctxOf(owner));
    expect(await offered()).toEqual([true, true]);
  });

  test('close at the request, and exactly these open again at their old place when the owner stays', async () => {
    const [open, closed, hidden, hiddenMeanwhile, shownAgain] = [
      await publish(),
      await publish(),
      await publish(),
      await publish(),
      await publish(),
    ];
    const theirs = await publish(other);
    await toggle(closed, 'closed');
    for (const reference of [hidden, shownAgain]) await hide(reference);
    const before = await statusOf(open);
    market.clock.advance({ minutes: 5 });
    await ask();
    expect(await shown()).toEqual([theirs]);
    const letter = await market.mails.lastTo(owner.email);
    expect(letter.text).toContain('Number of posts closed on Connect: 2.');
    expect(letter.text).not.toContain('listings');
    await hide(hiddenMeanwhile);
    await unhidePost(await ctxOf(admin), shownAgain);
    expect(await shown()).toEqual([theirs]);
    await sound();

    await stay(await ctxOf(owner));
    expect((await shown()).sort()).toEqual([open, shownAgain, theirs].sort());
    expect(await statusOf(open)).toEqual(before);
    expect(await statusOf(closed)).toMatchObject({ status: 'closed' });
    for (const reference of [hidden, hiddenMeanwhile])
      expect((await statusOf(reference))?.hiddenAt).not.toBeNull();
    await toggle(open, 'closed');
    await toggle(closed, 'active');
    await sound();
  });

  test('that were closed again after a first change of mind stay closed after a second one', async () => {
    const reference = await publish();
    await ask();
    await stay(await ctxOf(owner));
    await toggle(reference, 'closed');
    await ask();
    await stay(await ctxOf(owner));
    expect((await statusOf(reference))?.status).toBe('closed');
  });

  test('cost nobody a credit any more, and stay readable for those who responded before', async () => {
    const late = await signUpMember(market);
    await grant(market, late, 5);
    const reference = await publish();
    const { link } = await respond(await ctxOf(other), reference, randomUUID());
    await ask();
    await refused(respond(await ctxOf(late), reference, randomUUID()), 'connect.closed');
    expect(await balanceOf(market, late)).toBe(5);
    expect(await readPost(await ctxOf(late), reference)).toMatchObject({ closed: true });
    expect(await readPost(await ctxOf(other), reference)).toMatchObject({
      closed: false,
      description: given.description,
      can: { respond: true },
    });
    expect(await respond(await ctxOf(other), reference, randomUUID())).toEqual({
      reference,
      link,
      paid: false,
      balance: null,
    });
    await sound();
  });
});

describe('an account that is leaving', () => {
  test('publishes, responds, updates, opens, closes and buys nothing, on the site or in a chat, until it stays', async () => {
    const [open, closed, theirs, answered] = [
      await publish(),
      await publish(),
      await publish(other),
      await publish(other, 'Another'),
    ];
    await toggle(closed, 'closed');
    const { link } = await respond(await ctxOf(owner), answered, randomUUID());
    await ask();
    const balance = await balanceOf(market, owner);
    const acts: ((ctx: Ctx) => Promise<unknown>)[] = [
      (ctx) => publishPost(ctx, newPost.parse(given), randomUUID()),
      (ctx) => respond(ctx, theirs, randomUUID()),
      (ctx) => addUpdate(ctx, open, note, randomUUID()),
      (ctx) => setPostStatus(ctx, open, 'active'),
      (ctx) => setPostStatus(ctx, closed, 'active'),
      (ctx) => setPostStatus(ctx, open, 'closed'),
      (ctx) => buyCredits(ctx, 'cash_partner', randomUUID()),
      (ctx) => buyCredits(ctx, 'stripe', randomUUID()),
    ];
    for (const ctx of [await ctxOf(owner), await chatOf(market, owner)])
      for (const act of acts) await refused(act(ctx), 'account.leaving');
    expect(await balanceOf(market, owner)).toBe(balance);
    expect(await market.db.$count(schema.purchases)).toBe(0);
    // Paid before, so nothing is bought.
    expect(await respond(await ctxOf(owner), answered, randomUUID())).toMatchObject({
      link,
      paid: false,
    });
    await sound();

    await stay(await ctxOf(owner));
    await buyCredits(await ctxOf(owner), 'cash_partner', randomUUID());
    await addUpdate(await ctxOf(owner), open, note, randomUUID());
    expect(await balanceOf(market, owner)).toBe(balance - 2);
  });

  test('reads what a deletion ends, before it and after it, and what is left of its credits', async () => {
    const read = async () => (await ownAccount(await ctxOf(owner))).stakes;
    const [, closed, hidden] = [await publish(), await publish(), await publish()];
    await toggle(closed, 'closed');
    await hide(hidden);
    expect(await read()).toEqual({ listings: 0, posts: 1, credits: 14 });
    await ask();
    expect(await read()).toEqual({ listings: 0, posts: 1, credits: 14 });
    await stay(await ctxOf(owner));
    await toggle(closed, 'active');
    expect(await read()).toEqual({ listings: 0, posts: 2, credits: 14 });
    expect((await ownAccount(await ctxOf(await signUpMember(market)))).stakes).toEqual({
      listings: 0,
      posts: 0,
      credits: 0,
    });
  });

  test('cancels a purchase that waits, an admin settles one, and a repeated request has its first answer', async () => {
    const key = randomUUID();
    const [first, second] = [
      await buyCredits(await ctxOf(owner), 'cash_partner', key),
      await buyCredits(await ctxOf(owner), 'cash_partner', randomUUID()),
    ];
    await ask();
    expect((await buyCredits(await ctxOf(owner), 'cash_partner', key)).id).toBe(first.id);
    expect((await cancelPurchase(await ctxOf(owner), first.id)).status).toBe('cancelled');
    expect((await settlePurchase(await ctxOf(admin), second.id, 'CASH-1')).status).toBe(
      'completed',
    );
    expect(await balanceOf(market, owner)).toBe(20 + pack.credits);
    await sound();
  });
});

describe('the request to leave and another act at once', () => {
  test('a response is paid before the post closes, or refused and free', async () => {
    const reference = await publish();
    const [leaver, responder] = [await as(owner), await ctxOf(other, true)];
    const settled = await collide<unknown>(market.sql, 'select from connect_posts for update', [
      () => leave(leaver, { password: owner.password }),
      () => respond(responder, reference, randomUUID()),
    ]);
    const paid = settled[1]?.status === 'fulfilled';
    expect(outcomesOf(settled)).toEqual(paid ? ['kept', 'kept'] : ['connect.closed', 'kept']);
    expect(await balanceOf(market, other)).toBe(paid ? 19 : 20);
    expect(await shown()).toEqual([]);
    await sound();
  });

  test.each(['publish', 'open', 'update', 'respond', 'buy'] as const)(
    '%s comes first and counts, or is refused',
    async (kind) => {
      const [open, closed, theirs] = [await publish(), await publish(), await publish(other)];
      await toggle(closed, 'closed');
      const [leaver, ctx] = [await as(owner), await ctxOf(owner, true)];
      const acts = {
        publish: () => publishPost(ctx, newPost.parse(given), randomUUID()),
        open: () => setPostStatus(ctx, closed, 'active'),
        update: () => addUpdate(ctx, open, note, randomUUID()),
        respond: () => respond(ctx, theirs, randomUUID()),
        buy: () => buyCredits(ctx, 'cash_partner', randomUUID()),
      };
      const settled = await collide<unknown>(
        market.sql,
        `select 1 from "user" where id = '${owner.userId}' for update`,
        [() => leave(leaver, { password: owner.password }), acts[kind]],
      );
      const first = settled[1]?.status === 'fulfilled';
      expect(outcomesOf(settled)).toEqual(first ? ['kept', 'kept'] : ['account.leaving', 'kept']);
      expect(await shown()).toEqual([theirs]);
      await sound();
    },
  );
});
