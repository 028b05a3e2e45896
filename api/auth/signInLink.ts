import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { proven } from '../people/mailbox.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { ownPath } from '../shared/ownPath.ts';
import type { AuthCtx, SignUpCtx, WithCookies } from './context.ts';
import { verifiedUser } from './create.ts';
import { admit, forgetAttempts, inEqualTime, mayMail } from './guards.ts';
import { withToken } from './letters.ts';
import { openSession } from './openSession.ts';
import { mailWaiting } from './pending.ts';
import { homes, sideOf } from './rules.ts';
import { type Replied, replyIn } from './schema.ts';
import { requireCode } from './secondFactor/secondFactor.ts';
import { hashToken, newToken } from './tokens.ts';

const { signInLinks, user } = schema;
const lifeMs = 15 * 60_000;

/**
 * Mails a sign-in link (15 minutes, once). Unknown addresses get the same answer; unproven ones a
 * verification link. Refuses as {@link admit}, by network address alone.
 */
export async function mailSignInLink(
  ctx: SignUpCtx,
  { email, next, ...given }: { email: string; next?: string | undefined } & Replied,
): Promise<void> {
  return inEqualTime(async () => {
    await admit(ctx, email, { form: 'letter', reply: replyIn(given), tries: false, letter: true });
    const owner = await verifiedUser(ctx, email);
    if (!owner) return mailWaiting(ctx, email);
    if (!(await mayMail(ctx, 'sign-in', email))) return;
    await inTransaction(ctx, async (tx) =>
      notify(tx, { userId: owner.id }, 'signInLink', {}, await newSignInLink(tx, owner.id, next)),
    );
  });
}

/**
 * Creates a sign-in link; returns its path without the language. The caller vouches for the
 * mailbox.
 */
export async function newSignInLink(
  ctx: Ctx,
  userId: string,
  next: string | undefined,
  livesMs = lifeMs,
): Promise<string> {
  const token = newToken();
  const createdAt = ctx.now();
  const expiresAt = new Date(createdAt.getTime() + livesMs);
  await ctx.db
    .insert(signInLinks)
    .values({ tokenHash: hashToken(token), userId, next: next ?? null, createdAt, expiresAt });
  return withToken('sign-in-link', token, sideOf(next));
}

/**
 * Signs in by a mailed link, once; a wrong code leaves it good. Refuses `auth.linkInvalid`,
 * `auth.linkUsed`, `auth.linkExpired`, `auth.codeNeeded`, `auth.codeWrong`, `auth.codeUsed`,
 * `auth.tooManyAttempts`.
 */
export async function useSignInLink(
  ctx: AuthCtx,
  { token, code }: { token: string; code?: string | undefined },
): Promise<WithCookies<{ next: string }>> {
  const mine = eq(signInLinks.tokenHash, hashToken(token));
  const [link] = await ctx.db
    .select({
      userId: user.id,
      email: user.email,
      role: user.role,
      next: signInLinks.next,
      usedAt: signInLinks.usedAt,
      expiresAt: signInLinks.expiresAt,
    })
    .from(signInLinks)
    .innerJoin(user, and(eq(user.id, signInLinks.userId), proven))
    .where(mine);
  if (!link) throw new Refusal('auth.linkInvalid');
  if (link.usedAt) throw new Refusal('auth.linkUsed');
  if (link.expiresAt <= ctx.now()) throw new Refusal('auth.linkExpired');
  await requireCode(ctx, link.userId, code);
  // Of two requests with one link, one updates no row.
  const taken = await ctx.db
    .update(signInLinks)
    .set({ usedAt: ctx.now() })
    .where(and(mine, isNull(signInLinks.usedAt)))
    .returning({ hash: signInLinks.tokenHash });
  if (taken.length === 0) throw new Refusal('auth.linkUsed');
  await forgetAttempts(ctx, link.email);
  await ctx.db.update(user).set({ language: ctx.language }).where(eq(user.id, link.userId));
  return {
    value: { next: ownPath(link.next, link.role === 'admin' ? homes.admin : homes.seller) },
    cookies: await openSession(ctx, link.userId),
  };
}
