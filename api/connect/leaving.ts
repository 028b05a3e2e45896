import { and, eq, isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';

const { connectPosts: p } = schema;

/**
 * Closes the active posts of an account about to be deleted. Runs in the transaction that locked
 * the account.
 */
export async function closePosts(tx: Tx, userId: string): Promise<void> {
  // Hidden ones too: an admin may show them again before the deletion.
  await tx.db
    .update(p)
    .set({ status: 'closed', leftAt: tx.now() })
    .where(and(eq(p.userId, userId), eq(p.status, 'active')));
}

/** Reopens the posts that {@link closePosts} closed; those hidden since stay hidden. */
export async function reopenPosts(tx: Tx, userId: string): Promise<void> {
  await tx.db
    .update(p)
    .set({ status: 'active', leftAt: null })
    .where(and(eq(p.userId, userId), isNotNull(p.leftAt)));
}
