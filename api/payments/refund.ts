import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, type Tx, userIdOf } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { append } from '../credits/ledger.ts';
import { markFeeRefunded } from '../listings/feePayment.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { about, adapterOf, change, lockPurchase, receiptLine } from './purchase.ts';
import { issueReceipt } from './receipts/issue.ts';
import { refundsOf } from './refunds.ts';
import { amountIn, creditsDue, paidIn, priceOf } from './rules.ts';
import type { refunding } from './schema.ts';

/**
 * Records money that was given back by hand. Takes its credits back as far as they are unspent; a
 * fee that it paid is refunded with the whole price.
 * Idempotent by its key. Refuses `payments.notFound`, `payments.notPaid`, `payments.refundTooLarge`,
 * and `conflict` if more was refunded than the admin was shown.
 */
export async function refundPurchase(
  ctx: Ctx,
  id: string,
  given: z.output<typeof refunding>,
  idempotencyKey: string,
): Promise<{ id: string }> {
  requireAdmin(ctx);
  const actorId = userIdOf(ctx.actor);
  return inTransaction(ctx, (tx) =>
    once(tx, actorId ?? 'job', idempotencyKey, { refund: id, ...given }, async () => {
      await write(tx, id, given, actorId);
      return { id };
    }),
  );
}

async function write(
  tx: Tx,
  id: string,
  { amount, reference, reason, refunded }: z.output<typeof refunding>,
  actorId: string | null,
): Promise<void> {
  const locked = await lockPurchase(tx, id);
  const { purchase, account } = locked;
  const price = priceOf(purchase);
  if (purchase.completedAt === null) throw new Refusal('payments.notPaid');
  const before = (await refundsOf(tx, [id])).get(id) ?? [];
  const already = before.reduce((sum, one) => sum + one.amount, 0);
  if (already !== refunded) throw tooLate(tx, 'purchaseRefunded');
  if (already + amount > price)
    throw new Refusal('payments.refundTooLarge', {
      most: amountIn(purchase, price - already, tx.language),
    });
  const credits = purchase.creditsAmount ?? 0;
  const due = creditsDue(credits, already + amount, price) - creditsDue(credits, already, price);
  const taken = Math.min(due, account?.balance ?? 0);
  const entry =
    account && taken > 0
      ? (await append(tx, account, { kind: 'reversal', amount: -taken, purchaseId: id })).entry
      : undefined;
  const refundId = randomUUID();
  await tx.db.insert(schema.refunds).values({
    ...{ id: refundId, purchaseId: id, amount, currency: paidIn(purchase) },
    ...{ creditsDue: due, creditsTaken: taken, entryId: entry?.id ?? null },
    ...{ reference, reason, actorId, at: tx.now() },
  });
  const whole = already + amount === price;
  await change(tx, purchase, { status: whole ? 'refunded' : 'partly_refunded' });
  if (whole && purchase.listingId !== null)
    await markFeeRefunded(tx, { listingId: purchase.listingId, at: purchase.completedAt });
  await audit(tx, {
    action: 'purchase.refund',
    ...about(locked, {
      ...{ amount, currency: paidIn(purchase), creditsDue: due, creditsTaken: taken },
      ...{ reference, reason },
    }),
  });
  const testMode = adapterOf(tx, purchase)?.testMode ?? false;
  const number = await issueReceipt(tx, purchase, { testMode, refundId });
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
