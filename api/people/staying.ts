import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';

const { user } = schema;

/**
 * Answers whether an account is about to be deleted. Its row stays locked in share mode until the transaction ends, so that a deletion
 * asked for meanwhile waits and finds what this transaction wrote. Lock it before posts and credits, as deletion does.
 */
export async function lockLeaving(tx: Ctx, userId: string): Promise<boolean> {
  const [person] = await tx.db
    .select({ leavingAt: user.leavingAt })
    .from(user)
    .where(eq(user.id, userId))
    .for('share');
  return Boolean(person?.leavingAt);
}

/** Answers the same without a lock, for pages that offer only what would be accepted. */
export async function isLeaving({ db }: Pick<Ctx, 'db'>, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  const [person] = await db
    .select({ leavingAt: user.leavingAt })
    .from(user)
    .where(eq(user.id, userId));
  return Boolean(person?.leavingAt);
}

/** Refuses `account.leaving` for an account that is about to be deleted; see {@link lockLeaving}. */
export async function requireStaying(tx: Ctx, userId: string): Promise<void> {
  if (await lockLeaving(tx, userId)) throw new Refusal('account.leaving');
}
