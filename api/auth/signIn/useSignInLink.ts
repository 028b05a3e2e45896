import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { isTeam, openToEveryone } from '../../core/access.ts';
import { proven } from '../../people/mailbox.ts';
import { Refusal } from '../../shared/errors.ts';
import { ownPath } from '../../shared/ownPath.ts';
import type { AuthCtx, WithCookies } from '../context.ts';
import { forgetAttempts } from '../guards.ts';
import { openSession } from '../openSession.ts';
import { homes } from '../rules.ts';
import { requireCode } from '../secondFactor/secondFactor.ts';
import { hashToken } from '../tokens.ts';

const { signInLinks, user } = schema;

/**
 * Signs in by a mailed link, once; a wrong code leaves it good. Refuses `auth.linkInvalid`,
 * `auth.linkUsed`, `auth.linkExpired`, `auth.codeNeeded`, `auth.codeWrong`, `auth.codeUsed`,
 * `auth.tooManyAttempts`.
 */
export async function useSignInLink(
  ctx: AuthCtx,
  { token, code }: { token: string; code?: string | undefined },
): Promise<WithCookies<{ next: string }>> {
  openToEveryone(ctx);
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
    value: { next: ownPath(link.next, isTeam(link.role) ? homes.admin : homes.seller) },
    cookies: await openSession(ctx, link.userId),
  };
}
