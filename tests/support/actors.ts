import { eq } from 'drizzle-orm';
import type { WithAuth } from '../../api/auth/context.ts';
import { createAccount, hashPassword } from '../../api/auth/create.ts';
import { createAdmin } from '../../api/auth/createAdmin.ts';
import { openSession } from '../../api/auth/openSession.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { ownVersion } from '../../api/legal/version.ts';
import { createProfile } from '../../api/sellers/profile.ts';
import { profile } from '../../api/sellers/schema.ts';
import { suspendSeller } from '../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../api/sellers/unsuspendSeller.ts';
import { normalEmail } from '../../api/shared/email.ts';
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
type ActorName = 'member' | 'seller' | 'otherSeller' | 'suspendedSeller' | 'moderator' | 'admin';
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

/**
 * Makes an account with a session by the product's own verbs, in a tenth of the time that
 * {@link signUpByMail} takes.
 */
async function signIn(
  market: TestApp,
  given: Details,
  make: (ctx: WithAuth, person: Required<Details>) => Promise<unknown>,
): Promise<Person> {
  const { language, ...person } = fill(given);
  const visitor = await market.ctx();
  const ctx = {
    ...visitor,
    language,
    auth: market.auth,
    headers: new Headers({ 'user-agent': visitor.client.userAgent }),
  };
  await make(ctx, { ...person, language });
  const [row] = await market.db
    .select({ userId: schema.user.id, sellerId: schema.sellers.id })
    .from(schema.user)
    .leftJoin(schema.sellers, eq(schema.sellers.userId, schema.user.id))
    .where(eq(schema.user.email, normalEmail(person.email)));
  if (!row) throw new Error(`Nobody has the address ${person.email}`);
  // As a sign-in in this language does, and an agreement.
  await market.db
    .update(schema.user)
    .set({ language, agreedTo: ownVersion.id, agreedAt: market.clock.now() })
    .where(eq(schema.user.id, row.userId));
  const jar = new Jar();
  jar.keep(
    new Headers((await openSession(ctx, row.userId)).map((cookie) => ['set-cookie', cookie])),
  );
  // The first answer marks the browser as signed in.
  await market.request('/api/auth/me', { as: { jar } });
  return { jar, ...person, ...row };
}

/** An account as a sign-up leaves it once its link was opened. */
async function account(ctx: WithAuth, person: Required<Details>, selling = false): Promise<void> {
  const { name, language, whatsapp, location } = person;
  const email = normalEmail(person.email);
  const passwordHash = await hashPassword(ctx, person.password);
  await inTransaction(ctx, async (tx) => {
    const auth = { ...tx, auth: ctx.auth };
    const { id: userId } = await createAccount(auth, { email, name, language, passwordHash });
    if (selling)
      await createProfile(tx, { userId, email }, profile.parse({ name, whatsapp, location }));
  });
}

/** A seller with a complete profile and a proven address. */
export const signUpSeller = (market: TestApp, given: Details = {}): Promise<Person> =>
  signIn(market, given, (ctx, person) => account(ctx, person, true));

/** A member with a proven address and no seller profile. */
export const signUpMember = (market: TestApp, given: Details = {}): Promise<Person> =>
  signIn(market, given, (ctx, person) => account(ctx, person));

/** An admin as `admin:create` makes one. */
export const signInAdmin = (market: TestApp, given: Details = {}): Promise<Person> =>
  signIn(market, given, ({ auth }, person) =>
    createAdmin({ ...market.job('admin:create'), auth }, person),
  );

/** A moderator with a session. */
export async function signInModerator(market: TestApp, given: Details = {}): Promise<Person> {
  const person = await signUpMember(market, given);
  await market.db
    .update(schema.user)
    .set({ role: 'moderator' })
    .where(eq(schema.user.id, person.userId));
  return person;
}

/** A seller who filled in the form and opened the mailed link. */
export async function signUpByMail(market: TestApp, given: Details = {}) {
  const { language, ...person } = fill(given);
  const { email, password } = person;
  const jar = new Jar();
  const post = async (path: string, json: unknown) => {
    const answer = await market.request(path, { json, as: { jar }, language, address: email });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await post('/api/auth/sign-up', { ...person, agreed: ownVersion.id });
  await post('/api/auth/verify-email', { token: tokenIn(await market.mails.lastTo(email)) });
  return { jar, email, password };
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

/** Signs in one person of every role (product §6). */
export async function actors(market: TestApp): Promise<Actors> {
  const [member, seller, otherSeller, suspendedSeller, moderator, admin] = await Promise.all([
    signUpMember(market, { name: 'Member' }),
    signUpSeller(market, { name: 'Ngo Biyong' }),
    signUpSeller(market, { name: 'Fotso', location: 'Bafoussam, West', language: 'fr' }),
    signUpSeller(market, { name: 'Suspended Seller' }),
    signInModerator(market, { name: 'Moderator' }),
    signInAdmin(market, { name: 'Admin' }),
  ]);
  await suspend(market, suspendedSeller);
  return {
    ...{ visitor: { jar: new Jar() }, member, seller, otherSeller, suspendedSeller },
    ...{ moderator, admin },
  };
}
