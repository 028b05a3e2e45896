import { eq } from 'drizzle-orm';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../api/sellers/unsuspendSeller.ts';
import { Refusal } from '../../api/shared/errors.ts';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { TestApp } from './app.ts';
import { Jar } from './jar.ts';
import { tokenIn } from './mail.ts';

/** A signed-in person: `request({ as: person })` sends the cookies. */
export type Person = {
  jar: Jar;
  email: string;
  password: string;
  name: string;
  userId: string;
  sellerId: string | null;
  whatsapp: string;
  location: string;
};
type ActorName = 'member' | 'seller' | 'otherSeller' | 'suspendedSeller' | 'admin';
export type Actors = Record<ActorName, Person> & { visitor: { jar: Jar } };

type Details = {
  name?: string;
  email?: string;
  password?: string;
  whatsapp?: string;
  location?: string;
  language?: Language;
};

/**
 * A unique, unassigned Cameroon number each, so that a number in an answer identifies its owner.
 */
let people = 0;
function fill(given: Details): Required<Details> {
  const n = ++people;
  return {
    name: `Ngono ${n}`,
    email: `person${n}@example.test`,
    password: 'a good password',
    whatsapp: `+23769900${String(1000 + n)}`,
    location: 'Douala, Littoral',
    language: 'en',
    ...given,
  };
}

async function expectOk(response: Response, what: string): Promise<void> {
  if (!response.ok)
    throw new Error(`${what} answered ${response.status}: ${await response.text()}`);
}

async function userIdOf(market: TestApp, email: string): Promise<string> {
  const [row] = await market.db
    .select({ id: schema.user.id })
    .from(schema.user)
    .where(eq(schema.user.email, email));
  if (!row) throw new Error(`Nobody has the address ${email}`);
  return row.id;
}

/** One network address per person, so that the limit of sign-ups by address never interferes. */
const addressOf = (email: string) => `home of ${email}`;

async function openVerificationLink(market: TestApp, jar: Jar, email: string): Promise<void> {
  const token = tokenIn(await market.mails.lastTo(email));
  await expectOk(
    await market.request('/api/auth/verify-email', {
      json: { token },
      as: { jar },
      address: addressOf(email),
    }),
    'verify-email',
  );
}

/** Signs up a seller with a complete profile, who opened the mailed link. */
export async function signUpSeller(market: TestApp, given: Details = {}): Promise<Person> {
  const { language, ...person } = fill(given);
  const jar = new Jar();
  await expectOk(
    await market.request('/api/auth/sign-up', {
      json: person,
      as: { jar },
      language,
      address: addressOf(person.email),
    }),
    'sign-up',
  );
  await openVerificationLink(market, jar, person.email);
  const userId = await userIdOf(market, person.email);
  const [seller] = await market.db
    .select({ id: schema.sellers.id })
    .from(schema.sellers)
    .where(eq(schema.sellers.userId, userId));
  return { jar, ...person, userId, sellerId: seller?.id ?? null };
}

/** Signs up a verified member without a seller profile. */
export async function signUpMember(market: TestApp, given: Details = {}): Promise<Person> {
  const { language, ...person } = fill(given);
  const jar = new Jar();
  const address = addressOf(person.email);
  const { email, password, name } = person;
  await expectOk(
    await market.request('/api/auth/sign-up', {
      json: { email, password, name, selling: false },
      as: { jar },
      language,
      address,
    }),
    'sign-up',
  );
  await openVerificationLink(market, jar, email);
  return { jar, ...person, userId: await userIdOf(market, email), sellerId: null };
}

/** Creates an admin as `admin:create` does and signs in at the admin's sign-in. */
export async function signInAdmin(market: TestApp, given: Details = {}): Promise<Person> {
  const { language, ...person } = fill(given);
  const jar = new Jar();
  await createAdmin({ ...market.job('admin:create'), auth: market.auth }, person);
  const { email, password } = person;
  await expectOk(
    await market.request('/api/auth/admin/sign-in', {
      json: { email, password },
      as: { jar },
      language,
      address: addressOf(email),
    }),
    'admin/sign-in',
  );
  return { jar, ...person, userId: await userIdOf(market, email), sellerId: null };
}

const unlessDone = (error: unknown) => {
  if (!(error instanceof Refusal) || error.code !== 'conflict') throw error;
};

/** Gives an account a second factor: without one no chat acts for an admin. */
export async function withFactor(
  market: TestApp,
  { userId }: Pick<Person, 'userId'>,
): Promise<void> {
  const now = market.clock.now();
  await market.db
    .insert(schema.secondFactors)
    .values({ userId, secret: 'x', createdAt: now, confirmedAt: now })
    .onConflictDoNothing();
}

/** Suspends a seller as an admin does; a seller who is suspended already stays so. */
export async function suspend(
  market: TestApp,
  { sellerId }: Pick<Person, 'sellerId'>,
  reason = 'Fake products',
): Promise<void> {
  await suspendSeller(market.job('test'), sellerId ?? '', reason).catch(unlessDone);
}

export async function unsuspend(
  market: TestApp,
  { sellerId }: Pick<Person, 'sellerId'>,
): Promise<void> {
  await unsuspendSeller(market.job('test'), sellerId ?? '').catch(unlessDone);
}

/** Signs in one person of every role (product §6), at the same time because sign-ups are slow. */
export async function actors(market: TestApp): Promise<Actors> {
  const [member, seller, otherSeller, suspendedSeller, admin] = await Promise.all([
    signUpMember(market, { name: 'Member' }),
    signUpSeller(market, { name: 'Ngo Biyong' }),
    signUpSeller(market, { name: 'Fotso', location: 'Bafoussam, West', language: 'fr' }),
    signUpSeller(market, { name: 'Suspended Seller' }),
    signInAdmin(market, { name: 'Admin' }),
  ]);
  await suspend(market, suspendedSeller);
  return { visitor: { jar: new Jar() }, member, seller, otherSeller, suspendedSeller, admin };
}
