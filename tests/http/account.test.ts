import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { accountActions } from '../support/account.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
} from '../support/actors.ts';
import { type Caller, testApp } from '../support/app.ts';
import { tokenIn } from '../support/mail.ts';

const market = await testApp();
const { googleAlone, sessionsOf, rowOf } = accountActions(market);
beforeEach(() => market.reset());

type Account = {
  name: string;
  sells: boolean;
  hasPassword: boolean;
  fresh: boolean;
  signIns: { provider: string }[];
  sessions: { id: string; browser: string | null; system: string | null; here: boolean }[];
  letters: { kind: string; on: boolean }[];
  goneAt: string | null;
};
type Refused = { error: { code: string; fields?: { path: string; code: string }[] } };
const own = async (as: Caller) => (await market.call<Account>('/api/account', { as })).body;
const put = (path: string, json: object, as: Caller) =>
  market.call<Refused>(`/api/account/${path}`, { method: 'PUT', json, as });
const post = (path: string, as: Caller, json?: object) =>
  market.call<Refused>(`/api/account/${path}`, { method: 'POST', as, ...(json ? { json } : {}) });
/** Another browser of the same person. */
async function elsewhere(
  person: Person,
  userAgent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
): Promise<Caller> {
  const as = market.visitor();
  const { email, password } = person;
  const answer = await market.request('/api/auth/sign-in', {
    json: { email, password },
    as,
    headers: { 'user-agent': userAgent },
    address: email,
  });
  expect(answer.status).toBe(200);
  return as;
}

describe('one’s own account', () => {
  test('tells members, sellers, suspended sellers and admins their own, and no secret', async () => {
    const people = [
      await signUpMember(market),
      await signUpSeller(market),
      await signUpSeller(market),
      await signInAdmin(market),
    ] as const;
    await suspend(market, people[2]);
    for (const person of people) {
      const text = await (await market.request('/api/account', { as: person })).text();
      expect(JSON.parse(text)).toMatchObject({
        email: person.email,
        name: person.name,
        hasPassword: true,
        signIns: [{ provider: 'credential' }],
        goneAt: null,
      });
      const secrets = await market.sql`select password as secret
          from account where user_id = ${person.userId}
          union all select token from session where user_id = ${person.userId}`;
      for (const { secret } of secrets) expect(text).not.toContain(secret);
    }
    expect((await own(people[0])).letters.map(({ kind }) => kind)).toEqual([
      'postResponse',
      'creditsPurchased',
      'paymentInitiated',
      'alertFits',
      'favouritesEndSoon',
    ]);
    expect((await own(people[1])).letters).toContainEqual({ kind: 'productLive', on: true });
  });

  test('takes another name, cleaned, and another language for letters', async () => {
    const person = await signUpMember(market);
    expect((await put('name', { name: '  Ada <b>Mballa</b> ' }, person)).body).toEqual({
      name: 'Ada bMballa/b',
    });
    expect(await put('name', { name: 'x' }, person)).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'name' }] } },
    });
    expect(await put('name', { name: 'Ada', role: 'admin' }, person)).toMatchObject({
      status: 400,
    });
    await put('language', { language: 'fr' }, person);
    expect(await rowOf(person)).toMatchObject({
      name: 'Ada bMballa/b',
      language: 'fr',
      role: 'member',
    });
    await post('password/link', person);
    expect((await market.mails.lastTo(person.email)).subject).toBe(
      'Choisissez un nouveau mot de passe',
    );
  });

  test('switches a letter off and on again, and none that everybody must get', async () => {
    const person = await signUpSeller(market);
    expect((await put('letters/productLive', { on: false }, person)).status).toBe(200);
    expect((await own(person)).letters).toContainEqual({ kind: 'productLive', on: false });
    expect((await put('letters/passwordChanged', { on: false }, person)).status).toBe(400);
    await put('letters/productLive', { on: true }, person);
    expect((await own(person)).letters.every(({ on }) => on)).toBe(true);
  });
});

describe('the password', () => {
  test('changes with the present one, ends the other sessions and links, and is told by mail', async () => {
    const person = await signUpMember(market);
    const phone = await elsewhere(person);
    await market.call('/api/auth/sign-in-link', { json: { email: person.email }, address: 'x' });
    const link = tokenIn(await market.mails.lastTo(person.email));
    expect(
      (
        await put(
          'password',
          { password: 'not this one', newPassword: 'a better password' },
          person,
        )
      ).body.error.code,
    ).toBe('auth.passwordWrong');
    expect(
      (await put('password', { password: person.password, newPassword: 'short' }, person)).body
        .error.fields,
    ).toMatchObject([{ path: 'newPassword' }]);
    expect(
      (
        await put(
          'password',
          { password: person.password, newPassword: 'a better password' },
          person,
        )
      ).status,
    ).toBe(200);
    expect((await market.request('/api/account', { as: phone })).status).toBe(401);
    expect((await market.request('/api/account', { as: person })).status).toBe(200);
    expect((await market.mails.lastTo(person.email)).subject).toBe(
      'Your password has been changed',
    );
    expect(
      (
        await market.request('/api/auth/sign-in-link/use', {
          json: { token: link },
          as: market.visitor(),
        })
      ).status,
    ).toBe(410);
    const signIn = async (password: string) =>
      (
        await market.request('/api/auth/sign-in', {
          json: { email: person.email, password },
          address: 'y',
        })
      ).status;
    expect([await signIn(person.password), await signIn('a better password')]).toEqual([401, 200]);
  });

  test('of an admin has to be strong', async () => {
    const admin = await signInAdmin(market);
    const change = { password: admin.password, newPassword: 'all small letters' };
    expect((await put('password', change, admin)).body.error.fields).toMatchObject([
      { path: 'newPassword', code: 'strongPassword' },
    ]);
    expect(
      (await put('password', { ...change, newPassword: 'Strong enough 9' }, admin)).status,
    ).toBe(200);
  });

  test('is chosen by a mailed link where there is none, and by no request of an open session', async () => {
    const person = await signUpMember(market);
    await googleAlone(person);
    expect((await own(person)).hasPassword).toBe(false);
    expect(
      (
        await put(
          'password',
          { password: 'anything at all', newPassword: 'a first password' },
          person,
        )
      ).body.error.code,
    ).toBe('auth.passwordWrong');
    expect((await post('password/link', person)).status).toBe(200);
    const token = tokenIn(await market.mails.lastTo(person.email));
    expect(
      (
        await market.request('/api/auth/reset-password', {
          json: { token, password: 'a first password' },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await market.request('/api/auth/sign-in', {
          json: { email: person.email, password: 'a first password' },
          as: person,
          address: 'z',
        })
      ).status,
    ).toBe(200);
    expect(await own(person)).toMatchObject({
      hasPassword: true,
      signIns: [{ provider: 'google' }, { provider: 'credential' }],
    });
    for (let n = 0; n < 3; n++) await post('password/link', person);
    expect((await post('password/link', person)).body.error.code).toBe('auth.tooManyAttempts');
  });
});

describe('another way to sign in', () => {
  test('is disconnected with the password, and only where a password remains; the owner is told', async () => {
    const person = await signUpMember(market);
    await market.db
      .insert(schema.account)
      .values({ id: 'g1', accountId: 'sub', providerId: 'google', userId: person.userId });
    const ask = (json: object) => post('sign-ins/google/disconnect', person, json);
    expect((await ask({})).body.error.code).toBe('validation');
    expect((await ask({ password: 'wrong' })).body.error.code).toBe('auth.passwordWrong');
    market.mails.clear();
    expect((await ask({ password: person.password })).status).toBe(200);
    expect((await ask({ password: person.password })).status).toBe(404);
    const subjects = (await market.mails.allTo(person.email)).map(({ subject }) => subject);
    expect(subjects).toEqual(['You can no longer sign in with Google']);
    expect((await own(person)).signIns).toMatchObject([{ provider: 'credential' }]);
    await googleAlone(person);
    expect(await ask({})).toMatchObject({
      status: 409,
      body: { error: { code: 'account.lastSignIn' } },
    });
    expect((await own(person)).signIns).toMatchObject([{ provider: 'google' }]);
  });
});

describe('sessions', () => {
  test('are named by their device, and end one by one or all others at once', async () => {
    const person = await signUpMember(market);
    const [phone, tablet] = [
      await elsewhere(person),
      await elsewhere(person, 'Mozilla/5.0 (iPad; CPU OS 18_0) Version/18.0 Mobile Safari/604.1'),
    ];
    const odd = await elsewhere(person, 'curl/8');
    const { sessions } = await own(person);
    expect(sessions[0]).toMatchObject({ browser: 'Firefox', system: 'Linux', here: true });
    expect(sessions.map(({ browser, system }) => `${browser} ${system}`).sort()).toEqual([
      'Chrome Android',
      'Firefox Linux',
      'Safari iPad',
      'null null',
    ]);
    const ofPhone = sessions.find(({ system }) => system === 'Android')?.id ?? '';
    expect(
      (await market.call(`/api/account/sessions/${ofPhone}`, { method: 'DELETE', as: person }))
        .status,
    ).toBe(200);
    expect((await market.request('/api/account', { as: phone })).status).toBe(401);
    expect((await market.request('/api/account', { as: tablet })).status).toBe(200);
    expect((await post('sessions/end-others', person)).body).toEqual({ ended: 2 });
    for (const one of [tablet, odd])
      expect((await market.request('/api/account', { as: one })).status).toBe(401);
    expect((await own(person)).sessions).toMatchObject([{ here: true }]);
  });

  test('of somebody else cannot be ended, and look as if they were not there', async () => {
    const [person, other] = [await signUpMember(market), await signUpMember(market)];
    const [theirs] = await sessionsOf(other);
    expect(
      (await market.call(`/api/account/sessions/${theirs?.id}`, { method: 'DELETE', as: person }))
        .status,
    ).toBe(404);
    await post('sessions/end-others', person);
    expect(await sessionsOf(other)).toHaveLength(1);
  });

  test('an account without a password is told whether its own is fresh', async () => {
    const person = await signUpMember(market);
    await googleAlone(person, 9);
    expect((await own(person)).fresh).toBe(true);
    await googleAlone(person, 11);
    expect((await own(person)).fresh).toBe(false);
    expect(
      await market.db.select().from(schema.account).where(eq(schema.account.userId, person.userId)),
    ).toHaveLength(1);
  });
});
