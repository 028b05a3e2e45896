import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { endUnpaid, lockPurchase } from './purchase.ts';

/**
 * Cancels one's own unpaid cash purchase. Refuses `payments.notFound` for another's,
 * `payments.notCancellable`.
 */
export async function cancelPurchase(ctx: Ctx, id: string): Promise<Purchase> {
  const { userId } = requireAccount(ctx);
  await countAttempt(ctx, `purchase-cancel:${userId}`, 20, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, id);
    const { purchase } = locked;
    if (locked.userId !== userId) throw new Refusal('payments.notFound');
    if (purchase.status === 'cancelled') return purchase;
    if (purchase.status !== 'pending' || purchase.purchaseMethod !== 'cash_partner')
      throw new Refusal('payments.notCancellable');
    return endUnpaid(tx, locked, { outcome: 'cancelled' });
  });
}
