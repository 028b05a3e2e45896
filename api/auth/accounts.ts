import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import { writeMail } from '../core/outbox.ts';
import { createProfile } from '../sellers/profile.ts';
import type { Profile } from '../sellers/schema.ts';
import type { Auth } from './auth.ts';
import { hashToken } from './letters.ts';
import { passwordLimits } from './schema.ts';
import { requireSecondFactor } from './secondFactor.ts';

/** What a verb of this room needs beside the context: better-auth, and the request's own headers for the session it makes. */
export type AuthCtx = Ctx & { auth: Auth; headers: Headers };
/** Cookies to set on the answer. */
export type WithCookies<T> = { value: T; cookies: string[] };

const cookiesOf = (headers: Headers): string[] => headers.getSetCookie();

async function findUser(ctx: Ctx, email: string) {
  const [row] = await ctx.db.select().from(schema.user).where(eq(schema.user.email, email));
  return row;
}

/** Counts tries by account and by address: an account is guarded tightly, an address loosely, since whole towns share one. */
async function guard(ctx: Ctx, action: string, email: string): Promise<void> {
  await countAttempt(ctx, `${action}:account:${hashToken(email).slice(0, 32)}`, 10, 900);
  await countAttempt(ctx, `${action}:address:${ctx.client.addressHash}`, 300, 900);
}

/**
 * Sign-up of a seller (marketplace §4 Signup): the account, a verification mail (24 h), and the profile on a best-effort basis.
 * An address that is already a verified account signs in when the password is right, and gets its profile; otherwise the answer
 * is the one that a new address gets, and the owner is told by mail, so that nobody learns who has an account here.
 */
export async function signUpSeller(
  ctx: AuthCtx,
  input: { email: string; password: string } & Profile,
): Promise<WithCookies<{ next: 'verify' | 'dashboard'; profileFailed: boolean }>> {
  const { email, password, ...profile } = input;
  await guard(ctx, 'sign-up', email);
  const existing = await findUser(ctx, email);
  if (existing?.emailVerified) {
    try {
      const signedIn = await passwordSignIn(ctx, email, password);
      const profileFailed = await tryProfile(ctx, existing, profile);
      return { value: { next: 'dashboard', profileFailed }, cookies: signedIn.cookies };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await writeMail(ctx, {
        to: email,
        name: existing.name,
        language: existing.language,
        kind: 'accountExists',
        link: `${ctx.services.env.publicUrl}/${existing.language}/seller/auth`,
      });
      // Sends nothing to a verified address, and takes its time: a quicker answer would tell what the words do not.
      await sendVerification(ctx, email);
      return { value: { next: 'verify', profileFailed: false }, cookies: [] };
    }
  }
  if (existing) {
    // Whoever wrote this address in first has proven nothing: the newest password counts, so that nobody keeps one from before.
    const { password: hasher } = await ctx.auth.$context;
    await ctx.db
      .update(schema.account)
      .set({ password: await hasher.hash(password), updatedAt: ctx.now() })
      .where(and(eq(schema.account.userId, existing.id), eq(schema.account.providerId, 'credential')));
    await ctx.db.update(schema.user).set({ name: profile.name, language: ctx.language }).where(eq(schema.user.id, existing.id));
    await sendVerification(ctx, email);
    return { value: { next: 'verify', profileFailed: false }, cookies: [] };
  }
  const { user } = await ctx.auth.api.signUpEmail({ body: { email, password, name: profile.name }, headers: ctx.headers });
  await ctx.db.update(schema.user).set({ language: ctx.language }).where(eq(schema.user.id, user.id));
  const profileFailed = await tryProfile(ctx, user, profile);
  // Sent after the language is known, so that the mail is in the language of the page.
  await sendVerification(ctx, email);
  return { value: { next: 'verify', profileFailed }, cookies: [] };
}

async function tryProfile(ctx: Ctx, account: { id: string; email: string }, profile: Profile): Promise<boolean> {
  try {
    await createProfile(ctx, { userId: account.id, email: account.email }, profile);
    return false;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'sellers.profileExists') return false;
    if (error instanceof Refusal && error.code === 'sellers.barred') throw error;
    ctx.services.log.error('A profile could not be made at sign-up', { error });
    return true;
  }
}

/** The one way to a session by password. A second factor is asked for here, so that no door forgets it, and before there is a session. */
async function passwordSignIn(ctx: AuthCtx, email: string, password: string, code?: string | undefined): Promise<WithCookies<{ userId: string }>> {
  await requireSecondFactor(ctx, { email, password, code });
  try {
    const { response, headers } = await ctx.auth.api.signInEmail({ body: { email, password }, headers: ctx.headers, returnHeaders: true });
    return { value: { userId: response.user.id }, cookies: cookiesOf(headers) };
  } catch (error) {
    throw translateAuthError(error);
  }
}

/** Turns better-auth's refusals into ours. What is no refusal of its own is a bug and is thrown on. */
function translateAuthError(error: unknown): unknown {
  const body = (error as { body?: { code?: string } }).body;
  switch (body?.code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
    case 'USER_NOT_FOUND':
    case 'CREDENTIAL_ACCOUNT_NOT_FOUND':
      return new Refusal('auth.invalidCredentials');
    case 'EMAIL_NOT_VERIFIED':
      return new Refusal('auth.emailNotVerified');
    case 'INVALID_TOKEN':
      return new Refusal('auth.linkInvalid');
    case 'TOKEN_EXPIRED':
      return new Refusal('auth.linkExpired');
    case 'PASSWORD_TOO_SHORT':
    case 'PASSWORD_TOO_LONG':
      return new Refusal('auth.passwordTooShort', { min: passwordLimits.seller });
    default:
      return error;
  }
}

/** Sign-in with email and password. Refuses `auth.invalidCredentials`, `auth.emailNotVerified`, `auth.tooManyAttempts`, `auth.codeNeeded`. */
export async function signIn(
  ctx: AuthCtx,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
): Promise<WithCookies<{ userId: string }>> {
  await guard(ctx, 'sign-in', email);
  const result = await passwordSignIn(ctx, email, password, code);
  await ctx.db.update(schema.user).set({ language: ctx.language }).where(eq(schema.user.id, result.value.userId));
  return result;
}

/**
 * Admin sign-in: password first, then the admin check; who is no admin is signed out again and told so (marketplace §5).
 * With a second factor the code comes with the password; `auth.codeNeeded` asks for it. Refuses `auth.notAdmin`, `auth.codeWrong`,
 * `auth.codeUsed` and what {@link signIn} refuses.
 */
export async function signInAdmin(
  ctx: AuthCtx,
  input: { email: string; password: string; code?: string | undefined },
): Promise<WithCookies<{ userId: string }>> {
  const result = await signIn(ctx, input);
  const [user] = await ctx.db.select({ role: schema.user.role }).from(schema.user).where(eq(schema.user.id, result.value.userId));
  if (user?.role === 'admin') return result;
  const cookie = result.cookies.map((line) => line.split(';')[0]).join('; ');
  await ctx.auth.api.signOut({ headers: new Headers({ cookie }) });
  throw new Refusal('auth.notAdmin');
}

/** Ends the present session. Answers the cookies that clear it, with or without a session. */
export async function signOut(ctx: AuthCtx): Promise<WithCookies<null>> {
  const { headers } = await ctx.auth.api.signOut({ headers: ctx.headers, returnHeaders: true });
  return { value: null, cookies: cookiesOf(headers) };
}

/** Mails a link to an account that waits for one. better-auth takes half a second whoever is asked about, so that time tells nothing either. */
async function sendVerification(ctx: AuthCtx, email: string): Promise<void> {
  await ctx.auth.api.sendVerificationEmail({ body: { email }, headers: new Headers() });
}

/** Sends a new verification link; older ones end. The answer is the same for an unknown or verified address. */
export async function resendVerification(ctx: AuthCtx, email: string): Promise<void> {
  await countAttempt(ctx, `resend:account:${hashToken(email).slice(0, 32)}`, 5, 3600);
  await countAttempt(ctx, `resend:address:${ctx.client.addressHash}`, 100, 3600);
  await sendVerification(ctx, email);
}

/**
 * Uses a verification link, once: the address is proven and the person signed in (marketplace §2 /email-verification).
 * Refuses `auth.linkExpired` after 24 hours, `auth.linkUsed` the second time, `auth.linkInvalid` for a forged or replaced one.
 */
export async function verifyEmail(ctx: AuthCtx, token: string): Promise<WithCookies<{ email: string }>> {
  const { verificationLinks, user } = schema;
  const tokenHash = hashToken(token);
  const mine = eq(verificationLinks.tokenHash, tokenHash);
  const [link] = await ctx.db
    .select({ usedAt: verificationLinks.usedAt, expiresAt: verificationLinks.expiresAt, email: user.email })
    .from(verificationLinks)
    .innerJoin(user, eq(user.id, verificationLinks.userId))
    .where(mine);
  if (!link) throw new Refusal('auth.linkInvalid');
  if (link.usedAt) throw new Refusal('auth.linkUsed');
  if (link.expiresAt <= ctx.now()) throw new Refusal('auth.linkExpired');
  // Taken before it is used: of two requests with one link, one finds it taken.
  const taken = await ctx.db
    .update(verificationLinks)
    .set({ usedAt: ctx.now() })
    .where(and(mine, isNull(verificationLinks.usedAt)))
    .returning({ hash: verificationLinks.tokenHash });
  if (taken.length === 0) throw new Refusal('auth.linkUsed');
  try {
    const { headers } = await ctx.auth.api.verifyEmail({ query: { token }, headers: ctx.headers, returnHeaders: true });
    return { value: { email: link.email }, cookies: cookiesOf(headers) };
  } catch (error) {
    await ctx.db.update(verificationLinks).set({ usedAt: null }).where(mine);
    throw translateAuthError(error);
  }
}

/** Mails a link for a new password (1 hour, once). The same answer, in about the same time, for unknown addresses (decision 26). */
export async function forgotPassword(ctx: AuthCtx, email: string): Promise<void> {
  await countAttempt(ctx, `forgot:account:${hashToken(email).slice(0, 32)}`, 5, 3600);
  await countAttempt(ctx, `forgot:address:${ctx.client.addressHash}`, 100, 3600);
  await ctx.auth.api.requestPasswordReset({ body: { email } });
}

/** Sets a new password by a mailed link and ends every other session (decision 26). Refuses `auth.linkInvalid`, also when the link is old. */
export async function resetPassword(ctx: AuthCtx, { token, password }: { token: string; password: string }): Promise<void> {
  const [row] = await ctx.db
    .select({ userId: schema.verification.value })
    .from(schema.verification)
    .where(eq(schema.verification.identifier, `reset-password:${token}`));
  try {
    await ctx.auth.api.resetPassword({ body: { token, newPassword: password } });
  } catch (error) {
    throw translateAuthError(error);
  }
  if (!row) return;
  // Whoever can read the mailbox has proven the address.
  const [user] = await ctx.db.update(schema.user).set({ emailVerified: true }).where(eq(schema.user.id, row.userId)).returning();
  if (user) await writeMail(ctx, { to: user.email, name: user.name, language: user.language, kind: 'passwordChanged' });
}
