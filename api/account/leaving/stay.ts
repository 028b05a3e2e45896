import { lockAccount } from '../../auth/locks.ts';
import { requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { Refusal } from '../../shared/errors.ts';
import { keepAccount } from './keepAccount.ts';

/** Cancels the deletion: posts reopen; products can be listed again. */
export async function stay(ctx: Ctx): Promise<{ stayed: true }> {
  const { userId } = requireAccount(ctx);
  await inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx, userId);
    if (!account) throw new Refusal('signInRequired');
    if (!account.leavingAt) return;
    await keepAccount(tx, userId, account.leavingAt);
  });
  return { stayed: true };
}
