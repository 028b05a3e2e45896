import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { reopenPosts } from '../../connect/leaving.ts';
import type { Tx } from '../../core/context.ts';
import { notify } from '../../people/notify.ts';
import { openSelling } from '../../sellers/leaving.ts';
import { stakesOf } from './stakes.ts';

const { user } = schema;

/** Cancels a deletion and notifies the owner. Call it with the account locked. */
export async function keepAccount(tx: Tx, userId: string, leavingAt: Date): Promise<void> {
  const told = countsIn(await stakesOf(tx, userId, leavingAt));
  await tx.db.update(user).set({ leavingAt: null, updatedAt: tx.now() }).where(eq(user.id, userId));
  await openSelling(tx, userId);
  await reopenPosts(tx, userId);
  await notify(tx, { userId }, 'deletionKept', told, 'account');
}

export const countsIn = ({ listings, posts }: { listings: number; posts: number }) => ({
  ...(listings > 0 && { listings }),
  ...(posts > 0 && { posts }),
});
