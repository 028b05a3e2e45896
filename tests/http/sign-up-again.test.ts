import { and, count, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import {
  type Person,
  signInAdmin,
  signUpMember,
  signUpSeller,
  suspend,
} from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { fillCounters } from '../support/counters.ts';
import { Jar } from '../support/jar.ts';
import { tokenIn } from '../support/mail.ts';

/** Signing up with an address that has an account (decision 006). */
const market = await testApp();
const { sellers, session, outbox, barredEmails, rateLimit, pendingSignUps } = schema;
const wrong = 'not the password';

beforeEach(async () => {
  await market.db.delete(rateLimit);
});

type Answer = { waits?: boolean; profileFailed?: boolean; error?: { code: string } };
/** Signs up in a new browser. */
async function signUp(
  email: string,
  password: string,
  { address = 'home', name = 'Again', language = 'en' as Language } = {},
) {
  const jar = new Jar();
  const { status, body, headers } = await market.call<Answer>('/api/auth/sign-up', {
    json: { email, password, name, agreed: '0' },
    as: { jar },
    address,
    language,
  });
  const cookies = headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
  const { role, seller } = (
    await market.call<{ role: string; seller: { name: string } | null }>('/api/auth/me', {
      as: { jar },
    })
  ).body;
  return { jar, status, body, cookies, said: body.error?.code, role, seller };
}
const signIn = async (email: string, password: string, address = 'home') =>
  (await market.call('/api/auth/sign-in', { json: { email, password }, address })).status;
const sessionsOf = async ({ userId }: Person) =>
  (await market.db.select({ n: count() }).from(session).where(eq(session.userId, userId)))[0]?.n;
const letters = async ({ userId }: Person) =>
  (
    await market.db
      .select({ n: count() })
      .from(outbox)
      .where(and(eq(outbox.userId, userId), eq(outbox.kind, 'accountExists')))
  )[0]?.n;
const enters = { status: 200, body: { waits: false, profileFailed: false } };

describe('signing up again with the right password', () => {
  test('signs a seller in, and leaves the profile as it is', async () => {
    const person = await signUpSeller(market);
    expect(await signUp(person.email, person.password)).toMatchObject({
      ...enters,
      role: 'seller',
      seller: { name: person.name },
    });
    expect(await letters(person)).toBe(0);
  });

  test('signs a member in, who gets the profile', async () => {
    const person = await signUpMember(market);
    expect(await signUp(person.email, person.password)).toMatchObject({
      ...enters,
      role: 'seller',
      seller: { name: 'Again' },
    });
  });

  test('writes in the language of the page from then on, as signing in does', async () => {
    const person = await signUpMember(market);
    await signUp(person.email, person.password, { language: 'fr' });
    const [row] = await market.db
      .select()
      .from(schema.user)
      .where(eq(schema.user.id, person.userId));
    expect(row?.language).toBe('fr');
  });

  test('shows a suspended seller the suspension', async () => {
    const person = await signUpSeller(market);
    await suspend(market, person);
    expect(await signUp(person.email, person.password)).toMatchObject({
      ...enters,
      role: 'suspendedSeller',
    });
  });

  test('lets a barred address in as the sign-in door does, without a profile', async () => {
    const person = await signUpMember(market);
    await market.db.insert(barredEmails).values({ email: person.email });
    expect(await signUp(person.email, person.password)).toMatchObject({
      status: 200,
      body: { waits: false, profileFailed: true },
      role: 'member',
    });
    expect(await letters(person)).toBe(0);
    expect(await market.db.select().from(sellers).where(eq(sellers.email, person.email))).toEqual(
      [],
    );
  });

  test('asks an admin with a second factor for the code, as the seller’s sign-in does, and opens no session', async () => {
    const admin = await signInAdmin(market);
    await market.db.insert(schema.secondFactors).values({
      userId: admin.userId,
      secret: 'x',
      createdAt: market.clock.now(),
      confirmedAt: market.clock.now(),
      lastStep: 0,
    });
    const before = await sessionsOf(admin);
    expect(await signUp(admin.email, admin.password)).toMatchObject({
      status: 403,
      said: 'auth.codeNeeded',
      role: 'visitor',
      cookies: [],
    });
    expect(await signIn(admin.email, admin.password)).toBe(403);
    expect(await sessionsOf(admin)).toBe(before);
    expect((await signUp(admin.email, wrong)).body).toEqual({ waits: true, profileFailed: false });
  });
});

describe('signing up again with a wrong password', () => {
  test('answers as for a new address, with the same cookie, and tells the owner, five times an hour at most', async () => {
    const person = await signUpSeller(market);
    const fresh = await signUp('never.seen@example.test', wrong);
    for (let n = 0; n < 7; n++) {
      const again = await signUp(person.email, wrong, { address: `stranger ${n}` });
      expect([again.status, again.body, again.cookies, again.role]).toEqual([
        fresh.status,
        fresh.body,
        fresh.cookies,
        'visitor',
      ]);
    }
    expect(await letters(person)).toBe(5);
    expect(
      await market.db.select().from(pendingSignUps).where(eq(pendingSignUps.email, person.email)),
    ).toEqual([]);
  });

  test('is refused for a barred address, whether or not it has an account', async () => {
    const person = await signUpMember(market);
    await market.db
      .insert(barredEmails)
      .values([{ email: person.email }, { email: 'no.account@example.test' }]);
    for (const email of [person.email, 'no.account@example.test'])
      expect(await signUp(email, wrong)).toMatchObject({
        status: 403,
        said: 'sellers.barred',
        role: 'visitor',
      });
  });

  test('counts with the tries at the sign-in door, for an address with an account and for one without', async () => {
    const person = await signUpSeller(market);
    for (const email of [person.email, 'nobody.here@example.test']) {
      await market.db.delete(rateLimit);
      for (let n = 0; n < 5; n++) {
        expect((await signUp(email, wrong)).status).toBe(200);
        expect(await signIn(email, 'wrong as well')).toBe(401);
      }
      expect(await signUp(email, person.password)).toMatchObject({
        status: 429,
        said: 'auth.challenge',
        role: 'visitor',
      });
      expect(await signIn(email, person.password)).toBe(429);
      expect(await signIn(email, 'wrong as well', 'elsewhere')).toBe(401);
    }
  });
});

test('a sign-up that waits in another browser is nobody’s account: its password opens nothing (decision 006)', async () => {
  const email = 'two.browsers@example.test';
  const waits = { status: 200, body: { waits: true, profileFailed: false }, role: 'visitor' };
  expect(await signUp(email, 'the first password')).toMatchObject(waits);
  const first = tokenIn(await market.mails.lastTo(email));
  const other = await signUp(email, 'the first password', { address: 'away' });
  expect(other).toMatchObject(waits);
  expect(
    await market.call('/api/auth/verify-email', { json: { token: first }, as: { jar: other.jar } }),
  ).toMatchObject({
    body: { error: { code: 'auth.signUpPasswordNeeded' } },
  });
  expect(await market.db.select().from(schema.user).where(eq(schema.user.email, email))).toEqual(
    [],
  );
});

test('one address has 120 letters an hour sent before it is asked a question, whoever they are for', async () => {
  const person = await signUpMember(market, { name: 'Known' });
  await market.db.delete(rateLimit);
  const ask = async (n: number) =>
    (await signUp(`one.of.many.${n}@example.test`, wrong, { address: 'a storm' })).status;
  expect(await ask(1)).toBe(200);
  await fillCounters(market, 'letters:address:%', 119);
  expect([await ask(2), await ask(3)]).toEqual([200, 429]);
  // Until the question is answered, responses are the same for known and unknown accounts.
  for (const password of [wrong, person.password])
    expect(await signUp(person.email, password, { address: 'a storm' })).toMatchObject({
      status: 429,
      said: 'auth.challenge',
    });
  expect(await signIn(person.email, person.password, 'a storm')).toBe(200);
  expect(await signUp('somebody.else@example.test', wrong)).toMatchObject({ status: 200 });
});
