import { eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { WithAuth } from '../../auth/context.ts';
import { anotherAdminStays, lockAccount, lockAdmins } from '../../auth/locks.ts';
import { closePosts } from '../../connect/leaving.ts';
import { requireAccount } from '../../core/access.ts';
import { inTransaction } from '../../core/transaction.ts';
import { notify } from '../../people/notify.ts';
import { closeSelling } from '../../sellers/leaving.ts';
import { Refusal } from '../../shared/errors.ts';
import { dayAndTime } from '../../shared/format.ts';
import { endOtherSessions } from '../endOtherSessions.ts';
import { requireProof } from '../proof.ts';
import { goneAt } from '../rules.ts';
import type { Proof } from '../schema.ts';
import { countsIn } from './keepAccount.ts';
import { stakesOf } from './stakes.ts';

const { user, sellers } = schema;

/**
 * Asks for the account's deletion in seven days (decision 040). Listings end, Connect posts close,
 * other sessions end; this one stays, for {@link stay}. A second request keeps the first date.
 * Refuses as {@link requireProof}, and `account.lastAdmin`.
 */
export async function leave(ctx: WithAuth, given: Proof): Promise<{ goneAt: string }> {
  const { userId } = requireAccount(ctx);
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
