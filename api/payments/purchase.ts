import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { closedStates } from '../../db/vocabularies.ts';
import { translator } from '../../locales/index.ts';
import { dateTag, type Language } from '../../locales/languages.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { type Meanwhile, tooLate } from '../core/meanwhile.ts';
import type { Adapter, Purchase } from '../core/ports.ts';
import { type Account, append, lockNumber } from '../credits/ledger.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { money } from '../shared/text.ts';
import { rateIn, usd } from './rules.ts';

const { creditPurchases: p } = schema;

/** The adapter that started the purchase, even if another serves its method by now. */
export const adapterOf = (
  { services }: Pick<Ctx, 'services'>,
  { adapter }: Pick<Purchase, 'adapter'>,
): Adapter | undefined => services.payments.find(({ name }) => name === adapter);

/**
 * Locks the buyer's credits first, then the purchase, always in this order. Refuses
 * `payments.notFound`.
 */
export async function lockPurchase(
  tx: Tx,
  id: string,
): Promise<{ account: Account; purchase: Purchase }> {
  const [known] = await tx.db.select({ member: p.member }).from(p).where(eq(p.id, id));
  if (!known) throw new Refusal('payments.notFound');
  const account = await lockNumber(tx, known.member);
  const [purchase] = await tx.db.select().from(p).where(eq(p.id, id)).for('update');
  if (!purchase) throw new Refusal('payments.notFound');
  return { account, purchase };
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
 * add_credits_from_purchase (product §7): completes a locked purchase (`mayBePaid`) and
 * adds its credits, also over the weekly limit and for an account that was deleted. Not reachable
 * by any route; a unique index refuses a second entry per purchase.
 */
export async function addCredits(
  tx: Tx,
  account: Account,
  purchase: Purchase,
  paymentReference: string,
): Promise<Purchase> {
  const completed = await change(tx, purchase, {
    status: 'completed',
    completedAt: tx.now(),
    askAt: null,
    paymentReference,
  });
  await append(tx, account, {
    kind: 'purchase',
    amount: purchase.creditsAmount,
    purchaseId: purchase.id,
  });
  const test = adapterOf(tx, purchase)?.testMode;
  if (account.userId !== null)
    await notify(tx, { userId: account.userId }, 'creditsPurchased', (language) => ({
      credits: purchase.creditsAmount,
      price: priceIn(purchase, language),
      reference: paymentReference,
      ...(test ? { testNote: translator(language, 'mail')('payment.testMode') } : {}),
    }));
  return completed;
}

/**
 * Ends a locked pending purchase without credits. Notifies the buyer of a reason, and that it expired;
 * cancelling it oneself is neither.
 */
export async function endWithoutCredits(
  tx: Tx,
  account: Account,
  purchase: Purchase,
  { outcome, reason }: { outcome: (typeof closedStates)[number]; reason: string | null },
): Promise<Purchase> {
  const ended = await change(tx, purchase, {
    status: outcome,
    closedAt: tx.now(),
    closedReason: reason,
    askAt: null,
  });
  const { reference } = purchase;
  if ((reason !== null || outcome === 'expired') && account.userId !== null)
    await notify(tx, { userId: account.userId }, 'purchaseFailed', (language) => ({
      price: priceIn(purchase, language),
      reference,
      reason: reason ?? translator(language, 'mail')('payment.expired'),
    }));
  return ended;
}

/** Price for receipts: USD, and XAF with its rate and the day since when that holds. */
export function priceIn(
  {
    amountUsd,
    amountXaf,
    xafRate,
    xafFrom,
  }: Pick<Purchase, 'amountUsd' | 'amountXaf' | 'xafRate' | 'xafFrom'>,
  language: Language,
): string {
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
  { userId, number: member }: Account,
  { reference: purchase, creditsAmount: credits }: Purchase,
  end: object,
) =>
  ({
    subjectKind: 'user',
    subjectId: userId,
    after: { purchase, credits, member, ...end },
  }) as const;
