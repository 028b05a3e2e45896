import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, type Tx, userIdOf } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import type { Purchase, Refund } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { append } from '../credits/ledger.ts';
import { markFeeRefunded } from '../listings/feePayment.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { about, change, type Locked, lockPurchase, receiptLine } from './purchase.ts';
import { issueReceipt } from './receipts/issue.ts';
import { refundsOf } from './refunds.ts';
import { amountIn, creditsDue, isTestAdapter, paidIn, priceOf } from './rules.ts';
import type { refunding, refundOrder } from './schema.ts';

const { refunds: r } = schema;

/**
 * Records money that was given back by hand. Takes its credits back as far as they are unspent; a
 * fee that it paid is refunded with the whole price. Idempotent by its key. Refuses as `openRefund`.
 */
export async function refundPurchase(
  ctx: Ctx,
  id: string,
  given: z.output<typeof refunding>,
  idempotencyKey: string,
): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, (tx) =>
    once(tx, userIdOf(ctx.actor) ?? 'job', idempotencyKey, { refund: id, ...given }, async () => {
      const { locked, refund } = await openRefund(tx, id, given);
      await settleRefund(tx, locked, refund, given.reference);
      return { id };
    }),
  );
}

/**
 * Stores a refund in the open transaction, pending. Refuses `payments.notFound`, `payments.notPaid`,
 * `payments.refundTooLarge`, and `conflict` if more was refunded than the admin was shown or another
 * refund is under way.
 */
export async function openRefund(
  tx: Tx,
  id: string,
  { amount, reason, refunded }: z.output<typeof refundOrder>,
  askAt: Date | null = null,
): Promise<{ locked: Locked; refund: Refund }> {
  const locked = await lockPurchase(tx, id);
  const { purchase } = locked;
  const price = priceOf(purchase);
  if (purchase.completedAt === null) throw new Refusal('payments.notPaid');
  const before = (await refundsOf(tx, [id])).get(id) ?? [];
  if (before.some(({ status }) => status === 'pending')) throw tooLate(tx, 'refundUnderWay');
  const already = sumOf(before);
  if (already !== refunded) throw tooLate(tx, 'purchaseRefunded');
  if (already + amount > price)
    throw new Refusal('payments.refundTooLarge', {
      most: amountIn(purchase, price - already, tx.language),
    });
  const [refund] = await tx.db
    .insert(r)
    .values({
      ...{ id: randomUUID(), purchaseId: id, amount, currency: paidIn(purchase) },
      ...{ creditsDue: 0, creditsTaken: 0, reason, actorId: userIdOf(tx.actor) },
      ...{ status: 'pending', askAt, at: tx.now() },
    })
    .returning();
  if (!refund) throw new Error('A refund could not be kept');
  return { locked, refund };
}

const sumOf = (refunds: readonly Pick<Refund, 'status' | 'amount'>[]): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'completed' ? sum + amount : sum), 0);

/** Completes a pending refund of a locked purchase: the money was given back. */
export async function settleRefund(
  tx: Tx,
  locked: Locked,
  refund: Refund,
  reference: string,
): Promise<void> {
  const { purchase, account } = locked;
  const { id: purchaseId, listingId, completedAt } = purchase;
  const { amount, reason } = refund;
  const price = priceOf(purchase);
  const already = sumOf((await refundsOf(tx, [purchaseId])).get(purchaseId) ?? []);
  const credits = purchase.creditsAmount ?? 0;
  const due = creditsDue(credits, already + amount, price) - creditsDue(credits, already, price);
  const taken = Math.min(due, account?.balance ?? 0);
  const entry =
    account && taken > 0
      ? (await append(tx, account, { kind: 'reversal', amount: -taken, purchaseId })).entry
      : undefined;
  await tx.db
    .update(r)
    .set({
      ...{ status: 'completed', reference, askAt: null, at: tx.now() },
      ...{ creditsDue: due, creditsTaken: taken, entryId: entry?.id ?? null },
    })
    .where(eq(r.id, refund.id));
  const whole = already + amount === price;
  await change(tx, purchase, { status: whole ? 'refunded' : 'partly_refunded' });
  if (whole && listingId !== null && completedAt !== null)
    await markFeeRefunded(tx, { listingId, at: completedAt });
  await audit(tx, {
    action: 'purchase.refund',
    ...about(locked, {
      ...{ amount, currency: paidIn(purchase), creditsDue: due, creditsTaken: taken },
      ...{ reference, reason },
    }),
  });
  const testMode = isTestAdapter(purchase.adapter);
  const number = await issueReceipt(tx, purchase, { testMode, refundId: refund.id });
  await tell(tx, locked.userId, purchase, { amount, taken, reference, reason, number });
}

async function tell(
  tx: Tx,
  userId: string | null,
  purchase: Purchase,
  {
    amount,
    taken,
    reference,
    reason,
    number,
  }: { amount: number; taken: number; reference: string; reason: string; number: string },
): Promise<void> {
  if (userId === null) return;
  await notify(tx, { userId }, 'purchaseRefunded', (language: Language) => ({
    amount: amountIn(purchase, amount, language),
    purchase: purchase.reference,
    ...(purchase.member === null ? {} : { credits: taken }),
    ...{ reference, reason, receipt: receiptLine(tx, purchase, number, language) },
  }));
}
