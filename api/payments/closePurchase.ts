import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { ask, lateQuestion } from './ask.ts';
import { about, endUnpaid, lockPurchase, requirePending } from './purchase.ts';

/**
 * Ends a pending purchase unpaid; idempotent. Asks the adapter first, without starting it, so a payment that
 * arrived is completed and the admin gets `conflict`. Refuses `payments.notCancellable`: only cash is
 * cancelled, as a provider may still say that a payment came.
 */
export async function closePurchase(
  ctx: Ctx,
  id: string,
  end: { outcome: 'failed' | 'cancelled'; reason: string },
): Promise<Purchase> {
  requireAdmin(ctx);
  const [known] = await ctx.db.select().from(schema.purchases).where(eq(schema.purchases.id, id));
  if (known) await ask(ctx, known, { mayStart: false });
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, id);
    const { purchase } = locked;
    if (purchase.status === end.outcome && purchase.closedReason === end.reason) return purchase;
    requirePending(tx, purchase);
    if (end.outcome === 'cancelled' && purchase.purchaseMethod !== 'cash_partner')
      throw new Refusal('payments.notCancellable');
    const closed = await endUnpaid(tx, locked, {
      ...end,
      askAt: end.outcome === 'failed' ? lateQuestion(purchase, tx) : null,
    });
    await audit(tx, { action: 'purchase.close', ...about(locked, end) });
    return closed;
  });
}
