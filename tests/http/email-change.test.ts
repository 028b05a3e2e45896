import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { schema } from '../../db/client.ts';
import { accountActions } from '../support/account.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
} from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { emailChanges } from '../support/emailChange.ts';
import { tokenIn } from '../support/mail.ts';

const market = await testApp();
const { googleAlone, rowOf, as } = accountActions(market);
const { ask, post, confirm, change, lastToken } = emailChanges(market);
const { emailChanges: changes, sellers, user } = schema;
beforeEach(() => market.reset());

let count = 0;
const fresh = () => `new${++count}@example.test`;
const codeOf = async (answer: ReturnType<typeof ask>) => (await answer).body.error?.code;
const subjects = async (address: string) =>
  (await market.mails.allTo(address)).map(({ subject }) => subject);
const pendingOf = async (person: Person) =>
  (
    await market.call<{ emailChange: { email: string; here: boolean } | null }>('/api/account', {
      as: person,
    })
  ).body.emailChange;
const signIn = (email: string, password: string, as = market.visitor()) =>
  market.call('/api/auth/sign-in', { json: { email, password }, as });
async function elsewhere({ email, password }: Person) {
  const jar = market.visitor();
  expect((await signIn(email, password, jar)).status).toBe(200);
  return jar;
}

describe('asking for another address', () => {
  test('takes the password, changes nothing yet, and mails the new address alone', async () => {
    const person = await signUpMember(market);
    const email = fresh();
    expect(await codeOf(ask(person, email, { password: 'another one' }))).toBe(
      'auth.passwordWrong',
    );
    expect((await post('', person, { email })).body.error).toMatchObject({
      code: 'validation',
      fields: [{ path: 'password', code: 'required' }],
    });
    expect((await ask(person, `  ${email.toUpperCase()} `)).body).toEqual({ sent: true });
    expect(await rowOf(person)).toMatchObject({ email: person.email });
    expect(await pendingOf(person)).toMatchObject({ email, here: true });
    expect(await subjects(email)).toEqual(['Confirm your new email address']);
    expect(await subjects(person.email)).not.toContain(
      'The email address of your account was changed',
    );
    // Another spelling of the same mailbox is the present address.
    expect(await codeOf(ask(person, person.email.toUpperCase()))).toBe('account.emailSame');
    expect(await codeOf(ask(person, 'nōn@example.test'))).toBe('validation');
  });

  test('asks who has no password for a young sign-in instead', async () => {
    const person = await signUpMember(market);
    await googleAlone(person, 11);
    expect((await post('', person, { email: fresh() })).body.error?.code).toBe(
      'account.signInAgain',
    );
    await googleAlone(person, 9);
    expect((await post('', person, { email: fresh() })).status).toBe(200);
  });

  test('asks for the second factor where there is one, after the password', async () => {
    const admin = await signInAdmin(market);
    const factor = (path: string, json: object) =>
      market.call<{ secret: string }>(`/api/admin/second-factor${path}`, { json, as: admin });
    const { secret } = (await factor('/begin', { password: admin.password })).body;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: market.clock.now().getTime(),
      });
    await factor('/confirm', { code: code() });
    market.clock.advance({ seconds: 30 });
    const email = fresh();
    expect(await codeOf(ask(admin, email, { password: 'wrong one' }))).toBe('auth.passwordWrong');
    expect(await codeOf(ask(admin, email))).toBe('auth.codeNeeded');
    expect(await codeOf(ask(admin, email, { code: '000000' }))).toBe('auth.codeWrong');
    expect(await market.db.$count(changes)).toBe(0);
    expect((await ask(admin, email, { code: code() })).status).toBe(200);
    expect(await confirm(await lastToken(email), admin)).toBe('done');
    expect(await rowOf(admin)).toMatchObject({ email, role: 'admin' });
  });

  test('answers alike whether an address is free, an account’s, or was one lately, and tells its holder', async () => {
    const [person, other, mover] = [
      await signUpMember(market),
      await signUpMember(market),
      await signUpMember(market),
    ];
    await change(mover, fresh());
    const seen = [];
    for (const email of [fresh(), other.email, mover.email]) {
      seen.push(await ask(person, email).then(({ status, body }) => ({ status, body })));
      expect(await pendingOf(person)).toMatchObject({ email, here: true });
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect((await market.mails.lastTo(other.email)).text).toContain(
      'Somebody asked to use this email address for another Marché 54 account.',
    );
    expect(await subjects(mover.email)).toContain('This address cannot be used for an account yet');
    for (const address of [other.email, mover.email])
      expect((await market.mails.lastTo(address)).text).not.toContain('token=');
  });

  test('sends a stranger three mails an hour and an account five, whoever asks', async () => {
    const [one, other] = [await signUpMember(market), await signUpMember(market)];
    const victim = fresh();
    for (const person of [one, other, one, other])
      expect((await ask(person, victim)).status).toBe(200);
    expect(await subjects(victim)).toHaveLength(3);
    for (let n = 0; n < 3; n++) expect((await post('/resend', one)).status).toBe(200);
    expect(await codeOf(post('/resend', one))).toBe('auth.tooManyAttempts');
    expect(await subjects(victim)).toHaveLength(3);
    // Its owner can still sign up: those mails have another limit.
    await market.call('/api/auth/sign-up', {
      json: {
        email: victim,
        password: 'a good password',
        name: 'Victim',
        selling: false,
        agreed: '0',
      },
      as: market.visitor(),
    });
    expect(await subjects(victim)).toHaveLength(4);
  });

  test('is refused while the account leaves', async () => {
    const person = await signUpMember(market);
    const email = fresh();
    await ask(person, email);
    await market.call('/api/account/leave', { json: { password: person.password }, as: person });
    expect(await codeOf(ask(person, fresh()))).toBe('account.leaving');
    expect(await confirm(await lastToken(email), person)).toBe('account.leaving');
  });
});

describe('the link to the new address', () => {
  test('changes the address once, in the session that asked, and a profile follows', async () => {
    const person = await signUpSeller(market);
    const email = fresh();
    await ask(person, email);
    const token = await lastToken(email);
    expect(await confirm(token, await elsewhere(person))).toBe('account.otherSession');
    expect(await confirm(token)).toBe('signInRequired');
    expect(await confirm(token, await signUpMember(market))).toBe('auth.linkInvalid');
    expect(await confirm('guessed', person)).toBe('auth.linkInvalid');
    expect(await rowOf(person)).toMatchObject({ email: person.email });
    expect(await confirm(token, person)).toBe('done');
    expect(await confirm(token, person)).toBe('auth.linkUsed');
    expect(await rowOf(person)).toMatchObject({ email, emailVerified: true });
    const [profile] = await market.db
      .select()
      .from(sellers)
      .where(eq(sellers.userId, person.userId));
    expect(profile?.email).toBe(email);
    expect((await signIn(email, person.password)).status).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    const notice = await market.mails.lastTo(person.email);
    expect(notice.subject).toBe('The email address of your account was changed');
    expect(notice.text).toContain('n•••@e•••.test');
    expect(notice.text).not.toContain(email);
    expect(await subjects(email)).toEqual([
      'Confirm your new email address',
      'Your account has a new email address',
    ]);
    const [line] = await market.db
      .select()
      .from(schema.auditLog)
      .where(eq(schema.auditLog.action, 'account.email.change'));
    expect(line).toMatchObject({ subjectId: person.userId, actorId: person.userId });
    expect(JSON.stringify(line)).not.toContain(email);
  });

  test('is over after an hour, when it is asked for again, and when it is given up', async () => {
    const person = await signUpMember(market);
    const [first, second] = [fresh(), fresh()];
    await ask(person, first);
    const old = await lastToken(first);
    await ask(person, second);
    expect(await confirm(old, person)).toBe('auth.linkInvalid');
    const earlier = await lastToken(second);
    expect((await post('/resend', person)).status).toBe(200);
    const token = await lastToken(second);
    expect(await confirm(earlier, person)).toBe('auth.linkInvalid');
    expect(await codeOf(post('/resend', await elsewhere(person)))).toBe('account.otherSession');
    market.clock.advance({ minutes: 60 });
    expect(await confirm(token, person)).toBe('auth.linkExpired');
    expect(await codeOf(post('/resend', person))).toBe('auth.linkExpired');
    expect(await pendingOf(person)).toBeNull();
    await ask(person, first);
    await market.call('/api/account/email/change', { method: 'DELETE', as: person });
    expect(await confirm(await lastToken(first), person)).toBe('auth.linkInvalid');
    expect(await rowOf(person)).toMatchObject({ email: person.email });
  });

  test('used twice at once changes the address once', async () => {
    const person = await signUpMember(market);
    const email = fresh();
    await ask(person, email);
    const token = await lastToken(email);
    const said = await Promise.all([confirm(token, person), confirm(token, person)]);
    expect(said.sort()).toEqual(['auth.linkUsed', 'done']);
    expect(await market.db.$count(changes)).toBe(1);
  });

  test('goes to whoever proves the mailbox first: a sign-up there, or the change', async () => {
    const [one, other] = [await signUpMember(market), await signUpMember(market)];
    const [taken, won] = [fresh(), fresh()];
    const signUp = async (email: string) => {
      const jar = market.visitor();
      await market.call('/api/auth/sign-up', {
        json: { email, password: 'a good password', name: 'Somebody', selling: false, agreed: '0' },
        as: jar,
      });
      return { jar, token: tokenIn(await market.mails.lastTo(email)) };
    };
    const verify = async ({ jar, token }: Awaited<ReturnType<typeof signUp>>) =>
      (
        await market.call<{ error?: { code: string } }>('/api/auth/verify-email', {
          json: { token },
          as: jar,
        })
      ).status;
    await ask(one, taken);
    const late = await lastToken(taken);
    expect(await verify(await signUp(taken))).toBe(200);
    expect(await confirm(late, one)).toBe('auth.emailTaken');
    await ask(other, won);
    const first = await lastToken(won);
    const waiting = await signUp(won);
    expect(await confirm(first, other)).toBe('done');
    expect(await verify(waiting)).toBe(410);
  });

  test('ends the links that were mailed to the old address: later ones go to the new one alone', async () => {
    const person = await signUpMember(market);
    const email = fresh();
    const forgot = (address: string) =>
      market.call('/api/auth/forgot-password', { json: { email: address } });
    await forgot(person.email);
    const reset = await lastToken(person.email);
    await market.call('/api/auth/sign-in-link', { json: { email: person.email } });
    const link = await lastToken(person.email);
    await change(person, email);
    expect(
      (
        await market.call('/api/auth/reset-password', {
          json: { token: reset, password: 'a new password' },
        })
      ).status,
    ).toBe(410);
    expect(
      (
        await market.call('/api/auth/sign-in-link/use', {
          json: { token: link },
          as: market.visitor(),
        })
      ).status,
    ).toBe(410);
    await forgot(person.email);
    expect((await market.mails.lastTo(person.email)).subject).toBe(
      'This address cannot be used for an account yet',
    );
    await forgot(email);
    expect((await market.mails.lastTo(email)).subject).toBe('Choose a new password');
  });
});

describe('the former address', () => {
  const signUp = async (email: string, selling = false) => {
    const jar = market.visitor();
    const answer = await market.call<{ error?: { code: string } }>('/api/auth/sign-up', {
      json: {
        email,
        password: 'quite another one',
        name: 'Somebody',
        agreed: '0',
        selling,
        ...(selling && { whatsapp: '677000111', location: 'Douala' }),
      },
      as: jar,
    });
    return { jar, ...answer };
  };

  test('is nobody else’s for seven days: sign-up, another account, an admin; then it is free', async () => {
    const [person, other] = [await signUpMember(market), await signUpMember(market)];
    await change(person, fresh());
    const old = person.email;
    expect((await signUp(fresh())).body).toEqual((await signUp(old)).body);
    expect((await market.mails.lastTo(old)).subject).toBe(
      'This address cannot be used for an account yet',
    );
    expect(
      await market.db.$count(schema.pendingSignUps, eq(schema.pendingSignUps.email, old)),
    ).toBe(0);
    const newAdmin = { email: old, name: 'Admin', password: 'Secret-12345' };
    await expect(createAdmin(await as(other), newAdmin)).rejects.toThrow(
      'can take it back for seven days',
    );
    // Its own account may take it again at once.
    const again = await signUpMember(market);
    await change(again, fresh());
    expect((await ask(again, again.email)).status).toBe(200);
    expect(await confirm(await lastToken(again.email), again)).toBe('done');
    market.clock.advance({ days: 7 });
    const { jar } = await signUp(old);
    expect(
      (
        await market.call('/api/auth/verify-email', {
          json: { token: await lastToken(old) },
          as: jar,
        })
      ).status,
    ).toBe(200);
  });

  test('stays closed to a suspended seller, also after the seven days', async () => {
    const person = await signUpSeller(market);
    await suspend(market, person);
    await change(person, fresh());
    market.clock.advance({ days: 8 });
    await market.call('/api/auth/me', { as: person });
    expect((await signUp(person.email, true)).body.error?.code).toBe('sellers.barred');
  });

  test('carries a bar over to the new one', async () => {
    const person = await signUpMember(market);
    await market.db.insert(schema.barredEmails).values({ email: person.email });
    const email = fresh();
    await change(person, email);
    expect((await signUp(email, true)).body.error?.code).toBe('sellers.barred');
    const profile = { name: 'Seller', whatsapp: '677000222', location: 'Douala' };
    const made = await market.call<{ error?: { code: string } }>('/api/auth/profile', {
      method: 'PUT',
      json: profile,
      as: person,
    });
    expect(made.body.error?.code).toBe('sellers.barred');
    expect(await market.db.$count(sellers, eq(sellers.userId, person.userId))).toBe(0);
  });

  test('of a seller is not changed into one that is barred', async () => {
    const person = await signUpSeller(market);
    const email = fresh();
    await market.db.insert(schema.barredEmails).values({ email });
    expect(await codeOf(ask(person, email))).toBe('sellers.barred');
    expect(await market.db.$count(user, eq(user.email, email))).toBe(0);
  });
});
