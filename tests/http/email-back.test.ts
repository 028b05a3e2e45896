import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { removeSeller } from '../../api/sellers/remove.ts';
import { forgetOldRows } from '../../api/upkeep/forget.ts';
import { schema } from '../../db/client.ts';
import { accountActions } from '../support/account.ts';
import { type Person, signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { emailChanges } from '../support/emailChange.ts';
import { chatting } from '../support/talk.ts';

const market = await testApp();
const { rowOf, sessionsOf } = accountActions(market);
const { ask, confirm, change, takeBack, lastToken } = emailChanges(market);
const { emailChanges: changes, account, sellers, barredEmails, outbox } = schema;
beforeEach(() => market.reset());

let count = 0;
const fresh = () => `thief${++count}@example.test`;
const google = async ({ userId }: Person, id: string) => {
  const at = market.clock.now();
  await market.db
    .insert(account)
    .values({ id, accountId: id, providerId: 'google', userId, createdAt: at, updatedAt: at });
};
const waysOf = async ({ userId }: Person) =>
  (
    await market.db
      .select({ id: account.accountId, provider: account.providerId })
      .from(account)
      .where(eq(account.userId, userId))
  ).map(({ id, provider }) => (provider === 'google' ? id : provider));

describe('taking an account back', () => {
  test('needs no session, and ends sessions, password, and what was connected since, but not what was there before', async () => {
    const person = await signUpSeller(market);
    await google(person, `before ${person.userId}`);
    const own = await chatting(market, { person, address: 'own phone' });
    market.clock.advance({ minutes: 5 });
    const thief = fresh();
    const token = await change(person, thief);
    await google(person, `since ${person.userId}`);
    const theirs = await chatting(market, { person, address: 'their phone' });
    const again = market.visitor();
    await market.call('/api/auth/sign-in', {
      json: { email: thief, password: person.password },
      as: again,
    });
    await market.call('/api/auth/sign-in-link', { json: { email: thief } });
    const link = await lastToken(thief);
    market.mails.clear();

    expect(await takeBack(token)).toBe('done');
    expect(await rowOf(person)).toMatchObject({ email: person.email, emailVerified: true });
    const [profile] = await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.userId, person.userId));
    expect(profile?.email).toBe(person.email);
    expect(await sessionsOf(person)).toEqual([]);
    expect(await waysOf(person)).toEqual([`before ${person.userId}`]);
    expect([(await own.row())?.userId, (await theirs.row())?.userId]).toEqual([
      person.userId,
      null,
    ]);
    expect(
      (
        await market.call('/api/auth/sign-in-link/use', {
          json: { token: link },
          as: market.visitor(),
        })
      ).status,
    ).toBe(410);
    for (const email of [person.email, thief])
      expect(
        (
          await market.call('/api/auth/sign-in', {
            json: { email, password: person.password },
            as: market.visitor(),
          })
        ).status,
      ).toBe(401);
    expect((await market.mails.lastTo(person.email)).subject).toBe(
      'Your account has this address again',
    );
    expect((await market.mails.lastTo(thief)).subject).toBe(
      'This address no longer belongs to the account',
    );
    expect(await takeBack(token)).toBe('auth.linkUsed');
    // The owner can choose a new password, and the other address is free again.
    await market.call('/api/auth/forgot-password', { json: { email: person.email } });
    const reset = await lastToken(person.email);
    expect(
      (
        await market.call('/api/auth/reset-password', {
          json: { token: reset, password: 'a new password' },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await market.call('/api/auth/sign-in', {
          json: { email: person.email, password: 'a new password' },
          as: market.visitor(),
        })
      ).status,
    ).toBe(200);
    const lines = await market.db
      .select()
      .from(schema.auditLog)
      .where(eq(schema.auditLog.action, 'account.email.takeBack'));
    expect(lines).toMatchObject([
      { subjectId: person.userId, before: { email: 't•••@e•••.test' } },
    ]);
  });

  test('works for seven days, and opening its address does nothing', async () => {
    const [late, other] = [await signUpMember(market), await signUpMember(market)];
    const [first, second] = [await change(late, fresh()), await change(other, fresh())];
    expect(await takeBack('guessed')).toBe('auth.linkInvalid');
    expect((await market.request(`/api/account/email/take-back?token=${first}`)).status).toBe(405);
    market.clock.advance({ days: 7, milliseconds: -1 });
    expect(await takeBack(second)).toBe('done');
    market.clock.advance({ milliseconds: 1 });
    expect(await takeBack(first)).toBe('auth.linkExpired');
  });

  test('has the first owner’s link win over every later one', async () => {
    const person = await signUpMember(market);
    const [b, c] = [fresh(), fresh()];
    const toFirst = await change(person, b);
    const toB = await change(person, c, b);
    expect(await takeBack(toB)).toBe('done');
    expect(await rowOf(person)).toMatchObject({ email: b });
    expect(await takeBack(toFirst)).toBe('done');
    expect(await rowOf(person)).toMatchObject({ email: person.email });

    const other = await signUpMember(market);
    const [d, e] = [fresh(), fresh()];
    const [first, second] = [await change(other, d), await change(other, e, d)];
    expect(await takeBack(first)).toBe('done');
    expect(await takeBack(second)).toBe('auth.linkUsed');
    expect(await rowOf(other)).toMatchObject({ email: other.email });
  });

  test('wins over a change back and forth, and over one that waits', async () => {
    const person = await signUpMember(market);
    const [b, c] = [fresh(), fresh()];
    const token = await change(person, b);
    await change(person, person.email, b);
    await ask(person, c);
    const waiting = await lastToken(c);
    const said = await Promise.all([takeBack(token), confirm(waiting, person)]);
    expect(said[0]).toBe('done');
    expect(await takeBack(token)).toBe('auth.linkUsed');
    expect(await rowOf(person)).toMatchObject({ email: person.email });
    expect(await market.db.$count(changes, eq(changes.newEmail, c))).toBeLessThanOrEqual(1);
    expect(await sessionsOf(person)).toEqual([]);
  });

  test('undoes a deletion that was asked for since', async () => {
    const person = await signUpMember(market);
    const token = await change(person, fresh());
    expect(
      (await market.call('/api/account/leave', { json: { password: person.password }, as: person }))
        .status,
    ).toBe(200);
    expect(await takeBack(token)).toBe('done');
    expect(await rowOf(person)).toMatchObject({ leavingAt: null });
  });

  test('leaves a second factor in place', async () => {
    const admin = await signInAdmin(market);
    const token = await change(admin, fresh());
    const now = market.clock.now();
    await market.db
      .insert(schema.secondFactors)
      .values({ userId: admin.userId, secret: 'x', createdAt: now, confirmedAt: now });
    expect(await takeBack(token)).toBe('done');
    expect(
      await market.db.$count(schema.secondFactors, eq(schema.secondFactors.userId, admin.userId)),
    ).toBe(1);
  });
});

describe('what is kept of a change', () => {
  test('is in the download, goes with the account, and no link of it is readable anywhere', async () => {
    const person = await signUpMember(market);
    const email = fresh();
    const token = await change(person, email);
    const { everything, graceOver } = accountActions(market);
    expect(await everything()).not.toContain(token);
    const { id } = (
      await market.call<{ id: string }>('/api/account/export', {
        json: { password: person.password },
        as: person,
      })
    ).body;
    const zip = await (await market.request(`/api/account/export/${id}`, { as: person })).text();
    expect(zip).toContain('address-changes.csv');
    expect(zip).toContain(person.email);
    await market.call('/api/account/leave', { json: { password: person.password }, as: person });
    await graceOver();
    expect(await market.db.$count(changes)).toBe(0);
    const letters = await market.db
      .select({ kind: outbox.kind })
      .from(outbox)
      .where(eq(outbox.recipient, person.email));
    expect(letters).toEqual([]);
  });

  test('goes after the seven days, that of a suspended seller when the suspension ends', async () => {
    const [person, seller, waiting] = [
      await signUpMember(market),
      await signUpSeller(market),
      await signUpMember(market),
    ];
    for (const one of [person, seller]) await change(one, fresh());
    await ask(waiting, fresh());
    const left = async () => {
      await forgetOldRows(market.job('forget-old-rows'));
      return (await market.db.select({ userId: changes.userId }).from(changes))
        .map(({ userId }) => userId)
        .sort();
    };
    const suspended = (on: boolean) =>
      market.db
        .update(sellers)
        .set(
          on
            ? { suspended: true, suspendedReason: 'x', suspendedAt: market.clock.now() }
            : { suspended: false, suspendedReason: null, suspendedAt: null },
        )
        .where(eq(sellers.userId, seller.userId));
    await suspended(true);
    market.clock.advance({ days: 7, milliseconds: -1 });
    expect(await left()).toEqual([person.userId, seller.userId].sort());
    market.clock.advance({ milliseconds: 1 });
    expect(await left()).toEqual([seller.userId]);
    await suspended(false);
    expect(await left()).toEqual([]);
  });

  test('bars both addresses when an admin deletes the seller', async () => {
    const person = await signUpSeller(market);
    const email = fresh();
    await change(person, email);
    await removeSeller(await market.ctx(await signInAdmin(market)), person.sellerId ?? '');
    const barred = (await market.db.select().from(barredEmails)).map((row) => row.email);
    expect(barred).toEqual(expect.arrayContaining([person.email, email]));
  });
});
