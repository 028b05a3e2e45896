import { and, eq, like } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { unlinkChats } from '../people/chats.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import type { AuthCtx, SignUpCtx, WithCookies } from './context.ts';
import { verifiedUser } from './create.ts';
import { admit, countRight, forgetAttempts, inEqualTime, mayMail } from './guards.ts';
import { hashingAtOnce } from './hashing.ts';
import { cookiesOf, openSession } from './openSession.ts';
import { mailWaiting, refuseUnproven } from './pending.ts';
import { passwordFits } from './proof.ts';
import { passwordLimits, type Replied, replyIn, strongPassword } from './schema.ts';
import { requireCode } from './secondFactor/secondFactor.ts';
import { storedReset, storedResets } from './tokens.ts';

/**
 * Signs in by password and, where it is on, the second factor. Later mail is in this page's
 * language. Refuses `auth.invalidCredentials`, `auth.tooManyAttempts` and as {@link requireCode}.
 */
export async function passwordSignIn(
  ctx: AuthCtx,
  { id: userId }: { id: string },
  password: string,
  code?: string | undefined,
): Promise<WithCookies<{ userId: string }>> {
  if (!(await passwordFits(ctx, userId, password))) throw new Refusal('auth.invalidCredentials');
  await countRight(ctx, userId);
  await requireCode(ctx, userId, code);
  const cookies = await openSession(ctx, userId);
  await ctx.db
    .update(schema.user)
    .set({ language: ctx.language })
    .where(eq(schema.user.id, userId));
  return { value: { userId }, cookies };
}

function translateAuthError(error: unknown): unknown {
  const body = (error as { body?: { code?: string } }).body;
  switch (body?.code) {
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

type SignIn = { email: string; password: string; code?: string | undefined } & Replied;

/**
 * Signs in by password; only a wrong one stays counted. Refuses as {@link admit},
 * `auth.invalidCredentials`, `auth.emailNotVerified`, `auth.codeNeeded`.
 */
export async function signIn(
  ctx: SignUpCtx,
  { email, password, code, ...given }: SignIn,
): Promise<WithCookies<{ userId: string }>> {
  const admission = await admit(ctx, email, {
    form: 'sign-in',
    reply: replyIn(given),
    tries: true,
    letter: false,
  });
  try {
    const owner = await verifiedUser(ctx, email);
    const signedIn = owner
      ? await passwordSignIn(ctx, owner, password, code)
      : await refuseUnproven(ctx, email, password);
    await admission.giveBack();
    return signedIn;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'auth.invalidCredentials')
      await admission.giveBack();
    throw error;
  }
}

/**
 * Signs an admin in (product §5). Anyone else is signed out again, also from this browser's earlier
 * session. Refuses `auth.notAdmin`, `auth.codeWrong`, `auth.codeUsed` and as {@link signIn}.
 */
export async function signInAdmin(
  ctx: SignUpCtx,
  input: SignIn,
): Promise<WithCookies<{ userId: string }>> {
  const result = await signIn(ctx, input);
  const [user] = await ctx.db
    .select({ role: schema.user.role })
    .from(schema.user)
    .where(eq(schema.user.id, result.value.userId));
  if (user?.role === 'admin') return result;
  const cookie = result.cookies.map((line) => line.split(';')[0]).join('; ');
  await ctx.auth.api.signOut({ headers: new Headers({ cookie }) });
  const { cookies } = await signOut(ctx);
  throw new Refusal('auth.notAdmin', {}, [], { cookies });
}

/** Ends the present session; clears its cookies even without one. */
export async function signOut(ctx: AuthCtx): Promise<WithCookies<null>> {
  const { headers } = await ctx.auth.api.signOut({ headers: ctx.headers, returnHeaders: true });
  return { value: null, cookies: cookiesOf(headers) };
}

/**
 * Mails a reset link (1 hour, once), or a verification link if unproven. Unknown addresses get the
 * same answer in the same time. Refuses as {@link admit}, by network address alone.
 */
export async function forgotPassword(
  ctx: SignUpCtx,
  { email, ...given }: { email: string } & Replied,
): Promise<void> {
  return inEqualTime(async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, letter: true });
    if (!(await verifiedUser(ctx, email))) return mailWaiting(ctx, email);
    if (await mayMail(ctx, 'reset', email))
      await ctx.auth.api.requestPasswordReset({ body: { email } });
  });
}

/**
 * Sets a new password by a mailed link; ends all sessions and reset links. Refuses
 * `auth.linkInvalid`, also if expired, and `validation` for an admin's weak password, which leaves
 * the link good.
 */
export async function resetPassword(
  ctx: AuthCtx,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { verification, user } = schema;
  const [row] = await ctx.db
    .select({ userId: verification.value, role: user.role })
    .from(verification)
    .leftJoin(user, eq(user.id, verification.value))
    .where(eq(verification.identifier, storedReset(token)));
  if (!row) throw new Refusal('auth.linkInvalid');
  if (row.role === 'admin' && !strongPassword.safeParse(password).success)
    throw new Refusal('validation', {}, [{ path: 'password', code: 'strongPassword' }]);
  try {
    // better-auth uses the link up before it hashes: a refusal then would lose it.
    await hashingAtOnce(() =>
      ctx.auth.api.resetPassword({ body: { token, newPassword: password } }),
    );
  } catch (error) {
    throw translateAuthError(error);
  }
  await ctx.db
    .delete(verification)
    .where(
      and(eq(verification.value, row.userId), like(verification.identifier, `${storedResets}%`)),
    );
  await unlinkChats(ctx, row.userId);
  const [owner] = await ctx.db.select().from(user).where(eq(user.id, row.userId));
  if (!owner) return;
  await forgetAttempts(ctx, owner.email);
  await notify(ctx, { userId: owner.id }, 'passwordChanged', {});
}
