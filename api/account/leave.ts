import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { anotherAdminStays, lockAccount, lockAdmins } from '../auth/admins.ts';
import type { WithAuth } from '../auth/context.ts';
import { closePosts, reopenPosts } from '../connect/leaving.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { dayAndTime } from '../core/format.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { closeSelling, openSelling } from '../sellers/leaving.ts';
import { accountOf, requireProof } from './proof.ts';
import { goneAt } from './rules.ts';
import type { Proof } from './schema.ts';
import { endOtherSessions } from './sessions.ts';
import { stakesOf } from './stakes.ts';

const { user, sellers } = schema;

/**
 * Asks for one's own account to be deleted, seven days from now (decision 040). Listings end and Connect posts close at once, the
 * other sessions end, and this one stays, so that the person can change their mind ({@link stay}). Asked twice, it goes by the first. Refuses what
 * {@link requireProof} refuses, and `account.lastAdmin`.
 */
export async function leave(ctx: WithAuth, given: Proof): Promise<{ goneAt: string }> {
  const { userId } = accountOf(ctx);
  await requireProof(ctx, given);
  return inTransaction(ctx, async (tx) => {
    await lockAdmins(tx);
    const account = await lockAccount(tx, userId);
    if (!account) throw new Refusal('signInRequired');
    if (account.leavingAt) return { goneAt: goneAt(account.leavingAt).toISOString() };
    if (account.role === 'admin' && !(await anotherAdminStays(tx, userId)))
      throw new Refusal('account.lastAdmin');
    const leavingAt = tx.now();
    await tx.db.update(user).set({ leavingAt, updatedAt: leavingAt }).where(eq(user.id, userId));
    const [seller] = await tx.db
      .select({ id: sellers.id })
      .from(sellers)
      .where(eq(sellers.userId, userId));
    if (seller) await closeSelling(tx, seller.id);
    await closePosts(tx, userId);
    await endOtherSessions(tx);
    const date = goneAt(leavingAt);
    const told = countsIn(await stakesOf(tx, userId, leavingAt));
    await notify(
      tx,
      { userId },
      'deletionAsked',
      (language) => ({ date: dayAndTime(date, language), ...told }),
      'account',
    );
    return { goneAt: date.toISOString() };
  });
}

/** Takes the request back: posts that {@link leave} closed are open again, and products can be listed again. */
export async function stay(ctx: Ctx): Promise<{ stayed: true }> {
  const { userId } = accountOf(ctx);
  await inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (!account) throw new Refusal('signInRequired');
    if (!account.leavingAt) return;
    await keepAccount(tx, userId, account.leavingAt);
  });
  return { stayed: true };
}

/** Undoes a deletion that was asked for at `leavingAt`, in a transaction that has locked the account, and tells its owner. */
export async function keepAccount(tx: Ctx, userId: string, leavingAt: Date): Promise<void> {
  const told = countsIn(await stakesOf(tx, userId, leavingAt));
  await tx.db.update(user).set({ leavingAt: null, updatedAt: tx.now() }).where(eq(user.id, userId));
  await openSelling(tx, userId);
  await reopenPosts(tx, userId);
  await notify(tx, { userId }, 'deletionKept', told, 'account');
}

/** The counts that a letter names: without those that are zero. */
const countsIn = ({ listings, posts }: { listings: number; posts: number }) => ({
  ...(listings > 0 && { listings }),
  ...(posts > 0 && { posts }),
});
