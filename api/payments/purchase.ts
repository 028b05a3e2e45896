import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { closedStates } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { dateTag, type Language } from '../../locales/languages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { type Meanwhile, tooLate } from '../core/meanwhile.ts';
import type { Adapter, Purchase } from '../core/ports.ts';
import { type Account, append, lockNumber } from '../credits/ledger.ts';
import { lockFee, markFeePaid } from '../listings/feePayment.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { money, translationOf } from '../shared/text.ts';
import { dropPayer } from './payers.ts';
import { issueReceipt } from './receipts/issue.ts';
import { isOfCredits, isTestAdapter, rateIn, usd } from './rules.ts';

const { purchases: p } = schema;

/** The adapter that started the purchase, even if another serves its method by now. */
export const adapterOf = (
  { services }: Pick<Ctx, 'services'>,
  { adapter }: Pick<Purchase, 'adapter'>,
): Adapter | undefined => services.payments.find(({ name }) => name === adapter);

/** A locked purchase with its buyer: `account` for credits, `fee` for a listing not yet deleted. */
export type Locked = {
  purchase: Purchase;
  /** Null once the account is deleted. */
  userId: string | null;
  account: Account | undefined;
  fee: Awaited<ReturnType<typeof lockFee>>;
};

/**
 * Locks the buyer's credits or the fee first, then the purchase, always in this order. Refuses
 * `payments.notFound`.
 */
export async function lockPurchase(tx: Tx, id: string): Promise<Locked> {
  const [known] = await tx.db
    .select({ member: p.member, listingId: p.listingId })
    .from(p)
    .where(eq(p.id, id));
  if (!known) throw new Refusal('payments.notFound');
  const account = known.member === null ? undefined : await lockNumber(tx, known.member);
  const fee = known.listingId === null ? undefined : await lockFee(tx, known.listingId);
  const [purchase] = await tx.db.select().from(p).where(eq(p.id, id)).for('update');
  if (!purchase) throw new Refusal('payments.notFound');
  return { purchase, userId: account?.userId ?? fee?.userId ?? null, account, fee };
}

const ended = {
  completed: 'purchaseCompleted',
  failed: 'purchaseFailed',
  expired: 'purchaseExpired',
  cancelled: 'purchaseCancelled',
  partly_refunded: 'purchaseRefunded',
  refunded: 'purchaseRefunded',
} as const satisfies Record<string, Meanwhile>;

/** Refuses `conflict` if the purchase ended meanwhile. */
export function requirePending(ctx: Ctx, { status }: Purchase): void {
  if (status !== 'pending') throw tooLate(ctx, ended[status]);
}

export async function change(
  tx: Tx,
  { id }: Purchase,
  columns: Partial<Purchase>,
): Promise<Purchase> {
  const [changed] = await tx.db.update(p).set(columns).where(eq(p.id, id)).returning();
  if (!changed) throw new Refusal('payments.notFound');
  return changed;
}

/** Schedules the next `ask`, at least a second ahead, or the asking loop would never end. */
export const keepPending = (
  tx: Tx,
  purchase: Purchase,
  askAt: Date | 'never',
): Promise<Purchase> => {
  const soonest = tx.now().getTime() + 1000;
  const next = askAt === 'never' ? null : new Date(Math.max(askAt.getTime(), soonest));
  return change(tx, purchase, { askAt: next, startedAt: purchase.startedAt ?? tx.now() });
};

/**
 * Completes a locked purchase (`mayBePaid`) that an adapter or an admin found paid: marks its fee, or
 * adds its credits (add_credits_from_purchase, product §7), also over the weekly limit and for an
 * account that was deleted. A unique index refuses a second entry per purchase.
 */
export async function complete(
  tx: Tx,
  { purchase, userId, account, fee }: Locked,
  paymentReference: string,
): Promise<Purchase> {
  const at = tx.now();
  const completed = await change(tx, purchase, {
    status: 'completed',
    completedAt: at,
    askAt: null,
    paymentReference,
  });
  await dropPayer(tx, purchase);
  const testMode = isTestAdapter(purchase.adapter);
  const { listingId } = purchase;
  if (account && isOfCredits(purchase))
    await append(tx, account, {
      kind: 'purchase',
      amount: purchase.creditsAmount,
      purchaseId: purchase.id,
    });
  const first = listingId === null || (await markFeePaid(tx, { listingId, at }));
  const number = await issueReceipt(tx, purchase, { testMode });
  if (userId === null) return completed;
  const told = (language: Language) => ({
    price: priceIn(purchase, language),
    reference: paymentReference,
    receipt: receiptLine(tx, purchase, number, language),
    ...(testMode ? { testNote: translator(language, 'mail')('payment.testMode') } : {}),
  });
  if (isOfCredits(purchase))
    await notify(tx, { userId }, 'creditsPurchased', (language) => ({
      credits: purchase.creditsAmount,
      ...told(language),
    }));
  if (fee)
    await notify(tx, { userId }, first ? 'feePaid' : 'feePaidTwice', (language) => ({
      product: translationOf(fee.product, language)?.text ?? '',
      ...told(language),
    }));
  return completed;
}

/** Number of a receipt, and the page that has it. */
export const receiptLine = (
  { services }: Pick<Ctx, 'services'>,
  { id }: Pick<Purchase, 'id'>,
  number: string,
  language: Language,
): string =>
  translator(language, 'mail')('payment.receipt', {
    number,
    link: `${services.env.publicUrl}/${language}/pay/${id}`,
  });

type End = {
  outcome: (typeof closedStates)[number];
  /** Written by an admin. */
  reason?: string | null;
  failure?: Purchase['failure'];
  askAt?: Date | null;
};

/**
 * Ends a locked pending purchase unpaid. Notifies the buyer of a reason, and that it expired;
 * cancelling it oneself is neither.
 */
export async function endUnpaid(
  tx: Tx,
  { purchase, userId }: Locked,
  { outcome, reason = null, failure = null, askAt = null }: End,
): Promise<Purchase> {
  const ended = await change(tx, purchase, {
    status: outcome,
    closedAt: tx.now(),
    closedReason: reason,
    failure,
    askAt,
  });
  await dropPayer(tx, purchase);
  const { reference } = purchase;
  const why = (language: Language) =>
    failure === null
      ? translator(language, 'mail')('payment.expired')
      : translator(language, 'connect')(`buy.failures.${failure}`);
  if ((outcome !== 'cancelled' || reason !== null) && userId !== null)
    await notify(tx, { userId }, 'purchaseFailed', (language) => ({
      price: priceIn(purchase, language),
      reference,
      reason: reason ?? why(language),
    }));
  return ended;
}

/**
 * Price for receipts: XAF of a fee; USD of credits, and XAF with its rate and the day since when
 * that holds.
 */
export function priceIn(
  {
    amountUsd,
    amountXaf,
    xafRate,
    xafFrom,
  }: Pick<Purchase, 'amountUsd' | 'amountXaf' | 'xafRate' | 'xafFrom'>,
  language: Language,
): string {
  if (amountUsd === null) return money(amountXaf ?? 0, language);
  const dollars = usd(amountUsd, language);
  if (amountXaf === null || xafFrom === null) return dollars;
  const day = new Intl.DateTimeFormat(dateTag(language), {
    timeZone: 'UTC',
    dateStyle: 'long',
  }).format(new Date(xafFrom));
  const t = translator(language, 'mail');
  const words = { usd: dollars, xaf: money(amountXaf, language), day };
  return xafRate === null
    ? t('payment.price', words)
    : t('payment.priceAt', { ...words, rate: rateIn(xafRate, language) });
}

/** Subject and figures of a purchase's end in the audit log. */
export const about = (
  { userId, purchase: { reference, creditsAmount, amountXaf, member, listingId } }: Locked,
  end: object,
) =>
  ({
    subjectKind: 'user',
    subjectId: userId,
    after: {
      purchase: reference,
      ...(member === null
        ? { fee: amountXaf, listing: listingId }
        : { credits: creditsAmount, member }),
      ...end,
    },
  }) as const;
