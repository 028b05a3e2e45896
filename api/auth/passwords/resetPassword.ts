import { and, eq, like } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { isTeam, openToEveryone } from '../../core/access.ts';
import { inTransaction } from '../../core/transaction.ts';
import { unlinkChats } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import type { AuthCtx } from '../context.ts';
import { forgetAttempts } from '../guards.ts';
import { passwordLimits, strongPassword } from '../schema.ts';
import { storedReset, storedResets } from '../tokens.ts';
import { hashingAtOnce } from './hashing.ts';
import { normalPassword } from './normal.ts';

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

/**
 * Sets a new password by a mailed link; ends all sessions and reset links. Refuses
 * `auth.linkInvalid`, also if expired, and `validation` for an admin's weak password, which leaves
 * the link good.
 */
export async function resetPassword(
  ctx: AuthCtx,
  { token, password }: { token: string; password: string },
): Promise<void> {
  openToEveryone(ctx);
  const { verification, user } = schema;
  const [row] = await ctx.db
    .select({ userId: verification.value, role: user.role })
    .from(verification)
    .leftJoin(user, eq(user.id, verification.value))
    .where(eq(verification.identifier, storedReset(token)));
  if (!row) throw new Refusal('auth.linkInvalid');
  if (isTeam(row.role) && !strongPassword.safeParse(password).success)
    throw new Refusal('validation', {}, [{ path: 'password', code: 'strongPassword' }]);
  try {
    // better-auth uses the link up before it hashes: a refusal then would lose it.
    await hashingAtOnce(() =>
      ctx.auth.api.resetPassword({ body: { token, newPassword: normalPassword(password) } }),
    );
  } catch (error) {
    throw translateAuthError(error);
  }
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .delete(verification)
      .where(
        and(eq(verification.value, row.userId), like(verification.identifier, `${storedResets}%`)),
      );
    await unlinkChats(tx, row.userId);
    const [owner] = await tx.db.select().from(user).where(eq(user.id, row.userId));
    if (!owner) return;
    await forgetAttempts(tx, owner.email);
    await notify(tx, { userId: owner.id }, 'passwordChanged', {});
  });
}
