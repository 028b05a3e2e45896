import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { WithAuth } from '../auth/context.ts';
import { passwordOf } from '../auth/passwords/proof.ts';
import { requireAccount } from '../core/access.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { requireProof } from './proof.ts';
import type { Proof } from './schema.ts';

/**
 * Disconnects a sign-in method and notifies the person. Refuses `account.lastSignIn` without a
 * password, `notFound`, and as {@link requireProof}.
 */
export async function disconnect(
  ctx: WithAuth,
  provider: 'google',
  given: Proof,
): Promise<{ provider: string }> {
  const { userId } = requireAccount(ctx);
  if (!(await passwordOf(ctx, userId))) throw new Refusal('account.lastSignIn');
  await requireProof(ctx, given);
  const { account } = schema;
  return inTransaction(ctx, async (tx) => {
    const gone = await tx.db
      .delete(account)
      .where(and(eq(account.userId, userId), eq(account.providerId, provider)))
      .returning({ id: account.id });
    if (gone.length === 0) throw new Refusal('notFound');
    await notify(tx, { userId }, 'googleDisconnected', {}, 'forgot-password');
    return { provider };
  });
}
