import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import { ownPath } from '../core/ownPath.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil } from '../people/leftEmails.ts';
import { speaksForMarket } from '../people/names.ts';
import { notify } from '../people/notify.ts';
import { refuseBarred } from '../sellers/profile.ts';
import { openSession, type SignUpCtx, type WithCookies } from './context.ts';
import { createAccount, newAccountId, verifiedUser } from './create.ts';
import { forgetAttempts } from './guards.ts';
import { mailWaiting, pendingOf } from './pending.ts';
import type { Challenge, Identity, SignInProvider } from './provider.ts';
import { homes } from './rules.ts';
import type { Door } from './schema.ts';
import { hasSecondFactor } from './secondFactor.ts';
import { newSignInLink } from './signInLink.ts';

/** A sign-in under way: it goes with this browser, and ends with its first return. `next` is a path of this site. */
export type Attempt = Challenge & { door: Door; next: string | null; expiresAt: number };

const lifeMs = 10 * 60_000;
const { user, account } = schema;

function providerOf(ctx: Ctx): SignInProvider {
  const { google } = ctx.services;
  if (!google) throw new Refusal('notFound');
  return google;
}

const callback = (ctx: Ctx) => `${ctx.services.env.publicUrl}/api/auth/callback/google`;

/**
 * Begins a sign-in with Google: where the browser goes, and what it keeps until it is back. It stores nothing and asks Google nothing of
 * its own, so it has no limit but the pace of requests. Refuses `auth.providerAway`, `notFound`.
 */
export async function beginGoogle(
  ctx: Ctx,
  { door, next }: Pick<Attempt, 'door' | 'next'>,
): Promise<{ url: string; attempt: Attempt }> {
  const provider = providerOf(ctx);
  const { url, challenge } = await provider.begin(callback(ctx), ctx.language);
  return { url, attempt: { ...challenge, door, next, expiresAt: ctx.now().getTime() + lifeMs } };
}

/**
 * Ends a sign-in with Google, once: whoever came back is judged as at the door with a password, and only then gets a session. With a second
 * factor there is none yet, but a sign-in link that asks for the code.
 * Refuses `auth.attemptOver`, `auth.signUpWaits`, `auth.otherAddress`, `sellers.barred`, and what {@link SignInProvider} refuses.
 * @param search the query that the browser came back with
 */
export async function finishGoogle(
  ctx: SignUpCtx,
  attempt: Attempt,
  search: string,
): Promise<WithCookies<{ next: string }>> {
  const provider = providerOf(ctx);
  await takeOnce(ctx, attempt);
  const identity = await provider.finish(new URL(search, callback(ctx)), attempt);
  const userId = await accountOf(ctx, identity, attempt.door);
  const [owner] = await ctx.db
    .select({ id: user.id, email: user.email, role: user.role })
    .from(user)
    .where(eq(user.id, userId));
  if (!owner) throw new Refusal('auth.attemptOver');
  refuseDemoAdmin(ctx, owner);
  const next = ownPath(
    attempt.next,
    homes[owner.role === 'admin' ? 'admin' : attempt.door === 'seller' ? 'seller' : 'member'],
  );
  if (await hasSecondFactor(ctx, userId))
    return { value: { next: `/${await newSignInLink(ctx, userId, next)}` }, cookies: [] };
  await forgetAttempts(ctx, owner.email);
  await ctx.db.update(user).set({ language: ctx.language }).where(eq(user.id, userId));
  return { value: { next }, cookies: await openSession(ctx, userId) };
}

/**
 * The demo's provider lets a visitor be any person. It opens an admin's account for that signed-in admin alone, however the
 * address got past the choice (decision 022). Refuses `forbidden`.
 */
function refuseDemoAdmin(ctx: Ctx, { id, role }: { id: string; role: string | null }): void {
  if (ctx.services.demoProvider && role === 'admin' && id !== userIdOf(ctx.actor))
    throw new Refusal('forbidden');
}

/** Of several returns with one attempt, the first counts. */
async function takeOnce(ctx: Ctx, { state, expiresAt }: Attempt): Promise<void> {
  if (expiresAt <= ctx.now().getTime()) throw new Refusal('auth.attemptOver');
  const name = createHash('sha256').update(state).digest('hex').slice(0, 32);
  await countAttempt(ctx, `google:${name}`, 1, lifeMs / 1000).catch((error) => {
    throw error instanceof Refusal ? new Refusal('auth.attemptOver') : error;
  });
}

async function accountOf(ctx: SignUpCtx, identity: Identity, door: Door): Promise<string> {
  const find = () =>
    inTransaction(ctx, (tx) => findOrMake({ ...tx, auth: ctx.auth }, identity, door));
  const found = await find().catch((error) => {
    // Two first sign-ins at once, or the mailed link just now: the account that the other one made is there.
    if (violatedConstraint(error)) return find();
    throw error;
  });
  if (found) return found;
  await mailWaiting(ctx, identity.email);
  throw new Refusal('auth.signUpWaits');
}

/** Somebody's account: the one that this Google account opens, else that of the same proven address, else a new one. Nothing where a sign-up waits, or another account left the address in the last days. */
async function findOrMake(
  tx: Omit<SignUpCtx, 'headers' | 'signUp'>,
  { subject, email, name }: Identity,
  door: Door,
): Promise<string | undefined> {
  const mine = and(eq(account.providerId, 'google'), eq(account.accountId, subject));
  const [linked] = await tx.db.select({ userId: account.userId }).from(account).where(mine);
  const owner = linked ? undefined : await verifiedUser(tx, email);
  const known = linked?.userId ?? owner?.id;
  // At an open account, somebody else's is neither opened nor connected.
  if (door === 'account' && known !== userIdOf(tx.actor)) throw new Refusal('auth.otherAddress');
  if (linked) return linked.userId;
  if (known) {
    if (owner) refuseDemoAdmin(tx, owner);
    const at = { createdAt: tx.now(), updatedAt: tx.now() };
    await tx.db.insert(account).values({
      id: await newAccountId(tx),
      accountId: subject,
      providerId: 'google',
      userId: known,
      ...at,
    });
    await notify(tx, { userId: known }, 'googleConnected', {}, 'account');
    return known;
  }
  // Who wrote a waiting sign-up is not known, and its password must not become this person's. One that was proven since it was looked for is found again.
  const [unproven] = await tx.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.email, email), eq(user.emailVerified, false)));
  if (unproven || (await pendingOf(tx, email)).length > 0 || (await heldUntil(tx, email)))
    return undefined;
  if (door === 'seller') await refuseBarred(tx, email);
  // A redirect cannot ask for another name: the account has none until its owner chooses one.
  const own = speaksForMarket(name) ? '' : name;
  return (await createAccount(tx, { email, name: own, language: tx.language, google: subject })).id;
}
