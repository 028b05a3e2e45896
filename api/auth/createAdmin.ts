import { and, eq, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { inTransaction } from '../core/transaction.ts';
import { heldUntil } from '../people/leftEmails.ts';
import { isBarred } from '../sellers/profile.ts';
import { normalEmail } from '../shared/email.ts';
import type { WithAuth } from './context.ts';
import { lockAccount } from './locks.ts';
import { type Made, makeAdmin, type NewAdmin } from './makeAdmin.ts';

const { sellers, user } = schema;

/**
 * Runs {@link makeAdmin} for `bun run admin:create`. Throws for a leaving account, a suspended
 * seller's, or a barred or held address: the rights would end soon or undo an admin's decision.
 */
export async function createAdmin(ctx: WithAuth, given: NewAdmin): Promise<Made> {
  const email = normalEmail(given.email);
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.db.select({ id: user.id }).from(user).where(eq(user.email, email));
    const known = row && (await lockAccount(tx, row.id));
    if (known?.leavingAt)
      throw new Error(
        'This account is about to be deleted, as its owner asked. They can keep it under My Account; then try again, or take another address.',
      );
    const theirs = known
      ? or(eq(sellers.userId, known.id), eq(sellers.email, email))
      : eq(sellers.email, email);
    if ((await tx.db.$count(sellers, and(theirs, eq(sellers.suspended, true)))) > 0)
      throw new Error(
        'This is a suspended seller. Lift the suspension under Users first, or take another address.',
      );
    if (await isBarred(tx, email))
      throw new Error(
        'This address is barred, since its seller was deleted. Let it in again under Users first, or take another address.',
      );
    if (!known && (await heldUntil(tx, email)))
      throw new Error(
        'Another account had this address until lately, and can take it back for seven days. Take another address, or wait.',
      );
    return makeAdmin({ ...tx, auth: ctx.auth }, given);
  });
}
