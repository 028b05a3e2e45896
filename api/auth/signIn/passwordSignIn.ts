import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { Refusal } from '../../shared/errors.ts';
import type { AuthCtx, WithCookies } from '../context.ts';
import { countRight } from '../guards.ts';
import { openSession } from '../openSession.ts';
import { passwordFits, renewHash } from '../passwords/proof.ts';
import { requireCode } from '../secondFactor/secondFactor.ts';

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
  await renewHash(ctx, userId, password);
  const cookies = await openSession(ctx, userId);
  await ctx.db
    .update(schema.user)
    .set({ language: ctx.language })
    .where(eq(schema.user.id, userId));
  return { value: { userId }, cookies };
}
