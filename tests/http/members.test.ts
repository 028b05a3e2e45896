import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ownVersion } from '../../api/legal/version.ts';
import { equalTimeMs } from '../../api/services.ts';
import { schema } from '../../db/client.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { signInAdmin, signUpMember, signUpSeller, suspend } from '../support/actors.ts';
import { type RequestOptions, testApp } from '../support/app.ts';
import { Jar } from '../support/jar.ts';
import { linkIn, tokenIn } from '../support/mail.ts';

/**
 * Accounts without a seller profile, and the way back to the page they came from (decision 006).
 */
const market = await testApp();
const { barredEmails, pendingSignUps, rateLimit, sellers, signInLinks, user } = schema;
const password = 'a good password';
const wanted = '/fr/shop/slot/7?contact=failed#contact';

beforeEach(async () => {
  await market.db.delete(rateLimit);
  market.mails.clear();
});

type Body = {
  waits: boolean;
  profileFailed: boolean;
  next: string;
  role: string;
  seller: { name: string } | null;
  error: { code: string; fields?: object };
};
const post = (path: string, json: object, options: RequestOptions = {}) =>
  market.call<Body>(`/api/auth/${path}`, { json, ...options });
const me = async (jar: Jar) => (await market.call<Body>('/api/auth/me', { as: { jar } })).body;
const waiting = async (email: string) =>
  (await market.db.select().from(pendingSignUps).where(eq(pendingSignUps.email, email)))[0];
let people = 0;

/** Signs up in a new browser, by default as a member. */
async function join(given: object = {}, options: RequestOptions = {}) {
  const jar = new Jar();
  const email = `member${++people}@example.test`;
  const answer = await post(
    'sign-up',
    { email, password, name: 'Mbarga', selling: false, agreed: '0', ...given },
    { as: { jar }, ...options },
  );
  return { ...answer, email, jar, said: answer.body.error?.code };
}
const open = async (
  email: string,
  { jar = new Jar(), ...proof }: { jar?: Jar; password?: string; newPassword?: string } = {},
) =>
  post(
    'verify-email',
    { token: tokenIn(await market.mails.lastTo(email)), ...proof },
    { as: { jar } },
  );

/** Not paths of this site, in any spelling. */
const foreign = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  'connect',
  '',
  '/\t/evil.example',
  '/a\r\nLocation: https://evil.example',
  '/\u0000',
  '/日本',
  '/\ud800',
  `/${'a'.repeat(1000)}`,
];

describe('a member', () => {
  test('joins with name, address and password, and has no profile', async () => {
    const { email, jar, body } = await join({ next: wanted });
    expect(body).toEqual({ waits: true, profileFailed: false });
    expect(await me(jar)).toMatchObject({ role: 'visitor' });
    expect((await open(email, { jar })).body).toEqual({
      email,
      profileFailed: false,
      next: wanted,
    });
    expect(await me(jar)).toMatchObject({ role: 'member', name: 'Mbarga', seller: null });
    expect((await post('sign-in', { email, password })).status).toBe(200);
  });

  test('leaves no number and no place behind, though they be sent', async () => {
    const { email, jar } = await join({ whatsapp: '699001234', location: 'Kribi, South' });
    expect(await waiting(email)).toMatchObject({ selling: false, whatsapp: null, location: null });
    await open(email, { jar });
    expect(await market.db.select().from(sellers).where(eq(sellers.email, email))).toEqual([]);
  });

  test('who wants no page is led home', async () => {
    const { email, jar } = await join();
    expect((await open(email, { jar })).body.next).toBe('/account');
  });

  test.each([...languages])(
    'is written to as one, in the language of the page (%s), and not in a stranger’s words',
    async (language) => {
      const { email } = await join(
        { next: '/win-a-phone-at-evil.example', name: 'Call evil.example' },
        { language },
      );
      const mail = await market.mails.lastTo(email);
      expect(mail.subject).toBe(dictionaries[language].mail.verifyMember.subject);
      expect(mail.text).not.toMatch(/evil|seller|vendeu/i);
      expect(linkIn(mail).pathname).toBe(`/${language}/email-verification`);
      // Tells the page its audience, even if the link was used and its row is gone.
      expect(linkIn(mail).searchParams.get('next')).toBe('/account');
    },
  );

  test('becomes a seller with the same account, by the profile', async () => {
    const person = await signUpMember(market);
    expect((await market.call('/api/products/mine', { as: person })).status).toBe(403);
    expect(
      (
        await market.call('/api/auth/profile', {
          method: 'PUT',
          json: { name: 'Shop' },
          as: person,
        })
      ).status,
    ).toBe(200);
    expect(await me(person.jar)).toMatchObject({
      role: 'seller',
      email: person.email,
      seller: { name: 'Shop' },
    });
    expect((await market.call('/api/products/mine', { as: person })).status).toBe(200);
  });

  test('becomes a seller with the same account at the sellers’ sign-in', async () => {
    const { email, userId } = await signUpMember(market);
    const { body, jar } = await join({ email, selling: true, name: 'Shop' });
    expect(body).toEqual({ waits: false, profileFailed: false });
    expect(await me(jar)).toMatchObject({ role: 'seller', seller: { name: 'Shop' } });
    expect(await market.db.select({ id: user.id }).from(user).where(eq(user.email, email))).toEqual(
      [{ id: userId }],
    );
  });

  test('is what a seller is from the first day: the members’ sign-in lets in, and changes nothing', async () => {
    const { email, name } = await signUpSeller(market);
    const { body, jar } = await join({ email, name: 'Another' });
    expect(body).toEqual({ waits: false, profileFailed: false });
    expect(await me(jar)).toMatchObject({ role: 'seller', seller: { name } });
  });
});

describe('whoever must not sell', () => {
  test('may join with a barred address, and still cannot sell', async () => {
    const email = 'barred@example.test';
    await market.db.insert(barredEmails).values({ email });
    expect((await join({ email, selling: true })).said).toBe('sellers.barred');
    const { jar } = await join({ email, agreed: ownVersion.id });
    expect((await open(email, { jar })).body).toMatchObject({
      profileFailed: false,
      next: '/account',
    });
    const shop = { method: 'PUT', json: { name: 'Shop' }, as: { jar } };
    expect(await market.call<Body>('/api/auth/profile', shop)).toMatchObject({
      status: 403,
      body: { error: { code: 'sellers.barred' } },
    });
    expect(await me(jar)).toMatchObject({ role: 'member', seller: null });
    // A second sign-up of either kind, with the same password.
    expect((await join({ email, selling: true })).body).toEqual({
      waits: false,
      profileFailed: true,
    });
    expect((await join({ email })).body).toEqual({ waits: false, profileFailed: false });
  });

  test('comes in by the members’ sign-in while suspended, and is still suspended', async () => {
    const seller = await signUpSeller(market);
    await suspend(market, seller);
    const { jar } = await join({ email: seller.email, next: '/seller/dashboard' });
    expect(await me(jar)).toMatchObject({ role: 'suspendedSeller' });
  });
});

describe('the members’ sign-in tells no stranger who has an account', () => {
  test('a known, a suspended, a barred, a waiting and a new address are answered alike, and no sooner', async () => {
    const [member, shut] = [await signUpMember(market), await signUpSeller(market)];
    await suspend(market, shut);
    const [{ email: waits }, barred] = [await join(), 'barred.too@example.test'];
    await market.db.insert(barredEmails).values({ email: barred });
    const fresh = await join({ password: 'not the password' });
    market.services.equalTimeMs = equalTimeMs;
    onTestFinished(() => {
      market.services.equalTimeMs = 1;
    });
    for (const email of [member.email, shut.email, waits, barred]) {
      const began = performance.now();
      const again = await join({ email, password: 'not the password' });
      expect(performance.now() - began).toBeGreaterThan(equalTimeMs - 5);
      const names = (headers: Headers) =>
        headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
      expect([again.status, again.body, names(again.headers)]).toEqual([
        fresh.status,
        fresh.body,
        names(fresh.headers),
      ]);
      expect(await me(again.jar)).toMatchObject({ role: 'visitor' });
    }
    // The owner gets a mail that links to the sign-in that was used.
    expect(linkIn(await market.mails.lastTo(member.email)).pathname).toBe('/en/sign-in');
  });
});

describe('the way back', () => {
  test.each(foreign.map((next) => [next]))('is never %j', async (next) => {
    expect(await join({ next })).toMatchObject({ status: 400, said: 'validation' });
    expect((await post('sign-in-link', { email: 'whoever@example.test', next })).status).toBe(400);
  });

  test('is judged again when it is used, whatever was stored', async () => {
    const { email, jar } = await join({ next: wanted });
    await market.db
      .update(pendingSignUps)
      .set({ next: '//evil.example' })
      .where(eq(pendingSignUps.email, email));
    expect((await open(email, { jar })).body.next).toBe('/account');
    await post('sign-in-link', { email, next: wanted });
    await market.db.update(signInLinks).set({ next: 'https://evil.example' });
    const token = tokenIn(await market.mails.lastTo(email));
    expect((await post('sign-in-link/use', { token })).body.next).toBe('/seller/dashboard');
  });

  test('is that of the sign-up in another browser too, with its password or a new one', async () => {
    for (const proof of [{ password }, { newPassword: 'quite another one' }]) {
      const { email } = await join({ next: wanted });
      expect((await open(email)).body.error.code).toBe('auth.signUpPasswordNeeded');
      const jar = new Jar();
      expect((await open(email, { jar, ...proof })).body).toMatchObject({
        next: wanted,
        profileFailed: false,
      });
      expect((await me(jar)).role).toBe('member');
    }
  });

  test('is a seller’s as well', async () => {
    const { email, jar } = await join({ selling: true, next: '/en/seller/upload' });
    expect((await open(email, { jar })).body.next).toBe('/en/seller/upload');
    const other = await join({ selling: true });
    expect((await open(other.email, { jar: other.jar })).body.next).toBe('/seller/dashboard');
  });

  test('of two sign-ups that wait is that of the one whose password is typed', async () => {
    const { email } = await join({ next: '/first' });
    const first = tokenIn(await market.mails.lastTo(email));
    const { jar } = await join({
      email,
      password: 'another password',
      selling: true,
      next: '/second',
    });
    const { body } = await post(
      'verify-email',
      { token: first, password: 'another password' },
      { as: { jar } },
    );
    expect(body.next).toBe('/second');
    expect((await me(jar)).role).toBe('seller');
  });

  test('comes with a mailed sign-in link, which names nothing but the page', async () => {
    const person = await signUpMember(market);
    for (const [next, door] of [
      [wanted, '/account'],
      ['/en/seller/upload', null],
    ]) {
      await post('sign-in-link', { email: person.email, next });
      const mail = await market.mails.lastTo(person.email);
      expect(linkIn(mail).searchParams.get('next')).toBe(door);
      expect((await post('sign-in-link/use', { token: tokenIn(mail) })).body).toEqual({ next });
    }
  });

  test('leads an admin or a suspended seller no further than they may go', async () => {
    const admin = await signInAdmin(market);
    await post('sign-in-link', { email: admin.email, next: '/en/seller/upload' });
    expect(
      (await post('sign-in-link/use', { token: tokenIn(await market.mails.lastTo(admin.email)) }))
        .body.next,
    ).toBe('/en/seller/upload');
    const seller = await signUpSeller(market);
    await suspend(market, seller);
    const jar = new Jar();
    await post('sign-in-link', { email: seller.email, next: '/en/connect' });
    await post(
      'sign-in-link/use',
      { token: tokenIn(await market.mails.lastTo(seller.email)) },
      { as: { jar } },
    );
    expect((await me(jar)).role).toBe('suspendedSeller');
    expect((await market.call('/api/products/mine', { as: { jar } })).status).toBe(403);
  });

  test('from a mail for a new password is to the sign-in of its reader', async () => {
    const [member, seller] = [await signUpMember(market), await signUpSeller(market)];
    const doorOf = async ({ email }: { email: string }) => {
      await post('forgot-password', { email });
      return linkIn(await market.mails.lastTo(email)).searchParams.get('next');
    };
    expect([await doorOf(member), await doorOf(seller)]).toEqual(['/account', null]);
  });
});
