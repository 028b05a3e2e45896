import { and, eq, like } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { Refusal } from '../core/errors.ts';
import { unlinkChats } from '../people/chats.ts';
import { notify } from '../people/notify.ts';
import { type AuthCtx, cookiesOf, type SignUpCtx, type WithCookies } from './context.ts';
import { verifiedUser } from './create.ts';
import { forgetAttempts, guardAsking, guardPassword, inEqualTime, mayMail } from './guards.ts';
import { mailWaiting, refuseUnproven } from './pending.ts';
import { passwordLimits, strongPassword } from './schema.ts';
import { requireSecondFactor } from './secondFactor.ts';
import { storedReset, storedResets } from './tokens.ts';

/**
 * The one way to a session by password. A second factor is asked for here, so that no door forgets it, and before there is a session. Letters
 * are from now on in the language of the page.
 */
export async function passwordSignIn(ctx: AuthCtx, email: string, password: string, code?: string | undefined): Promise<WithCookies<{ userId: string }>> {
  await requireSecondFactor(ctx, { email, password, code });
  try {
    const { response, headers } = await ctx.auth.api.signInEmail({ body: { email, password }, headers: ctx.headers, returnHeaders: true });
    const userId = response.user.id;
    await ctx.db.update(schema.user).set({ language: ctx.language }).where(eq(schema.user.id, userId));
    return { value: { userId }, cookies: cookiesOf(headers) };
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
  ctx: SignUpCtx,
  { email, password, code }: { email: string; password: string; code?: string | undefined },
): Promise<WithCookies<{ userId: string }>> {
  await guardPassword(ctx, email);
  if (!(await verifiedUser(ctx, email))) return refuseUnproven(ctx, email, password);
  return passwordSignIn(ctx, email, password, code);
}

/**
 * Admin sign-in: password first, then the admin check; who is no admin is signed out and told so (product §5), which ends what was open
 * in this browser before as well. With a second factor the code comes with the password; `auth.codeNeeded` asks for it. Refuses `auth.notAdmin`, `auth.codeWrong`,
 * `auth.codeUsed` and what {@link signIn} refuses.
 */
export async function signInAdmin(
  ctx: SignUpCtx,
  input: { email: string; password: string; code?: string | undefined },
): Promise<WithCookies<{ userId: string }>> {
  const result = await signIn(ctx, input);
  const [user] = await ctx.db.select({ role: schema.user.role }).from(schema.user).where(eq(schema.user.id, result.value.userId));
  if (user?.role === 'admin') return result;
  const cookie = result.cookies.map((line) => line.split(';')[0]).join('; ');
  await ctx.auth.api.signOut({ headers: new Headers({ cookie }) });
  const { cookies } = await signOut(ctx);
  throw new Refusal('auth.notAdmin', {}, [], { cookies });
}

/** Ends the present session. Answers the cookies that clear it, with or without a session. */
export async function signOut(ctx: AuthCtx): Promise<WithCookies<null>> {
  const { headers } = await ctx.auth.api.signOut({ headers: ctx.headers, returnHeaders: true });
  return { value: null, cookies: cookiesOf(headers) };
}

/**
 * Mails a link for a new password (1 hour, once), or a verification link to an address that waits for its proof: there a new password can be
 * chosen too. The same answer, in the same time, for unknown addresses. Refuses `auth.tooManyAttempts` by network address alone.
 */
export async function forgotPassword(ctx: SignUpCtx, email: string): Promise<void> {
  return inEqualTime(async () => {
    await guardAsking(ctx, 'forgot');
    if (!(await verifiedUser(ctx, email))) return mailWaiting(ctx, email);
    if (await mayMail(ctx, 'reset', email)) await ctx.auth.api.requestPasswordReset({ body: { email } });
  });
}

/**
 * Sets a new password by a mailed link and ends every session and every other such link. Refuses `auth.linkInvalid`, also when the link is
 * old, and `validation` for an admin's password that is not strong; the link is then still good.
 */
export async function resetPassword(ctx: AuthCtx, { token, password }: { token: string; password: string }): Promise<void> {
  const { verification, user } = schema;
  const [row] = await ctx.db
    .select({ userId: verification.value, role: user.role })
    .from(verification)
    .leftJoin(user, eq(user.id, verification.value))
    .where(eq(verification.identifier, storedReset(token)));
  if (!row) throw new Refusal('auth.linkInvalid');
  if (row.role === 'admin' && !strongPassword.safeParse(password).success) throw new Refusal('validation', {}, [{ path: 'password', code: 'strongPassword' }]);
  try {
    await ctx.auth.api.resetPassword({ body: { token, newPassword: password } });
  } catch (error) {
    throw translateAuthError(error);
  }
  await ctx.db.delete(verification).where(and(eq(verification.value, row.userId), like(verification.identifier, `${storedResets}%`)));
  await unlinkChats(ctx, row.userId);
  const [owner] = await ctx.db.select().from(user).where(eq(user.id, row.userId));
  if (!owner) return;
  await forgetAttempts(ctx, owner.email);
  await notify(ctx, { userId: owner.id }, 'passwordChanged', {});
}
