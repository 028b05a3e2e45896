import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { equalTimeMs } from '../../api/services.ts';
import { schema } from '../../db/client.ts';
import { signInAdmin, signUpMember, signUpSeller } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { linkIn, tokenIn } from '../support/mail.ts';

/**
 * Each test has its own people, and only auth-clock.test.ts moves the clock, so these tests share a
 * market.
 */
const market = await testApp();
const { user, sellers, session, outbox } = schema;
let people = 0;
const person = (overrides: Record<string, unknown> = {}) => ({
  email: `new${++people}@example.test`,
  password: 'a good password',
  name: 'Ngono',
  ...overrides,
});
const jar = () => ({ jar: new Jar() });
const signUp = (json: Record<string, unknown>, options = {}) =>
  market.call<
    { next: string; profileFailed: boolean } & { error: { code: string; message: string } }
  >('/api/auth/sign-up', { json: { agreed: '0', ...json }, ...options });
const verify = (token: string, options = {}) =>
  market.call('/api/auth/verify-email', { json: { token }, ...options });
const signIn = (email: string, password = 'a good password', options = {}) =>
  market.call('/api/auth/sign-in', { json: { email, password }, ...options });
const me = async (as: { jar: Jar }) =>
  (
    await market.call<{ role: string; name: string | null; seller: { whatsapp: string } | null }>(
      '/api/auth/me',
      { as },
    )
  ).body;
const userOf = async (email: string) =>
  (await market.db.select().from(user).where(eq(user.email, email)))[0];

describe.concurrent('sign-up', () => {
  test('mails a link in the page’s language that verifies and signs in', async () => {
    const who = person({ whatsapp: '699 11 22 33', location: 'Kribi, South' });
    const browser = jar();
    const { status, body } = await signUp(who, { as: browser, language: 'fr' });
    expect([status, body]).toEqual([200, { waits: true, profileFailed: false }]);
    expect((await me(browser)).role).toBe('visitor');
    const mail = await market.mails.lastTo(who.email);
    expect(mail.subject).toBe('Confirmez votre adresse e‑mail');
    const link = linkIn(mail);
    expect(`${link.origin}${link.pathname}`).toBe('http://market.test/fr/email-verification');
    const verified = await verify(tokenIn(mail), { as: browser });
    expect([verified.status, verified.body]).toEqual([
      200,
      { email: who.email, profileFailed: false, next: '/seller/dashboard' },
    ]);
    expect(await me(browser)).toMatchObject({
      role: 'seller',
      name: 'Ngono',
      seller: {
        whatsapp: '+237699112233',
        location: 'Kribi, South',
        verified: false,
        suspended: false,
      },
    });
  });

  test('keeps a hash of the link alone', async () => {
    const who = person();
    await signUp(who);
    const token = tokenIn(await market.mails.lastTo(who.email));
    const links = await market.db.select().from(schema.signUpLinks);
    expect(JSON.stringify(links)).not.toContain(token);
    const stored = await market.db
      .select()
      .from(schema.pendingSignUps)
      .where(eq(schema.pendingSignUps.email, who.email));
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(who.password);
  });

  test('asks for hashes that cost who guesses (decision 006); tests take cheaper ones', async () => {
    const asked = vi.spyOn(Bun.password, 'hash');
    const { password } = person();
    await (await market.auth.$context).password.hash(password);
    expect(asked).toHaveBeenCalledWith(password, {
      algorithm: 'argon2id',
      memoryCost: 19_456,
      timeCost: 2,
    });
    asked.mockRestore();
  });

  test('takes one address for one account, in whatever case it is typed', async () => {
    const who = person();
    const browser = jar();
    await signUp(who, { as: jar() });
    await signUp({ ...who, email: ` ${who.email.toUpperCase()} ` }, { as: browser });
    for (const mail of await market.mails.allTo(who.email))
      await verify(tokenIn(mail), { as: browser });
    expect(await market.db.select().from(user).where(eq(user.email, who.email))).toHaveLength(1);
  });

  test('of a verified address with the right password signs in', async () => {
    const known = await signUpMember(market);
    const browser = jar();
    const { body } = await signUp(
      { email: known.email, password: known.password, name: 'Ngono' },
      { as: browser },
    );
    expect(body).toEqual({ waits: false, profileFailed: false });
    expect((await me(browser)).role).toBe('seller');
  });

  test('of a verified address with a wrong password answers as for a new one and tells the owner', async () => {
    const known = await signUpSeller(market, { language: 'fr' });
    const browser = jar();
    const { status, body, headers } = await signUp(
      { email: known.email, password: 'another password', name: 'Stranger' },
      { as: browser },
    );
    expect([status, body]).toEqual([200, { waits: true, profileFailed: false }]);
    // The same cookie as everybody gets; no session.
    const first = await signUp(person());
    const namesOf = (given: Headers) =>
      given.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
    expect(namesOf(headers)).toEqual(namesOf(first.headers));
    expect(browser.jar.has('session_token')).toBe(false);
    expect((await market.mails.lastTo(known.email)).subject).toBe('Vous avez déjà un compte');
    expect((await userOf(known.email))?.name).toBe(known.name);
  });

  test('of a barred address is refused a profile', async () => {
    const who = person();
    await market.db.insert(schema.barredEmails).values({ email: who.email });
    expect(await signUp(who, { language: 'fr' })).toMatchObject({
      status: 403,
      body: { error: { code: 'sellers.barred' } },
    });
    expect(await market.db.select().from(sellers).where(eq(sellers.email, who.email))).toEqual([]);
  });

  test('goes on without a profile when that fails, and says so', async () => {
    const who = person({ name: 'Cursed' });
    await market.sql.unsafe(
      "alter table sellers add constraint no_cursed check (name <> 'Cursed') not valid",
    );
    const browser = jar();
    expect((await signUp(who, { as: browser })).body).toEqual({
      waits: true,
      profileFailed: false,
    });
    const verified = await verify(tokenIn(await market.mails.lastTo(who.email)), { as: browser });
    expect(verified.body).toEqual({
      email: who.email,
      profileFailed: true,
      next: '/seller/dashboard',
    });
    expect((await me(browser)).role).toBe('member');
    await market.sql.unsafe('alter table sellers drop constraint no_cursed');
  });

  test('can set neither role nor verification', async () => {
    for (const extra of [
      { role: 'admin' },
      { emailVerified: true },
      { verified: true },
      { user_type: 'admin' },
    ]) {
      expect((await signUp(person(extra))).status).toBe(400);
    }
  });
});

describe('the answer to an address', () => {
  test('takes no less for one call than for another, whoever has an account', async () => {
    const known = await signUpSeller(market);
    const password = 'another password';
    market.services.equalTimeMs = equalTimeMs;
    onTestFinished(() => {
      market.services.equalTimeMs = 1;
    });
    for (const email of [known.email, person().email])
      for (const [path, json] of [
        ['sign-up', { email, password, name: 'Stranger', agreed: '0' }],
        ['resend-verification', { email }],
        ['forgot-password', { email }],
        ['sign-in-link', { email }],
      ] as const) {
        const began = performance.now();
        expect((await market.call(`/api/auth/${path}`, { json })).status).toBe(200);
        // Timers may fire slightly early.
        expect(performance.now() - began).toBeGreaterThan(equalTimeMs - 5);
      }
  });
});

describe.concurrent('a verification link', () => {
  test('works once; the second time it says that it was used', async () => {
    const who = person();
    const as = jar();
    await signUp(who, { as });
    const token = tokenIn(await market.mails.lastTo(who.email));
    expect((await verify(token, { as })).status).toBe(200);
    expect(await verify(token)).toMatchObject({
      status: 410,
      body: {
        error: {
          code: 'auth.linkUsed',
          message: 'This link was already used. Sign in, or ask for a new link.',
        },
      },
    });
    expect((await verify(token, { language: 'fr' })).body.error.message).toBe(
      'Ce lien a déjà servi. Connectez-vous, ou demandez un nouveau lien.',
    );
  });

  test('used by two requests at once signs one of them in', async () => {
    const who = person();
    const as = jar();
    await signUp(who, { as });
    const token = tokenIn(await market.mails.lastTo(who.email));
    const own = as.jar.header();
    const answers = await Promise.all(
      [1, 2, 3].map(() => verify(token, { headers: { cookie: own } })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 410, 410]);
    expect(
      await market.db
        .select()
        .from(session)
        .where(eq(session.userId, (await userOf(who.email))?.id ?? '')),
    ).toHaveLength(1);
  });

  test('that was forged or made up is refused', async () => {
    const who = person();
    await signUp(who);
    const token = tokenIn(await market.mails.lastTo(who.email));
    for (const forged of [`${token}x`, token.slice(0, -2), 'made-up', token.toLowerCase()]) {
      if (forged !== token)
        expect(await verify(forged)).toMatchObject({
          status: 410,
          body: { error: { code: 'auth.linkInvalid' } },
        });
    }
    expect(await userOf(who.email)).toBeUndefined();
  });

  test('is sent again on request, with the same answer for an unknown address', async () => {
    const who = person();
    await signUp(who);
    const known = await market.call('/api/auth/resend-verification', {
      json: { email: who.email },
    });
    const unknown = await market.call('/api/auth/resend-verification', {
      json: { email: 'nobody@example.test' },
    });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(await market.mails.allTo(who.email)).toHaveLength(2);
    expect(await market.mails.allTo('nobody@example.test')).toEqual([]);
  });
});

describe.concurrent('sign-in', () => {
  test('is refused until the address is verified', async () => {
    const who = person();
    await signUp(who);
    expect(await signIn(who.email)).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'auth.emailNotVerified',
          message:
            'Your email address is not confirmed yet. Open the link we sent you, or ask for a new one.',
        },
      },
    });
  });

  test('with a wrong password is refused, in French for who reads French', async () => {
    const who = await signUpSeller(market);
    expect(await signIn(who.email, 'not the password', { language: 'fr' })).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 'auth.invalidCredentials',
          message:
            'L’adresse e‑mail ou le mot de passe n’est pas correct. Vérifiez les deux, ou réinitialisez votre mot de passe.',
        },
      },
    });
  });

  test('says of an unknown address what it says of a wrong password', async () => {
    const who = await signUpSeller(market);
    const wrong = (await signIn(who.email, 'not the password')).body.error;
    const unknown = (await signIn('nobody@example.test', 'not the password')).body.error;
    expect([unknown.code, unknown.message]).toEqual([wrong.code, wrong.message]);
  });

  test('takes a password in whatever form its accents are typed, and lengths count after it', async () => {
    const typed = 'Évènement de août ﬁn';
    const forms = [
      ...new Set((['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((f) => typed.normalize(f))),
    ];
    expect(forms).toHaveLength(4);
    for (const password of forms) {
      const who = await signUpSeller(market, { password });
      for (const other of forms) expect((await signIn(who.email, other)).status).toBe(200);
    }
    const short = person();
    // Eight code points, but four letters with their accents.
    const answer = await signUp({ ...short, password: 'éàùî'.normalize('NFD') });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'password', code: 'tooShort' }] } },
    });
  });

  test('by a hash of before passwords were normalized is let in, and the hash is renewed', async () => {
    const password = 'mot de passe né'.normalize('NFD');
    const who = await signUpSeller(market);
    const { account } = schema;
    const stored = async () =>
      (await market.db.select().from(account).where(eq(account.userId, who.userId)))[0]?.password;
    const old = await Bun.password.hash(password);
    await market.db.update(account).set({ password: old }).where(eq(account.userId, who.userId));
    expect((await signIn(who.email, 'another one né')).status).toBe(401);
    expect(await stored()).toBe(old);
    expect((await signIn(who.email, password.normalize('NFC'))).status).toBe(200);
    const renewed = await stored();
    expect(renewed).not.toBe(old);
    expect(await Bun.password.verify(password.normalize('NFKC'), renewed ?? '')).toBe(true);
    expect((await signIn(who.email, password.normalize('NFC'))).status).toBe(200);
    expect(await stored()).toBe(renewed);
  });

  test('opens the dashboard in any case of letters and remembers the language for mails', async () => {
    const who = await signUpSeller(market);
    const browser = jar();
    expect(
      (await signIn(who.email.toUpperCase(), who.password, { as: browser, language: 'fr' })).status,
    ).toBe(200);
    expect((await me(browser)).role).toBe('seller');
    expect((await userOf(who.email))?.language).toBe('fr');
  });

  test('ends with sign-out, for this session alone', async () => {
    const who = await signUpSeller(market);
    const other = jar();
    await signIn(who.email, who.password, { as: other });
    const stolen = { jar: who.jar.copy() };
    expect((await market.call('/api/auth/sign-out', { method: 'POST', as: who })).body).toEqual({
      signedOut: true,
    });
    expect((await me(who)).role).toBe('visitor');
    expect((await me(stolen)).role).toBe('visitor');
    expect((await me(other)).role).toBe('seller');
    expect((await market.call('/api/auth/sign-out', { method: 'POST', as: who })).status).toBe(200);
  });

  test('by the form without scripts leads to a page of this site', async () => {
    const who = await signUpSeller(market);
    const response = await market.request('/sign-out', {
      form: { returnTo: '//evil.example' },
      as: who,
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect((await me(who)).role).toBe('visitor');
  });
});

describe.concurrent('admin sign-in', () => {
  test('lets an admin in', async () => {
    expect((await me(await signInAdmin(market))).role).toBe('admin');
  });

  test('signs everybody else out again and says so (product §5)', async () => {
    const seller = await signUpSeller(market);
    const browser = jar();
    const before = await market.db.select().from(session).where(eq(session.userId, seller.userId));
    const { status, body, headers } = await market.call('/api/auth/admin/sign-in', {
      json: { email: seller.email, password: seller.password },
      as: browser,
    });
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'auth.notAdmin',
      'Access denied: You do not have admin privileges',
    ]);
    expect(
      headers
        .getSetCookie()
        .filter((cookie) => /session_token=[^;]/.test(cookie) && !/max-age=0/i.test(cookie)),
    ).toEqual([]);
    expect((await me(browser)).role).toBe('visitor');
    expect(
      await market.db.select().from(session).where(eq(session.userId, seller.userId)),
    ).toHaveLength(before.length);
  });

  test('takes six letters for a password, where sellers need eight', async () => {
    const admin = await signInAdmin(market, { password: 'sixsix' });
    expect((await me(admin)).role).toBe('admin');
    const short = await market.call('/api/auth/admin/sign-in', {
      json: { email: admin.email, password: 'five5' },
    });
    expect(short.body.error.fields).toEqual([
      { path: 'password', code: 'tooShort', message: 'Must be at least 6 characters long' },
    ]);
  });

  test('is felt with the very next request when the role is taken away', async () => {
    const admin = await signInAdmin(market);
    await market.db.update(user).set({ role: 'member' }).where(eq(user.id, admin.userId));
    expect((await market.request('/api/admin/products/pending', { as: admin })).status).toBe(403);
  });
});

describe.concurrent('a forgotten password (product R26)', () => {
  const forgot = (email: string) => market.call('/api/auth/forgot-password', { json: { email } });
  const reset = (token: string, password = 'a new password') =>
    market.call('/api/auth/reset-password', { json: { token, password } });

  test('is set anew by a mailed link, once, and ends every session', async () => {
    const who = await signUpSeller(market, { language: 'fr' });
    await forgot(who.email);
    const mail = await market.mails.lastTo(who.email);
    expect(mail.subject).toBe('Choisissez un nouveau mot de passe');
    const link = linkIn(mail);
    expect(link.pathname).toBe('/fr/reset-password');
    expect(await reset(tokenIn(mail))).toMatchObject({ status: 200, body: { changed: true } });
    expect((await me(who)).role).toBe('visitor');
    expect((await signIn(who.email, who.password)).status).toBe(401);
    expect((await signIn(who.email, 'a new password')).status).toBe(200);
    expect((await market.mails.lastTo(who.email)).subject).toBe('Votre mot de passe a été modifié');
    expect(await reset(tokenIn(mail), 'yet another one')).toMatchObject({
      status: 410,
      body: { error: { code: 'auth.linkInvalid' } },
    });
    expect((await signIn(who.email, 'a new password')).status).toBe(200);
  });

  test('is answered in the same words for an unknown address, and mails nobody', async () => {
    const who = await signUpSeller(market);
    const [known, unknown] = [await forgot(who.email), await forgot('unknown@example.test')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(
      await market.db.select().from(outbox).where(eq(outbox.recipient, 'unknown@example.test')),
    ).toEqual([]);
  });

  test('of who has never verified the address is set at a verification link', async () => {
    const who = person();
    await signUp(who);
    await forgot(who.email);
    const mail = await market.mails.lastTo(who.email);
    expect(linkIn(mail).pathname).toBe('/en/email-verification');
    const browser = jar();
    expect(
      (
        await verify(tokenIn(mail), {
          as: browser,
          json: { token: tokenIn(mail), newPassword: 'quite another' },
        })
      ).status,
    ).toBe(200);
    expect([
      (await me(browser)).role,
      (await signIn(who.email)).status,
      (await signIn(who.email, 'quite another')).status,
    ]).toEqual(['member', 401, 200]);
  });

  test('is refused with a made-up token or a password that is too short', async () => {
    expect(await reset('made-up')).toMatchObject({
      status: 410,
      body: { error: { code: 'auth.linkInvalid' } },
    });
    expect((await reset('made-up', 'short')).body.error.fields).toEqual([
      { path: 'password', code: 'tooShort', message: 'Must be at least 8 characters long' },
    ]);
  });
});

describe.concurrent('the session cookie', () => {
  test('is out of reach of scripts and of other sites', async () => {
    const who = await signUpSeller(market);
    const { headers } = await signIn(who.email, who.password);
    const cookie = headers
      .getSetCookie()
      .find((line) => line.startsWith('marche54.session_token='));
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).toMatch(/; Path=\//i);
    expect(cookie).not.toMatch(/; Secure/i);
  });

  test('counts for nothing when it was changed', async () => {
    const who = await signUpSeller(market);
    const header = who.jar
      .header()
      .replace(
        /(session_token=.{5})(.)/,
        (_, start, letter) => start + (letter === 'x' ? 'y' : 'x'),
      );
    expect(
      (await market.call<{ role: string }>('/api/auth/me', { headers: { cookie: header } })).body
        .role,
    ).toBe('visitor');
  });
});
