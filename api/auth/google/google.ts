import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../../db/client.ts';
import { isTeam, openToEveryone } from '../../core/access.ts';
import { type Ctx, type Tx, userIdOf } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import type { Challenge, Identity, SignInProvider } from '../../core/ports.ts';
import { inTransaction } from '../../core/transaction.ts';
import { heldUntil } from '../../people/leftEmails.ts';
import { speaksForMarket } from '../../people/names.ts';
import { notify } from '../../people/notify.ts';
import { refuseBarred } from '../../sellers/profile.ts';
import { Refusal } from '../../shared/errors.ts';
import { ownPath } from '../../shared/ownPath.ts';
import type { SignUpCtx, WithCookies } from '../context.ts';
import { createAccount, newAccountId, verifiedUser } from '../create.ts';
import { forgetAttempts } from '../guards.ts';
import { openSession } from '../openSession.ts';
import { homes } from '../rules.ts';
import type { SignInPage } from '../schema.ts';
import { hasSecondFactor } from '../secondFactor/secondFactor.ts';
import { newSignInLink } from '../signIn/signInLink.ts';
import { mailWaiting, pendingOf } from '../signUp/pending.ts';

/** Kept by the browser until its first return. */
export type Attempt = Challenge & { door: SignInPage; next: string | null; expiresAt: number };

const lifeMs = 10 * 60_000;
const { user, account } = schema;

function providerOf(ctx: Ctx): SignInProvider {
  const { google } = ctx.services;
  if (!google) throw new Refusal('notFound');
  return google;
}

const callback = (ctx: Ctx) => `${ctx.services.env.publicUrl}/api/auth/callback/google`;

/**
 * Begins a sign-in with Google: the URL to open, and the attempt for the browser to keep. It stores
 * nothing, so it has no limit of its own. Refuses `auth.providerAway`, `notFound`.
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
 * Ends a sign-in with Google, once. With a second factor it leads to a sign-in link that asks for
 * the code. Refuses `auth.attemptOver`, `auth.signUpWaits`, `auth.otherAddress`, `sellers.barred`,
 * and as {@link SignInProvider}.
 * @param search the query string of the return
 */
export async function finishGoogle(
  ctx: SignUpCtx,
  attempt: Attempt,
  search: string,
): Promise<WithCookies<{ next: string }>> {
  openToEveryone(ctx);
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
    homes[isTeam(owner.role) ? 'admin' : attempt.door === 'seller' ? 'seller' : 'member'],
  );
  if (await hasSecondFactor(ctx, userId))
    return { value: { next: `/${await newSignInLink(ctx, userId, next)}` }, cookies: [] };
  await forgetAttempts(ctx, owner.email);
  await ctx.db.update(user).set({ language: ctx.language }).where(eq(user.id, userId));
  return { value: { next }, cookies: await openSession(ctx, userId) };
}

/**
 * The demo's provider lets a visitor be anyone: an admin's account opens only for that admin,
 * already signed in (decision 022).
 */
function refuseDemoAdmin(ctx: Ctx, { id, role }: { id: string; role: string | null }): void {
  if (ctx.services.demoProvider && isTeam(role) && id !== userIdOf(ctx.actor))
    throw new Refusal('forbidden');
}

async function takeOnce(ctx: Ctx, { state, expiresAt }: Attempt): Promise<void> {
  if (expiresAt <= ctx.now().getTime()) throw new Refusal('auth.attemptOver');
  const name = createHash('sha256').update(state).digest('hex').slice(0, 32);
  await countAttempt(ctx, `google:${name}`, 1, lifeMs / 1000).catch((error) => {
    throw error instanceof Refusal ? new Refusal('auth.attemptOver') : error;
  });
}

async function accountOf(ctx: SignUpCtx, identity: Identity, door: SignInPage): Promise<string> {
  const find = () =>
    inTransaction(ctx, (tx) => findOrMake({ ...tx, auth: ctx.auth }, identity, door));
  const found = await find().catch((error) => {
    // Another sign-in or a mailed link has just made the account: find it.
    if (violatedConstraint(error)) return find();
    throw error;
  });
  if (found) return found;
  await mailWaiting(ctx, identity.email);
  throw new Refusal('auth.signUpWaits');
}

/**
 * Linked account, else that of the same proven address, else a new one. Undefined if a sign-up
 * waits, or another account left the address lately.
 */
async function findOrMake(
  tx: Tx & Omit<SignUpCtx, 'headers' | 'signUp'>,
  { subject, email, name }: Identity,
  door: SignInPage,
): Promise<string | undefined> {
  const mine = and(eq(account.providerId, 'google'), eq(account.accountId, subject));
  const [linked] = await tx.db.select({ userId: account.userId }).from(account).where(mine);
  const owner = linked ? undefined : await verifiedUser(tx, email);
  const known = linked?.userId ?? owner?.id;
  // The account page must not open or connect another person's account.
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
  // A stranger may have written the waiting sign-up: its password must not become this person's. If
  // it was proven meanwhile, the insert fails and {@link accountOf} looks again.
  const [unproven] = await tx.db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.email, email), eq(user.emailVerified, false)));
  if (unproven || (await pendingOf(tx, email)).length > 0 || (await heldUntil(tx, email)))
    return undefined;
  if (door === 'seller') await refuseBarred(tx, email);
  // A redirect cannot ask for another name: the owner chooses one later.
  const own = speaksForMarket(name) ? '' : name;
  return (await createAccount(tx, { email, name: own, language: tx.language, google: subject })).id;
}
