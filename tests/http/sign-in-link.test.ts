import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import { type Person, signInAdmin, signUpSeller, suspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fillCounters } from '../support/counters.ts';
import { Jar } from '../support/jar.ts';
import { linkIn, tokenIn } from '../support/mail.ts';

/** Wrong passwords or many mails never lock an owner out (decision 006). */
const market = await testApp();
let owner: Person;
beforeEach(async () => {
  await market.reset({ accounts: true });
  owner = await signUpSeller(market, { email: 'owner@example.test' });
  market.mails.clear();
});

type Body = { next: string; error: { code: string } };
const post = (path: string, json: object, { jar = new Jar(), address = 'home' } = {}) =>
  market.call<Body>(`/api/auth/${path}`, { json, as: { jar }, address });
const ask = (email = owner.email, address = 'home') => post('sign-in-link', { email }, { address });
const open = (token: string, code?: string, jar = new Jar()) =>
  post('sign-in-link/use', { token, ...(code === undefined ? {} : { code }) }, { jar });
const said = ({ status, body }: Awaited<ReturnType<typeof post>>) =>
  status === 200 ? 'in' : body.error.code;
const roleOf = async (jar: Jar) =>
  (await market.call<{ role: string }>('/api/auth/me', { as: { jar } })).body.role;
const letters = async (email = owner.email) =>
  (await market.mails.allTo(email)).map(({ subject }) => subject);
const lastToken = async (email = owner.email) => tokenIn(await market.mails.lastTo(email));
const signIn = (password: string, address: string) =>
  post('sign-in', { email: owner.email, password }, { address });

/** Turns an admin's second factor on and moves to the next code. */
async function withFactor(admin: Person): Promise<(seconds?: number) => string> {
  const door = (path: string, json: object) =>
    market.call<{ secret: string }>(`/api/admin/second-factor${path}`, { json, as: admin });
  const { secret } = (await door('/begin', { password: admin.password })).body;
  const codeOf = (seconds = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: market.clock.now().getTime() + seconds * 1000,
    });
  expect((await door('/confirm', { code: codeOf() })).status).toBe(200);
  market.clock.advance({ seconds: 30 });
  return codeOf;
}

describe('wrong passwords of a stranger', () => {
  test('keep the owner out neither at once nor, from many addresses, for good: a mailed link gets past them', async () => {
    for (let n = 0; n < 11; n++) await signIn('not the password', 'away');
    expect((await signIn(owner.password, 'home')).status).toBe(200);
    await signIn('not the password', 'home');
    await fillCounters(market, 'sign-in:account:%', 120);
    expect(said(await signIn(owner.password, 'home'))).toBe('auth.tooManyAttempts');
    expect((await ask()).body).toEqual({ sent: true });
    const mail = await market.mails.lastTo(owner.email);
    expect([mail.subject, linkIn(mail).pathname]).toEqual([
      'Your sign-in link',
      '/en/sign-in-link',
    ]);
    const jar = new Jar();
    expect((await open(tokenIn(mail), undefined, jar)).body).toEqual({ next: '/seller/dashboard' });
    expect(await roleOf(jar)).toBe('seller');
    // A proven mailbox resets the count.
    expect((await signIn(owner.password, 'home')).status).toBe(200);
  });

  test('keep an admin out of nothing either, and a second factor is still asked for', async () => {
    const admin = await signInAdmin(market, { email: 'admin@example.test', password: 'secret' });
    const codeOf = await withFactor(admin);
    const tryIn = (password: string, address: string) =>
      post('admin/sign-in', { email: admin.email, password }, { address });
    // Without the password no code counts as a try.
    for (let n = 0; n < 10; n++)
      expect(
        said(
          await post(
            'admin/sign-in',
            { email: admin.email, password: 'not the password', code: '000000' },
            { address: 'away' },
          ),
        ),
      ).toBe('auth.invalidCredentials');
    expect(said(await tryIn(admin.password, 'away'))).toBe('auth.challenge');
    expect(said(await tryIn(admin.password, 'home'))).toBe('auth.codeNeeded');
    await ask(admin.email);
    const token = await lastToken(admin.email);
    const jar = new Jar();
    expect(said(await open(token, undefined, jar))).toBe('auth.codeNeeded');
    expect(said(await open(token, '000000', jar))).toBe('auth.codeWrong');
    expect(await roleOf(jar)).toBe('visitor');
    // A refused code does not use up the link.
    expect((await open(token, codeOf(), jar)).body).toEqual({ next: '/admin' });
    expect(await roleOf(jar)).toBe('admin');
    expect(said(await open(token, codeOf(30)))).toBe('auth.linkUsed');
  });
});

describe('a sign-in link', () => {
  test('works once, for fifteen minutes, and not before it is posted', async () => {
    await ask();
    const first = await lastToken();
    await ask();
    const second = await lastToken();
    expect((await market.request(`/api/auth/sign-in-link/use?token=${first}`)).status).toBe(405);
    expect(said(await open(first))).toBe('in');
    expect(said(await open(first))).toBe('auth.linkUsed');
    market.clock.advance({ minutes: 15 });
    expect(said(await open(second))).toBe('auth.linkExpired');
    expect(said(await open(`${second}x`))).toBe('auth.linkInvalid');
  });

  test('used by three requests at once signs one of them in', async () => {
    await ask();
    const token = await lastToken();
    const all = await Promise.all([open(token), open(token), open(token)]);
    expect(all.map(said).sort()).toEqual(['auth.linkUsed', 'auth.linkUsed', 'in']);
  });

  test('is kept as a hash alone', async () => {
    await ask();
    expect(JSON.stringify(await market.db.select().from(schema.signInLinks))).not.toContain(
      await lastToken(),
    );
  });

  test('lets a suspended seller see no more than the password does', async () => {
    await suspend(market, owner);
    await ask();
    const jar = new Jar();
    expect(said(await open(await lastToken(), undefined, jar))).toBe('in');
    expect(await roleOf(jar)).toBe('suspendedSeller');
  });

  test('is nobody’s whose account is gone', async () => {
    await ask();
    const token = await lastToken();
    await market.db.delete(schema.user).where(eq(schema.user.id, owner.userId));
    expect(said(await open(token))).toBe('auth.linkInvalid');
  });

  test('is answered alike for an unknown address, which gets no mail', async () => {
    const [known, unknown] = [await ask(), await ask('nobody@example.test')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(await letters('nobody@example.test')).toEqual([]);
  });

  test('for an address that waits for its proof is a verification link', async () => {
    await post('sign-up', {
      email: 'new@example.test',
      password: 'a good password',
      name: 'New',
      agreed: '0',
    });
    market.mails.clear();
    await ask('new@example.test');
    expect(await letters('new@example.test')).toEqual([
      expect.stringMatching(/confirm/i),
      expect.stringMatching(/confirm/i),
    ]);
  });
});

describe('mails that a stranger asks for', () => {
  test('are few, are refused to nobody, and each of them lets the owner in', async () => {
    for (let n = 0; n < 10; n++) expect((await ask(owner.email, `away ${n}`)).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(await letters()).toHaveLength(2);
    const jar = new Jar();
    expect(said(await open(await lastToken(), undefined, jar))).toBe('in');
    // The owner used it, so another can be requested at once.
    await ask();
    expect(await letters()).toHaveLength(3);
  });

  test('are sent again when the last of them has ended', async () => {
    for (let n = 0; n < 3; n++) await ask(owner.email, 'away');
    market.clock.advance({ minutes: 15 });
    await ask();
    expect(await letters()).toHaveLength(3);
    expect(said(await open(await lastToken()))).toBe('in');
  });

  test('for a new password are three an hour, and the owner’s own call is never refused', async () => {
    const forgot = (address: string) =>
      post('forgot-password', { email: owner.email }, { address });
    for (let n = 0; n < 6; n++) await forgot(`away ${n}`);
    expect((await forgot('home')).status).toBe(200);
    const tokens = (await market.mails.allTo(owner.email)).map(tokenIn);
    expect(tokens).toHaveLength(3);
    const reset = (token = '') => post('reset-password', { token, password: 'a new password' });
    expect((await reset(tokens[0])).status).toBe(200);
    // The hour's other links end too, and a new one can be requested at once.
    expect(said(await reset(tokens[1]))).toBe('auth.linkInvalid');
    await forgot('home');
    expect((await letters()).filter((subject) => subject === 'Choose a new password')).toHaveLength(
      4,
    );
  });

  test('are limited by network address, for all forms together: a question after 120 in an hour, and closed after 600', async () => {
    const paths = ['sign-in-link', 'forgot-password', 'resend-verification'];
    const codes = (address: string) =>
      Promise.all(
        paths.map(async (path) =>
          said(await post(path, { email: 'one@example.test' }, { address })),
        ),
      );
    await ask(owner.email, 'away');
    await fillCounters(market, 'letters:address:%', 120);
    expect(await codes('away')).toEqual(paths.map(() => 'auth.challenge'));
    await fillCounters(market, 'letters:address:%', 600);
    expect(await codes('away')).toEqual(paths.map(() => 'auth.tooManyAttempts'));
    expect(await codes('home')).toEqual(paths.map(() => 'in'));
  });
});
