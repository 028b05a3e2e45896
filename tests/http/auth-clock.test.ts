import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { storedReset } from '../../api/auth/tokens.ts';
import { schema } from '../../db/client.ts';
import { signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';

const market = await testApp();
const https = await testApp({ env: { PUBLIC_URL: 'https://market.test' } });
beforeEach(() => {
  browser = { jar: new Jar() };
  return market.reset({ accounts: true });
});

const who = {
  email: 'ngono@example.test',
  password: 'a good password',
  name: 'Ngono',
  agreed: '0',
};
let browser = { jar: new Jar() };
const signUp = () => market.call('/api/auth/sign-up', { json: who, as: browser });
const verify = (token: string, language: 'en' | 'fr' = 'en') =>
  market.call('/api/auth/verify-email', { json: { token }, language, as: browser });
const signIn = (password = who.password, address = '10.0.0.1') =>
  market.call('/api/auth/sign-in', { json: { email: who.email, password }, address });

describe('a verification link by the clock', () => {
  test('is good for 24 hours and not a moment longer', async () => {
    await signUp();
    const token = tokenIn(await market.mails.lastTo(who.email));
    market.clock.advance({ hours: 24 });
    expect(await verify(token)).toMatchObject({
      status: 410,
      body: {
        error: {
          code: 'auth.linkExpired',
          message: 'This link has expired. Your account is unchanged. Ask for a new link.',
        },
      },
    });
    expect((await verify(token, 'fr')).body.error.message).toBe(
      'Ce lien a expiré. Votre compte n’a pas changé. Demandez un nouveau lien.',
    );
    market.clock.advance({ milliseconds: -1 });
    expect((await verify(token)).status).toBe(200);
  });

  test('can be asked for again when it has expired, for three days', async () => {
    await signUp();
    const again = async () => {
      await market.call('/api/auth/resend-verification', {
        json: { email: who.email },
        as: browser,
      });
      return tokenIn(await market.mails.lastTo(who.email));
    };
    market.clock.advance({ days: 2.9 });
    const second = await again();
    market.clock.advance({ days: 3 });
    expect(await again()).toBe(second);
    expect(await verify(second)).toMatchObject({
      status: 410,
      body: { error: { code: 'auth.linkExpired' } },
    });
    await signUp();
    expect((await verify(tokenIn(await market.mails.lastTo(who.email)))).status).toBe(200);
  });

  test('stays good when others are asked for: whoever asks again makes nobody’s link worthless', async () => {
    await signUp();
    const first = tokenIn(await market.mails.lastTo(who.email));
    market.clock.advance({ hours: 23 });
    expect(
      (
        await market.call('/api/auth/resend-verification', {
          json: { email: who.email },
          as: browser,
        })
      ).status,
    ).toBe(200);
    const second = tokenIn(await market.mails.lastTo(who.email));
    expect(second).not.toBe(first);
    market.clock.advance({ hours: 2 });
    expect(await verify(first)).toMatchObject({
      status: 410,
      body: { error: { code: 'auth.linkExpired' } },
    });
    expect((await verify(second)).status).toBe(200);
    expect(await verify(first)).toMatchObject({
      status: 410,
      body: { error: { code: 'auth.linkUsed' } },
    });
  });
});

describe('attempts to sign in', () => {
  test('are limited by account and address together, and open again after fifteen minutes', async () => {
    const person = await signUpSeller(market, who);
    for (let n = 0; n < 10; n++)
      expect((await signIn('not the password', 'away')).status).toBe(401);
    expect(await signIn(person.password, 'away')).toMatchObject({
      status: 429,
      body: { error: { code: 'auth.challenge' } },
    });
    expect((await signIn(person.password, 'home')).status).toBe(200);
    market.clock.advance({ minutes: 15 });
    expect((await signIn(person.password, 'away')).status).toBe(200);
  });

  test('from many addresses are sixty an hour for an account; then each needs an answer', async () => {
    for (let n = 0; n < 60; n++)
      expect((await signIn('not the password', `10.0.1.${n}`)).status).toBe(401);
    expect(await signIn('not the password', '10.0.2.2')).toMatchObject({
      status: 429,
      body: { error: { code: 'auth.challenge', details: { link: true } } },
    });
    market.clock.advance({ hours: 1 });
    expect((await signIn('not the password', '10.0.2.2')).status).toBe(401);
  });

  test('on one account leave every other one alone', async () => {
    const other = await signUpSeller(market);
    for (let n = 0; n < 12; n++) await signIn('not the password');
    expect(
      (
        await market.call('/api/auth/sign-in', {
          json: { email: other.email, password: other.password },
        })
      ).status,
    ).toBe(200);
  });

  test('are counted also for an address without an account', async () => {
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await signIn('not the password')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe('links asked for', () => {
  test('for a new password are good for one hour', async () => {
    await signUpSeller(market, who);
    await market.call('/api/auth/forgot-password', { json: { email: who.email } });
    const token = tokenIn(await market.mails.lastTo(who.email));
    const [row] = await market.db
      .select()
      .from(schema.verification)
      .where(eq(schema.verification.identifier, storedReset(token)));
    // better-auth uses its own clock here, so only the row can be moved.
    expect(Math.abs((row?.expiresAt.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await market.db.update(schema.verification).set({ expiresAt: new Date(Date.now() - 1000) });
    const late = await market.call('/api/auth/reset-password', {
      json: { token, password: 'a new password' },
    });
    expect(late).toMatchObject({ status: 410, body: { error: { code: 'auth.linkInvalid' } } });
    expect((await signIn()).status).toBe(200);
  });
});

describe('a market on https', () => {
  test('gives its cookies to https alone', async () => {
    const jar = new Jar();
    await signUpSeller(https, { ...who, email: 'secure@example.test' });
    const { headers } = await https.call('/api/auth/sign-in', {
      json: { email: 'secure@example.test', password: who.password },
      as: { jar },
    });
    expect(headers.getSetCookie().find((line) => line.includes('session_token='))).toMatch(
      /^__Secure-marche54\.session_token=.*; Secure/i,
    );
    expect((await https.call<{ role: string }>('/api/auth/me', { as: { jar } })).body.role).toBe(
      'seller',
    );
    const preferences = await https.request('/preferences', {
      form: { language: 'fr', theme: 'dark' },
    });
    for (const cookie of preferences.headers.getSetCookie())
      expect(cookie).toMatch(/; HttpOnly.*; Secure.*; SameSite=Lax/i);
  });
});
