import { violatedConstraint } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { about, complete, lockPurchase, requirePending } from './purchase.ts';

const oneReceipt: ReadonlySet<string> = new Set([
  'purchases_payment_idx',
  'purchases_payment_key_idx',
]);

/**
 * Folds case, white space and invisible characters, as `cash_reference_key` in the migrations does.
 */
const keyOf = (reference: string): string =>
  reference
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '');

/**
 * Completes a cash purchase under the receipt's reference (product R38); idempotent. Refuses
 * `payments.notCash`, `conflict` if it ended otherwise, `payments.referenceUsed`: one receipt pays
 * one purchase.
 */
export async function settlePurchase(ctx: Ctx, id: string, reference: string): Promise<Purchase> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, id);
    const { purchase } = locked;
    if (purchase.purchaseMethod !== 'cash_partner') throw new Refusal('payments.notCash');
    if (
      purchase.completedAt !== null &&
      keyOf(purchase.paymentReference ?? '') === keyOf(reference)
    )
      return purchase;
    requirePending(tx, purchase);
    const settled = await complete(tx, locked, reference).catch((error) => {
      throw oneReceipt.has(violatedConstraint(error) ?? '')
        ? new Refusal('payments.referenceUsed')
        : error;
    });
    await audit(tx, {
      action: 'purchase.settle',
      ...about(locked, { outcome: 'completed', reference }),
    });
    return settled;
  });
}
