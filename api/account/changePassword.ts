import { and, eq, like } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { WithAuth } from '../auth/context.ts';
import { hashPassword } from '../auth/create.ts';
import { askPassword } from '../auth/passwords/proof.ts';
import { storedResets } from '../auth/tokens.ts';
import { isTeam, requireAccount } from '../core/access.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { endOtherSessions } from './endOtherSessions.ts';
import { newAdminPassword } from './schema.ts';

const { account, verification, signInLinks } = schema;

/**
 * Changes the password; other sessions and mailed links end, and the person is notified. Refuses
 * `auth.passwordWrong`, also without a present one, `auth.tooManyAttempts`, and `validation` for an
 * admin's weak one.
 */
export async function changePassword(
  ctx: WithAuth,
  given: { password: string; newPassword: string },
): Promise<{ ended: number }> {
  const { kind, userId } = requireAccount(ctx);
  if (isTeam(kind) && !newAdminPassword.safeParse(given).success)
    throw new Refusal('validation', {}, [{ path: 'newPassword', code: 'strongPassword' }]);
  await askPassword(ctx, userId, given.password);
  const password = await hashPassword(ctx, given.newPassword);
  return inTransaction(ctx, async (tx) => {
    await tx.db
      .update(account)
      .set({ password, updatedAt: tx.now() })
      .where(and(eq(account.userId, userId), eq(account.providerId, 'credential')));
    await tx.db
      .delete(verification)
      .where(
        and(eq(verification.value, userId), like(verification.identifier, `${storedResets}%`)),
      );
    await tx.db.delete(signInLinks).where(eq(signInLinks.userId, userId));
    const ended = await endOtherSessions(tx);
    await notify(tx, { userId }, 'passwordChanged', {}, 'forgot-password');
    return ended;
  });
}
