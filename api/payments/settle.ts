import { eq } from 'drizzle-orm';
import { schema, violatedConstraint } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { type Meanwhile, tooLate } from '../core/meanwhile.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import type { Account } from '../credits/ledger.ts';
import { Refusal } from '../shared/errors.ts';
import { ask } from './ask.ts';
import { addCredits, endWithoutCredits, lockPurchase } from './purchase.ts';

const ended = {
  completed: 'purchaseCompleted',
  failed: 'purchaseFailed',
  cancelled: 'purchaseCancelled',
} as const satisfies Record<string, Meanwhile>;

const oneReceipt: ReadonlySet<string> = new Set([
  'credit_purchases_payment_idx',
  'credit_purchases_payment_key_idx',
]);
/**
 * Folds case, white space and invisible characters, as `cash_reference_key` in the migrations does.
 */
const keyOf = (reference: string): string =>
  reference
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '');

function requirePending(ctx: Ctx, { status }: Purchase): void {
  if (status !== 'pending') throw tooLate(ctx, ended[status]);
}

/**
 * Completes a cash purchase under the receipt's reference (product R38); idempotent. Refuses
 * `payments.notCash`, `conflict` if it ended otherwise, `payments.referenceUsed`: one receipt pays
 * one purchase.
 */
export async function settlePurchase(ctx: Ctx, id: string, reference: string): Promise<Purchase> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { account, purchase } = await lockPurchase(tx, id);
    if (purchase.purchaseMethod !== 'cash_partner') throw new Refusal('payments.notCash');
    if (
      purchase.status === 'completed' &&
      keyOf(purchase.paymentReference ?? '') === keyOf(reference)
    )
      return purchase;
    requirePending(tx, purchase);
    const settled = await addCredits(tx, account, purchase, reference).catch((error) => {
      throw oneReceipt.has(violatedConstraint(error) ?? '')
        ? new Refusal('payments.referenceUsed')
        : error;
    });
    await audit(tx, {
      action: 'purchase.settle',
      ...about(account, purchase, { outcome: 'completed', reference }),
    });
    return settled;
  });
}

/**
 * Ends a pending purchase without credits; idempotent. Asks the adapter first, so a payment that
 * arrived is completed and the admin gets `conflict`.
 */
export async function closePurchase(
  ctx: Ctx,
  id: string,
  end: { outcome: 'failed' | 'cancelled'; reason: string },
): Promise<Purchase> {
  requireAdmin(ctx);
  const [known] = await ctx.db
    .select()
    .from(schema.creditPurchases)
    .where(eq(schema.creditPurchases.id, id));
  if (known) await ask(ctx, known);
  return inTransaction(ctx, async (tx) => {
    const { account, purchase } = await lockPurchase(tx, id);
    if (purchase.status === end.outcome && purchase.closedReason === end.reason) return purchase;
    requirePending(tx, purchase);
    const closed = await endWithoutCredits(tx, account, purchase, end);
    await audit(tx, { action: 'purchase.close', ...about(account, purchase, end) });
    return closed;
  });
}

/**
 * Cancels one's own unpaid cash purchase. Refuses `payments.notFound` for another's,
 * `payments.notCancellable`.
 */
export async function cancelPurchase(ctx: Ctx, id: string): Promise<Purchase> {
  const userId = userIdOf(ctx.actor);
  if (userId === null) throw new Refusal('signInRequired');
  await countAttempt(ctx, `purchase-cancel:${userId}`, 20, 3600, 'tooManyRequests');
  return inTransaction(ctx, async (tx) => {
    const { account, purchase } = await lockPurchase(tx, id);
    if (account.userId !== userId) throw new Refusal('payments.notFound');
    if (purchase.status === 'cancelled') return purchase;
    if (purchase.status !== 'pending' || purchase.purchaseMethod !== 'cash_partner')
      throw new Refusal('payments.notCancellable');
    return endWithoutCredits(tx, account, purchase, { outcome: 'cancelled', reason: null });
  });
}

const about = (
  { userId, number: member }: Account,
  { reference: purchase, creditsAmount: credits }: Purchase,
  end: object,
) =>
  ({
    subjectKind: 'user',
    subjectId: userId,
    after: { purchase, credits, member, ...end },
  }) as const;
