import { and, eq, isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

const { connectPosts: p } = schema;

/** Closes the active posts of an account that is about to be deleted. Part of the transaction that has locked the account. */
export async function closePosts(tx: Ctx, userId: string): Promise<void> {
  // Hidden ones too: an admin may show them again before the account goes.
  await tx.db
    .update(p)
    .set({ status: 'closed', leftAt: tx.now() })
    .where(and(eq(p.userId, userId), eq(p.status, 'active')));
}

/** Opens the posts that {@link closePosts} closed. Those that an admin took down meanwhile stay down. */
export async function reopenPosts(tx: Ctx, userId: string): Promise<void> {
  await tx.db
    .update(p)
    .set({ status: 'active', leftAt: null })
    .where(and(eq(p.userId, userId), isNotNull(p.leftAt)));
}
