import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { once } from '../core/idempotency.ts';
import { countAttempt } from '../core/limits.ts';
import type { Purchase, PurchaseMethod } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockAccount } from '../credits/ledger.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { notify } from '../people/notify.ts';
import { requireStaying } from '../people/staying.ts';
import { payInstruction } from '../products/rules.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { dayKey } from '../shared/format.ts';
import { adapterFor, begin, keepPurchase } from './begin.ts';
import { type PayerGiven, payerOf } from './payers.ts';
import { priceIn } from './purchase.ts';
import { pack, priceInXaf, weeklyLimit, weekStart } from './rules.ts';

const { purchases: p } = schema;

/**
 * Weekly limit of a member, or of a first-time buyer (null). When buying, call it under the
 * member's lock.
 */
export async function limitOf(ctx: Ctx, number: number | null, amount?: number) {
  const { weeklyPurchaseLimitUsd: limit } = await readSettings(ctx, ['weeklyPurchaseLimitUsd']);
  const now = ctx.now();
  const counted = and(
    eq(p.member, number ?? 0),
    inArray(p.status, ['pending', 'completed', 'partly_refunded']),
    gte(p.createdAt, weekStart(now)),
  );
  const [sum] = await ctx.db
    .select({ spent: sql<number>`coalesce(sum(${p.amountUsd}), 0)::int` })
    .from(p)
    .where(counted);
  return weeklyLimit({
    limit,
    spent: sum?.spent ?? 0,
    now,
    ...(amount === undefined ? {} : { amount }),
  });
}

/** The pack's price in XAF at today's rate; null without one. */
export async function xafToday(ctx: Ctx) {
  const { xafPerUsd, xafPerUsdFrom } = await readSettings(ctx, ['xafPerUsd', 'xafPerUsdFrom']);
  return priceInXaf(pack.usd, { rate: xafPerUsd, from: xafPerUsdFrom }, dayKey(ctx.now()));
}

/**
 * Buys the pack within the weekly limit (product R37, R38). A repeated key returns the same
 * purchase. Refuses `account.leaving`, `payments.weeklyLimit`, `payments.methodAway`,
 * `payments.numberMissing`, `payments.networkUnknown`, `payments.rateMissing` for francs without a
 * rate, `payments.failed` if the adapter declines at once.
 */
export async function buyCredits(
  ctx: Ctx,
  method: PurchaseMethod,
  idempotencyKey: string,
  given: PayerGiven = {},
): Promise<Purchase> {
  const { userId } = requireAccount(ctx);
  await requireAgreement(ctx);
  await countAttempt(ctx, `purchase:${userId}`, 60, 3600, 'tooManyRequests');
  const payer = await payerOf(ctx, adapterFor(ctx, method), given);
  const { id } = await inTransaction(ctx, (tx) =>
    once(tx, userId, idempotencyKey, { purchase: method }, async () => {
      await requireStaying(tx, userId);
      const { number } = await lockAccount(tx, userId);
      // Two taps, tabs or devices charge a phone once.
      const open = payer && (await openPurchase(tx, number, method));
      if (open) return open;
      const limit = await limitOf(tx, number);
      if (!limit.can_purchase)
        throw new Refusal('payments.weeklyLimit', { limit: limit.weekly_limit }, [], {
          details: limit,
        });
      const xaf = await xafToday(tx);
      if (payer && !xaf) throw new Refusal('payments.rateMissing');
      const { usd: amountUsd, credits: creditsAmount } = pack;
      const subject = {
        ...{ member: number, amountUsd, creditsAmount },
        ...{ amountXaf: xaf?.amount ?? null, xafRate: xaf?.rate ?? null },
        xafFrom: xaf?.from ?? null,
      };
      const purchase = await keepPurchase(tx, method, subject, payer);
      if (method === 'cash_partner') await tellHowToPay(tx, userId, purchase);
      return { id: purchase.id };
    }),
  );
  const begun = await begin(ctx, id);
  if (begun.status === 'failed') throw new Refusal('payments.failed');
  return begun;
}

async function openPurchase({ db }: Tx, member: number, method: PurchaseMethod) {
  const [open] = await db
    .select({ id: p.id })
    .from(p)
    .where(and(eq(p.member, member), eq(p.purchaseMethod, method), eq(p.status, 'pending')));
  return open;
}

async function tellHowToPay(tx: Tx, userId: string, purchase: Purchase): Promise<void> {
  const { payees } = await readSettings(tx, ['payees']);
  await notify(tx, { userId }, 'paymentInitiated', (language) => {
    const words = {
      amount: priceIn(purchase, language),
      reference: purchase.reference,
      ...payees.cash,
    };
    return {
      credits: pack.credits,
      howToPay: translator(language, 'seller')(payInstruction('cash', payees.cash), words),
    };
  });
}
