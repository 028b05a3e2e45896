import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { countAttempt } from '../core/limits.ts';
import type { Purchase } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { lockFee } from '../listings/feePayment.ts';
import { Refusal } from '../shared/errors.ts';
import { adapterFor, begin, keepPurchase } from './begin.ts';
import { type Payer, type PayerGiven, payerOf } from './payers.ts';

const { listings: l, purchases: p } = schema;

/**
 * Stores the payment of one's own listing's due fee by mobile money, in the open transaction; the
 * sweep begins it at `askAt`. Returns the open payment if there is one. Refuses `products.notFound`
 * for another's fee, `payments.feeNotDue`, `payments.methodAway`.
 */
export async function orderFee(
  tx: Tx,
  feeReference: string,
  payer: Payer | undefined,
  askAt?: Date,
): Promise<{ id: string; fee: number; isOpen: boolean }> {
  const { userId } = requireAccount(tx);
  await requireAgreement(tx);
  const [known] = await tx.db.select({ id: l.id }).from(l).where(eq(l.feeReference, feeReference));
  const fee = known && (await lockFee(tx, known.id));
  if (!fee?.fee || fee.userId !== userId) throw new Refusal('products.notFound');
  const [open] = await tx.db
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.listingId, fee.id), eq(p.status, 'pending')));
  if (open) return { id: open.id, fee: fee.fee, isOpen: true };
  if (fee.state !== 'due') throw new Refusal('payments.feeNotDue');
  const subject = { listingId: fee.id, amountXaf: fee.fee, ...(askAt ? { askAt } : {}) };
  const { id } = await keepPurchase(tx, 'mobile_money', subject, payer);
  return { id, fee: fee.fee, isOpen: false };
}

/**
 * {@link orderFee}, begun at once. A repeated key returns the same payment. Refuses
 * `payments.numberMissing`, `payments.networkUnknown`.
 */
export async function payFee(
  ctx: Ctx,
  feeReference: string,
  idempotencyKey: string,
  given: PayerGiven = {},
): Promise<Purchase> {
  const { userId } = requireAccount(ctx);
  await countAttempt(ctx, `purchase:${userId}`, 60, 3600, 'tooManyRequests');
  const payer = await payerOf(ctx, adapterFor(ctx, 'mobile_money'), given);
  const { id } = await inTransaction(ctx, (tx) =>
    once(tx, userId, idempotencyKey, { fee: feeReference }, () =>
      orderFee(tx, feeReference, payer),
    ),
  );
  return begin(ctx, id);
}
