import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { leave } from '../../../api/account/leaving/leave.ts';
import { stay } from '../../../api/account/leaving/stay.ts';
import { ownAccount } from '../../../api/account/reads.ts';
import { publicProduct } from '../../../api/productpages/read.ts';
import { edit } from '../../../api/products/edit.ts';
import { relist } from '../../../api/products/relist.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { submit } from '../../../api/products/submit.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { createProfile } from '../../../api/sellers/profile.ts';
import { schema } from '../../../db/client.ts';
import { accountActions } from '../../support/account.ts';
import { signInAdmin, signUpMember, signUpSeller, suspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { asTx } from '../../support/asTx.ts';
import { chatOf } from '../../support/chat.ts';
import {
  approved,
  draft,
  live,
  productRow,
  queueRows,
  runQueue,
  slotOf,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { outcomes, outcomesOf, refused } from '../../support/refusals.ts';

const market = await testApp();
const { as, rowOf, sessionsOf, graceOver, googleAlone } = accountActions(market);
const { listings, sellers, slots } = schema;
const [admin, other] = [
  await signInAdmin(market, { name: 'Admin' }),
  await signInAdmin(market, { name: 'Other Admin' }),
];
beforeEach(async () => {
  await market.reset();
  await market.db.update(schema.user).set({ leavingAt: null });
});
const password = ({ password }: { password: string }) => ({ password });

describe('asking for one’s account to be deleted', () => {
  test('frees slots and queue, withdraws what waits, and hides what was shown, at once', async () => {
    const person = await signUpSeller(market);
    const here = await live(market, person, admin);
    const over = await live(market, person, admin);
    market.clock.set(over.endTime);
    await runQueue(market);
    const again = await live(market, person, admin);
    await edit(await market.ctx(person), again.id, {
      ...draft(),
      images: [await uploadPhoto(market, person)],
    } as never);
    const waiting = await approved(market, person, admin);
    const pending = await submitted(market, person);
    const { slug } = await productRow(market, here.id);
    const stakes = async () => (await ownAccount(await market.ctx(person))).stakes;
    expect(await stakes()).toMatchObject({ listings: 2 });
    expect(await publicProduct(await market.ctx(), slug)).toBeDefined();

    const { goneAt } = await leave(await as(person), password(person));

    expect(goneAt).toBe(new Date(market.clock.now().getTime() + 7 * 86_400_000).toISOString());
    expect(await stakes()).toMatchObject({ listings: 2 });
    expect(await market.db.select().from(slots).where(eq(slots.active, true))).toEqual([]);
    expect(await queueRows(market)).toEqual([]);
    expect(await market.db.select().from(schema.productEdits)).toEqual([]);
    expect((await productRow(market, pending.id)).withdrawnAt).toEqual(market.clock.now());
    const ends = await market.db
      .select({ reason: listings.endReason })
      .from(listings)
      .where(eq(listings.productId, again.id));
    expect([
      ...ends,
      ...(await market.db
        .select({ reason: listings.endReason })
        .from(listings)
        .where(eq(listings.productId, waiting.id))),
    ]).toEqual([{ reason: 'left' }, { reason: 'left' }]);
    expect(await publicProduct(await market.ctx(), slug)).toBeUndefined();
    expect((await market.request(`/api/market/products/${slug}`)).status).toBe(404);
  });

  test('closes approval, submission, listing again, restoring and contact until the mind is changed', async () => {
    const person = await signUpSeller(market);
    const removed = await approved(market, person, admin);
    await removeFromQueue(await market.ctx(admin), removed.id);
    const shown = await live(market, person, admin);
    const pending = await submitted(market, person);
    const images = [await uploadPhoto(market, person)];
    await leave(await as(person), password(person));
    const asAdmin = await market.ctx(admin);
    for (const ctx of [await market.ctx(person), await chatOf(market, person)]) {
      await refused(submit(ctx, draft({ images })), 'account.leaving');
      await refused(relist(ctx, shown.id), 'account.leaving');
      await refused(withdraw(ctx, pending.id), 'account.leaving');
    }
    await refused(
      submit(asAdmin, draft({ images, sellerId: person.sellerId ?? '' })),
      'sellers.isLeaving',
    );
    await refused(approve(asAdmin, pending.id), 'products.notPending');
    await refused(restoreProduct(asAdmin, removed.id), 'sellers.isLeaving');
    const visitor = market.visitor();
    expect(
      (
        await market.call(`/api/products/${shown.id}/contact`, {
          json: { consent: true },
          as: visitor,
        })
      ).body.error.code,
    ).toBe('contact.notAvailable');

    await stay(await market.ctx(person));
    expect((await relist(await market.ctx(person), shown.id)).status).toBe('approved');
    expect((await relist(await market.ctx(person), pending.id)).status).toBe('pending');
    await runQueue(market);
    expect(await slotOf(market, shown.id)).toBeDefined();
  });

  test('ends the other sessions, keeps this one, and sends a mail with the date', async () => {
    const person = await signUpMember(market, { language: 'fr' });
    await market.call('/api/auth/sign-in', {
      json: { email: person.email, password: person.password },
      as: market.visitor(),
      language: 'fr',
    });
    expect(await sessionsOf(person)).toHaveLength(2);
    const answer = await market.call('/api/account/leave', { json: password(person), as: person });
    expect(answer.status).toBe(200);
    expect(await sessionsOf(person)).toHaveLength(1);
    expect((await market.call<{ role: string }>('/api/auth/me', { as: person })).body.role).toBe(
      'member',
    );
    const letter = await market.mails.lastTo(person.email);
    expect(letter.subject).toContain('lundi 30 novembre');
    expect(letter.text).toContain('/fr/account');
    // This member never listed or posted.
    expect(letter.text).not.toMatch(/annonces|demandes/);
  });

  test('takes the password, or a sign-in of the last ten minutes where there is none', async () => {
    const person = await signUpMember(market);
    await refused(leave(await as(person), {}), 'validation');
    await refused(leave(await as(person), { password: 'something else' }), 'auth.passwordWrong');
    await googleAlone(person, 11);
    await refused(leave(await as(person), {}), 'account.signInAgain');
    await refused(
      leave({ ...(await chatOf(market, person)), auth: market.auth }, {}),
      'account.signInAgain',
    );
    expect((await rowOf(person))?.leavingAt).toBeNull();
    await googleAlone(person, 9);
    await leave(await as(person), {});
    expect((await rowOf(person))?.leavingAt).toEqual(market.clock.now());
  });

  test('counts wrong passwords with those of every other act that asks for it', async () => {
    const person = await signUpMember(market);
    for (let n = 0; n < 5; n++) {
      await refused(leave(await as(person), { password: 'wrong' }), 'auth.passwordWrong');
      expect(
        (await market.call('/api/account/export', { json: { password: 'wrong' }, as: person })).body
          .error.code,
      ).toBe('auth.passwordWrong');
    }
    await refused(leave(await as(person), password(person)), 'auth.tooManyAttempts');
  });

  test('asked twice goes by the first, with one mail', async () => {
    const person = await signUpMember(market);
    const first = await leave(await as(person), password(person));
    market.clock.advance({ days: 1 });
    expect(await leave(await as(person), password(person))).toEqual(first);
    expect(
      await market.db.select().from(schema.outbox).where(eq(schema.outbox.kind, 'deletionAsked')),
    ).toHaveLength(1);
  });

  test('keeps a member from becoming a seller meanwhile, in either order', async () => {
    const person = await signUpMember(market);
    const profile = { userId: person.userId, email: person.email };
    const contexts = [
      await as(person),
      { ...(await market.ctx(person)), db: market.database.another({ max: 2 }).db },
    ] as const;
    const settled = await collide<unknown>(
      market.sql,
      `select 1 from "user" where id = '${person.userId}' for update`,
      [
        () => leave(contexts[0], password(person)),
        () =>
          contexts[1].db.transaction((db) =>
            createProfile(asTx({ ...contexts[1], db }), profile, { name: 'Late' }),
          ),
      ],
    );
    expect(outcomesOf(settled)).toContain('kept');
    const [row] = await market.db.select().from(sellers).where(eq(sellers.userId, person.userId));
    // In either order, a profile that exists leaves too.
    expect(row?.leavingAt ?? market.clock.now()).toEqual(market.clock.now());
  });
});

describe('changing one’s mind', () => {
  test('restores the account, tells the person, and the job lets it live', async () => {
    const person = await signUpSeller(market);
    await leave(await as(person), password(person));
    market.clock.advance({ days: 6, hours: 23 });
    expect(await market.call('/api/account/stay', { method: 'POST', as: person })).toMatchObject({
      status: 200,
      body: { stayed: true },
    });
    expect((await rowOf(person))?.leavingAt).toBeNull();
    expect((await market.mails.lastTo(person.email)).subject).toBe('Your account stays');
    expect(await graceOver()).toEqual({ deleted: 0 });
    expect(await rowOf(person)).toBeDefined();
  });

  test('says nothing where nobody wanted to leave', async () => {
    const person = await signUpMember(market);
    market.mails.clear();
    await stay(await market.ctx(person));
    expect(
      await market.db.select().from(schema.outbox).where(eq(schema.outbox.kind, 'deletionKept')),
    ).toEqual([]);
  });

  test('leaves a suspension as it is', async () => {
    const person = await signUpSeller(market);
    await suspend(market, person);
    await leave(await as(person), password(person));
    await stay(await market.ctx(person));
    const [row] = await market.db.select().from(sellers).where(eq(sellers.userId, person.userId));
    expect(row).toMatchObject({ suspended: true, leavingAt: null });
  });
});

describe('the last admin', () => {
  test('cannot go, and of two at once one stays', async () => {
    const contexts = [await as(admin), await as(other, market.database.another({ max: 2 }).db)];
    expect(await outcomes(contexts.map((ctx) => leave(ctx, password(admin))))).toEqual([
      'account.lastAdmin',
      'kept',
    ]);
    const staying = (await rowOf(admin))?.leavingAt ? other : admin;
    expect(
      await market.call('/api/account/leave', { json: password(staying), as: staying }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: 'account.lastAdmin' } },
    });
  });

  test('is kept by the job too, when the one who stayed is one no more', async () => {
    await leave(await as(admin), password(admin));
    await market.db
      .update(schema.user)
      .set({ role: 'member' })
      .where(eq(schema.user.id, other.userId));
    try {
      expect(await graceOver()).toEqual({ deleted: 0 });
    } finally {
      await market.db
        .update(schema.user)
        .set({ role: 'admin' })
        .where(eq(schema.user.id, other.userId));
    }
    expect(await rowOf(admin)).toBeDefined();
  });
});
