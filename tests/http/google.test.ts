import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ownVersion } from '../../api/legal/version.ts';
import { schema } from '../../db/client.ts';
import { signInAdmin, signUpMember, signUpSeller, suspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { emailChanges } from '../support/emailChange.ts';
import { type Bend, googleProvider, type Somebody } from '../support/googleProvider.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';
import { collide } from '../support/race.ts';

const google = await googleProvider();
const market = await testApp({ env: google.env });
afterAll(() => google.stop());
beforeEach(() => market.reset({ accounts: true }));

const ada: Somebody = {
  sub: 'sub-of-ada',
  email: 'Ada@example.test',
  email_verified: true,
  name: 'Ada  <b>Ngo</b>',
};

/** Follows one redirect; returns its target without the market's origin. */
async function go(path: string, jar: Jar): Promise<string> {
  const response = await market.request(path, { as: { jar } });
  const to = response.headers.get('location') ?? `${response.status}`;
  return to.replace(market.env.publicUrl, '');
}
/** The whole sign-in: button, provider's page, and back. */
async function through(
  who: Somebody,
  { jar = new Jar(), query = 'door=member', ...bend }: Bend & { jar?: Jar; query?: string } = {},
): Promise<string> {
  google.is(who, bend);
  return go(await google.pass(await go(`/api/auth/google?${query}`, jar)), jar);
}
type Me = { role: string; name: string; email: string };
const me = async (jar: Jar) => (await market.call<Me>('/api/auth/me', { as: { jar } })).body;
const roleOf = async (jar: Jar) => (await me(jar)).role;
const accountsOf = (userId: string) =>
  market.db.select().from(schema.account).where(eq(schema.account.userId, userId));
const users = () => market.db.select().from(schema.user);

describe('continuing with Google', () => {
  test('makes a member’s account without a password, leads back, and keeps no token', async () => {
    const jar = new Jar();
    expect(await through(ada, { jar, query: 'door=member&next=/shop/slot/7%3Fa%3D1' })).toBe(
      '/shop/slot/7?a=1',
    );
    expect(await me(jar)).toMatchObject({
      role: 'member',
      email: 'ada@example.test',
      name: 'Ada bNgo/b',
    });
    const [user] = await users();
    expect(user).toMatchObject({ email: 'ada@example.test', emailVerified: true, image: null });
    const [row, ...others] = await accountsOf(user?.id ?? '');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      providerId: 'google',
      accountId: 'sub-of-ada',
      accessToken: null,
      refreshToken: null,
      idToken: null,
      scope: null,
      password: null,
    });
    // No other table or log line contains one.
    for (const table of [schema.verification, schema.session, schema.rateLimit])
      expect(JSON.stringify(await market.db.select().from(table))).not.toMatch(/eyJ/);
    expect(JSON.stringify(market.logged)).not.toMatch(/eyJ/);
    expect(
      (
        await market.call('/api/auth/sign-in', {
          json: { email: 'ada@example.test', password: 'any password' },
        })
      ).status,
    ).toBe(401);
  });

  test('is the same account the second time, also when the address at Google has changed', async () => {
    await through(ada);
    const jar = new Jar();
    await through({ ...ada, email: 'moved@example.test' }, { jar });
    expect((await me(jar)).email).toBe('ada@example.test');
    expect(await users()).toHaveLength(1);
  });

  test('opens the account that a password made for the same address, whose owner is told, and the password still works', async () => {
    const seller = await signUpSeller(market, { email: 'ada@example.test' });
    market.mails.clear();
    const jar = new Jar();
    expect(await through(ada, { jar, query: 'door=seller' })).toBe('/seller/dashboard');
    expect(await roleOf(jar)).toBe('seller');
    expect((await accountsOf(seller.userId)).map(({ providerId }) => providerId).sort()).toEqual([
      'credential',
      'google',
    ]);
    expect((await market.mails.lastTo(seller.email)).subject).toBe(
      'You can now sign in with Google',
    );
    const { email, password } = seller;
    expect((await market.call('/api/auth/sign-in', { json: { email, password } })).status).toBe(
      200,
    );
    market.mails.clear();
    await through(ada);
    expect(await market.mails.allTo(seller.email)).toEqual([]);
  });

  test('and the other way round: who came with Google chooses a password by a mailed link, and is the same person', async () => {
    await through(ada);
    const email = 'ada@example.test';
    await market.call('/api/auth/forgot-password', { json: { email } });
    const token = tokenIn(await market.mails.lastTo(email));
    const password = 'a password of her own';
    expect(
      (await market.call('/api/auth/reset-password', { json: { token, password } })).status,
    ).toBe(200);
    const jar = new Jar();
    await market.call('/api/auth/sign-in', { json: { email, password }, as: { jar } });
    expect((await me(jar)).name).toBe('Ada bNgo/b');
    expect(await users()).toHaveLength(1);
  });

  test('of two first sign-ins at once makes one account', async () => {
    google.is(ada);
    const jars = [new Jar(), new Jar()];
    const returns: string[] = [];
    for (const jar of jars) returns.push(await google.pass(await go('/api/auth/google', jar)));
    const ends = await Promise.all(jars.map((jar, n) => go(returns[n] ?? '', jar)));
    expect(ends).toEqual(['/account', '/account']);
    expect(await users()).toHaveLength(1);
    expect(await Promise.all(jars.map(roleOf))).toEqual(['member', 'member']);
  });

  test('keeps the language of the page that it began on, in addresses, mails and pages', async () => {
    expect(
      await through(
        { ...ada, email_verified: false },
        { query: 'door=seller&language=fr&next=/fr/seller/products/upload' },
      ),
    ).toBe(
      `/fr/seller/auth?google=unproven&next=${encodeURIComponent('/fr/seller/products/upload')}`,
    );
    expect(await through(ada, { query: 'door=seller&language=fr' })).toBe('/fr/seller/dashboard');
    expect((await users())[0]?.language).toBe('fr');
  });
});

describe('judged as a sign-in with a password', () => {
  test('a second factor is asked for, and there is no session before', async () => {
    const admin = await signInAdmin(market, { email: 'ada@example.test', password: 'secret' });
    const door = (path: string, json: object) =>
      market.call<{ secret: string }>(`/api/admin/second-factor${path}`, { json, as: admin });
    const { secret } = (await door('/begin', { password: admin.password })).body;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: market.clock.now().getTime(),
      });
    await door('/confirm', { code: code() });
    market.clock.advance({ seconds: 30 });
    const jar = new Jar();
    const to = await through(ada, { jar });
    expect(to).toMatch(/^\/sign-in-link\?token=/);
    expect(await roleOf(jar)).toBe('visitor');
    const token = new URL(to, market.env.publicUrl).searchParams.get('token');
    const use = (json: object) =>
      market.call('/api/auth/sign-in-link/use', { json: { token, ...json }, as: { jar } });
    expect((await use({})).body.error.code).toBe('auth.codeNeeded');
    expect((await use({ code: '000000' })).body.error.code).toBe('auth.codeWrong');
    expect((await use({ code: code() })).status).toBe(200);
    expect(await roleOf(jar)).toBe('admin');
  });

  test('a suspended seller gets in to that one screen and nothing else', async () => {
    const seller = await signUpSeller(market, { email: 'ada@example.test' });
    await suspend(market, seller);
    const jar = new Jar();
    expect(await through(ada, { jar, query: 'door=seller' })).toBe('/seller/dashboard');
    expect(await roleOf(jar)).toBe('suspendedSeller');
    expect((await market.call('/api/products/mine', { as: { jar } })).status).toBe(403);
  });

  test('a barred address is refused at the seller’s sign-in, and may be a member', async () => {
    await market.db.insert(schema.barredEmails).values({ email: 'ada@example.test' });
    const jar = new Jar();
    expect(await through(ada, { jar, query: 'door=seller' })).toBe('/seller/auth?google=barred');
    expect(await users()).toEqual([]);
    expect(await through(ada, { jar })).toBe('/account');
    const form = new URLSearchParams({ version: ownVersion.id });
    await market.request('/agree', { method: 'POST', body: form, as: { jar } });
    const profile = { name: 'Ada', whatsapp: '+237699001000', location: 'Douala' };
    expect(
      (await market.call('/api/auth/profile', { method: 'PUT', json: profile, as: { jar } })).body
        .error.code,
    ).toBe('sellers.barred');
  });

  test('a sign-up that waits for its proof is not taken over: its address gets the link, and then both are one account', async () => {
    const theirs = new Jar();
    const person = {
      email: 'ada@example.test',
      password: 'whoever wrote this',
      name: 'Ada',
      agreed: '0',
    };
    await market.call('/api/auth/sign-up', { json: person, as: { jar: theirs } });
    market.mails.clear();
    const jar = new Jar();
    expect(await through(ada, { jar })).toBe('/sign-in?google=waits');
    expect(await roleOf(jar)).toBe('visitor');
    expect(await users()).toEqual([]);
    const token = tokenIn(await market.mails.lastTo(person.email));
    // The mailbox's owner chooses a password; the pending one no longer works.
    await market.call('/api/auth/verify-email', {
      json: { token, newPassword: 'a password of her own' },
    });
    expect(await through(ada, { jar })).toBe('/account');
    expect(await users()).toHaveLength(1);
  });

  test('a mailed link that comes a moment after the account was made says that it is used', async () => {
    const jar = new Jar();
    const person = {
      email: 'ada@example.test',
      password: 'whoever wrote this',
      name: 'Ada',
      agreed: '0',
    };
    await market.call('/api/auth/sign-up', { json: person, as: { jar } });
    const token = tokenIn(await market.mails.lastTo(person.email));
    const made = `insert into "user" (id, name, email, email_verified) values ('made', 'Ada', '${person.email}', true)`;
    const verify = () => market.call('/api/auth/verify-email', { json: { token }, as: { jar } });
    const [answer] = await collide(market.sql, made, [verify]);
    expect(answer).toMatchObject({
      status: 'fulfilled',
      value: { status: 410, body: { error: { code: 'auth.linkUsed' } } },
    });
    expect(await users()).toHaveLength(1);
  });

  test('an address that was never proven here, such as an imported one, is not taken over either', async () => {
    await market.db
      .insert(schema.user)
      .values({ id: 'imported', name: 'Imported', email: 'ada@example.test' });
    expect(await through(ada)).toBe('/sign-in?google=waits');
    expect(await accountsOf('imported')).toEqual([]);
  });
});

describe('at an open account', () => {
  test('connects the Google account of the same address, and no other', async () => {
    const member = await signUpMember(market, { email: 'ada@example.test' });
    const other = await signUpMember(market, { email: 'other@example.test' });
    const { jar } = member;
    expect(
      await through(
        { ...ada, sub: 'x', email: 'nobody@example.test' },
        { jar, query: 'door=account' },
      ),
    ).toBe('/account?google=other');
    expect(
      await through({ ...ada, sub: 'y', email: other.email }, { jar, query: 'door=account' }),
    ).toBe('/account?google=other');
    expect(await accountsOf(other.userId)).toHaveLength(1);
    expect((await me(jar)).email).toBe(member.email);
    expect(await through(ada, { jar, query: 'door=account' })).toBe('/account');
    expect((await accountsOf(member.userId)).map(({ providerId }) => providerId).sort()).toEqual([
      'credential',
      'google',
    ]);
  });

  test('connects nothing for whoever was signed out meanwhile', async () => {
    const { userId } = await signUpMember(market, { email: 'ada@example.test' });
    expect(await through(ada, { query: 'door=account' })).toBe('/account?google=other');
    expect(await accountsOf(userId)).toHaveLength(1);
  });
});

describe('what is refused', () => {
  /** Expects no session, no account, and a reason on the page. */
  async function refused(reason: string, who: Somebody, options: Bend = {}) {
    const jar = new Jar();
    expect(await through(who, { jar, ...options })).toBe(`/sign-in?google=${reason}`);
    expect([await roleOf(jar), await users()]).toEqual(['visitor', []]);
  }

  test.each<[string, Bend]>([
    [
      'of another audience',
      { token: ({ payload }) => Object.assign(payload, { aud: 'another market' }) },
    ],
    [
      'of another issuer',
      { token: ({ payload }) => Object.assign(payload, { iss: 'https://evil.example' }) },
    ],
    [
      'with another nonce',
      { token: ({ payload }) => Object.assign(payload, { nonce: 'another' }) },
    ],
    ['without a nonce', { token: ({ payload }) => Object.assign(payload, { nonce: undefined }) }],
    [
      'that is too old',
      {
        token: ({ payload }) =>
          Object.assign(payload, { exp: Math.floor(Date.now() / 1000) - 120 }),
      },
    ],
    ['without a subject', { token: ({ payload }) => Object.assign(payload, { sub: undefined }) }],
    [
      'that is missing',
      { answer: ({ body }) => delete (body as Record<string, unknown>).id_token },
    ],
    ['whose content was changed', { answer: ({ body }) => forge(body as { id_token: string }) }],
    ['that nobody has signed', { answer: ({ body }) => unsign(body as { id_token: string }) }],
  ])('an ID token %s', async (_, bend) => {
    await refused('failed', ada, bend);
  });

  test.each<[string, Somebody]>([
    ['without an address', { sub: 'z', name: 'Z' }],
    ['with an address that is not proven', { ...ada, email_verified: false }],
    ['that says nothing about the proof', { ...ada, email_verified: undefined }],
    ['that says it in a word', { ...ada, email_verified: 'true' }],
  ])('an ID token %s', async (_, who) => {
    await refused('unproven', who);
  });

  test.each<[string, string, (url: URL) => void]>([
    ['a forged state', 'failed', (url) => url.searchParams.set('state', 'forged')],
    ['no state', 'failed', (url) => url.searchParams.delete('state')],
    ['two states', 'failed', (url) => url.searchParams.append('state', 'forged')],
    ['a forged code', 'failed', (url) => url.searchParams.set('code', 'forged')],
    ['no code', 'failed', (url) => url.searchParams.delete('code')],
    [
      'somebody who would rather not',
      'denied',
      (url) => (url.search = `?error=access_denied&state=${url.searchParams.get('state')}`),
    ],
    [
      'trouble at Google',
      'away',
      (url) =>
        (url.search = `?error=temporarily_unavailable&state=${url.searchParams.get('state')}`),
    ],
    [
      'an error of no known kind',
      'failed',
      (url) => (url.search = `?error=%3Cscript%3E&state=${url.searchParams.get('state')}`),
    ],
  ])('%s', async (_, reason, redirect) => {
    await refused(reason, ada, { redirect });
  });

  test('a return that was used, of another browser, without a beginning, or too late', async () => {
    google.is(ada);
    const jar = new Jar();
    const back = await google.pass(await go('/api/auth/google?door=seller', jar));
    const stolen = jar.copy();
    expect(await go(back, new Jar())).toBe('/sign-in?google=over');
    expect(await go(back, jar)).toBe('/seller/dashboard');
    expect(await go(back, jar)).toBe('/sign-in?google=over');
    expect(await go(back, stolen)).toBe('/seller/auth?google=over');
    const late = new Jar();
    const too = await google.pass(await go('/api/auth/google', late));
    market.clock.advance({ minutes: 10 });
    expect(await go(too, late)).toBe('/sign-in?google=over');
    const forged = await market.request('/api/auth/callback/google?code=x&state=y', {
      headers: { cookie: 'google_sign_in=00ff' },
    });
    expect(forged.headers.get('location')).toBe('/sign-in?google=over');
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%0a/evil.example\n',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('to lead anybody to %j', async (next) => {
    const end = await through(ada, { query: `door=member&next=${encodeURIComponent(next)}` });
    expect(new URL(end, market.env.publicUrl).origin).toBe(market.env.publicUrl);
    expect(end).not.toMatch(/^\/[/\\\s]/);
    // The one who declines is led back with the place to go on to.
    const jar = new Jar();
    const asked = await go(`/api/auth/google?door=member&next=${encodeURIComponent(next)}`, jar);
    const state = new URL(asked).searchParams.get('state');
    const declined = await go(`/api/auth/callback/google?error=access_denied&state=${state}`, jar);
    expect(declined).toMatch(/^\/sign-in\?google=\w+$/);
  });
});

describe('a provider that is away', () => {
  test('costs one try: at the beginning, at the end, and not the button', async () => {
    // A market that starts during the outage.
    await google.stop();
    const late = await testApp({ env: google.env });
    const begin = () =>
      late.request('/api/auth/google?door=seller&language=fr', { as: { jar: new Jar() } });
    expect((await begin()).headers.get('location')).toBe('/fr/seller/auth?google=away');
    await google.restart();
    expect((await begin()).headers.get('location')).toMatch(google.env.GOOGLE_ISSUER);
    const jar = new Jar();
    google.is(ada);
    const back = await google.pass(await go('/api/auth/google', jar));
    await google.stop();
    expect(await go(back, jar)).toBe('/sign-in?google=away');
    await google.restart();
    expect(await roleOf(jar)).toBe('visitor');
    expect(await through(ada, { jar })).toBe('/account');
  });

  test('is told apart from one that answers something else than agreed', async () => {
    expect(
      await through(ada, {
        answer: (response) => Object.assign(response, { statusCode: 502, body: {} }),
      }),
    ).toBe('/sign-in?google=away');
    expect(
      await through(ada, {
        answer: (response) =>
          Object.assign(response, { statusCode: 400, body: { error: 'invalid_grant' } }),
      }),
    ).toBe('/sign-in?google=failed');
  });
});

test('without a client there is no such route', async () => {
  const plain = await testApp();
  for (const path of [
    '/api/auth/google',
    '/api/auth/callback/google?code=x&state=y',
    '/demo/oidc/.well-known/openid-configuration',
  ])
    expect((await plain.request(path)).status).toBe(404);
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const contentOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function forge(body: { id_token: string }): void {
  const [head, , signature] = body.id_token.split('.');
  body.id_token = `${head}.${part({ ...contentOf(body.id_token), email: 'admin@example.test' })}.${signature}`;
}

function unsign(body: { id_token: string }): void {
  body.id_token = `${part({ alg: 'none' })}.${part(contentOf(body.id_token))}.`;
}

describe('with an address that was changed', () => {
  test('Google opens the account by its subject, and makes no other one of the address for seven days', async () => {
    const person = await signUpMember(market, { email: 'ada@example.test' });
    await through(ada);
    await emailChanges(market).change(person, 'ada.new@example.test');
    const jar = new Jar();
    await through(ada, { jar });
    expect(await me(jar)).toMatchObject({ email: 'ada.new@example.test' });
    await market.db.delete(schema.account).where(eq(schema.account.providerId, 'google'));
    expect(await through(ada)).toBe('/sign-in?google=waits');
    expect((await market.mails.lastTo('ada@example.test')).subject).toBe(
      'This address cannot be used for an account yet',
    );
    expect(await users()).toHaveLength(1);
    market.clock.advance({ days: 7 });
    await through(ada);
    expect(await users()).toHaveLength(2);
  });
});
