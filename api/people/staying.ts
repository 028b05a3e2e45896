import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';

const { user } = schema;

/**
 * True if the account is about to be deleted. Locks its row in share mode, so that a deletion waits
 * and sees what this transaction wrote. Lock it before posts and credits, as deletion does.
 */
export async function lockLeaving(tx: Tx, userId: string): Promise<boolean> {
  const [person] = await tx.db
    .select({ leavingAt: user.leavingAt })
    .from(user)
    .where(eq(user.id, userId))
    .for('share');
  return Boolean(person?.leavingAt);
}

/** {@link lockLeaving} without the lock, for pages. */
export async function isLeaving({ db }: Pick<Ctx, 'db'>, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  const [person] = await db
    .select({ leavingAt: user.leavingAt })
    .from(user)
    .where(eq(user.id, userId));
  return Boolean(person?.leavingAt);
}

/** Refuses `account.leaving`; locks as {@link lockLeaving}. */
export async function requireStaying(tx: Tx, userId: string): Promise<void> {
  if (await lockLeaving(tx, userId)) throw new Refusal('account.leaving');
}
