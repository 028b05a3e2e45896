import { and, asc, desc, eq, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { purchaseMethods, type purchaseStates } from '../../db/vocabularies.ts';
import { requireAccount, requireAdmin } from '../core/access.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import type { Purchase } from '../core/ports.ts';
import { mailbox } from '../people/mailbox.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { ask, askForMember, takeDue } from './ask.ts';
import { limitOf, xafToday } from './buy.ts';
import { adapterOf } from './purchase.ts';
import { receiptsOf } from './receipts/read.ts';
import { presentRefund, refundsOf } from './refunds.ts';
import { isOfCredits, isTestAdapter, pack, paidIn, payeesFor } from './rules.ts';

const {
  creditAccounts: a,
  keptFees: k,
  listings: l,
  products,
  purchases: p,
  sellers,
  user,
} = schema;

async function ownNumber({ db, actor }: Ctx): Promise<number | null> {
  const userId = userIdOf(actor);
  if (userId === null) throw new Refusal('signInRequired');
  const [account] = await db.select({ number: a.number }).from(a).where(eq(a.userId, userId));
  return account?.number ?? null;
}

export function presentPurchase<P extends Purchase>(
  ctx: Ctx,
  purchase: P,
  refunds: readonly Parameters<typeof presentRefund>[0][] = [],
  receipts: NonNullable<ReturnType<Awaited<ReturnType<typeof receiptsOf>>['get']>> = [],
) {
  const {
    id,
    amountUsd,
    creditsAmount,
    amountXaf,
    xafRate,
    xafFrom,
    purchaseMethod,
    status,
    reference,
    paymentReference,
    closedReason,
    failure,
    network,
  } = purchase;
  const { createdAt, completedAt, closedAt } = purchase;
  const adapter = adapterOf(ctx, purchase);
  return {
    ...{
      id,
      amountUsd: amountUsd as P['amountUsd'],
      creditsAmount: creditsAmount as P['creditsAmount'],
      amountXaf,
      xafRate,
      xafFrom,
      purchaseMethod,
      status,
      reference,
      paymentReference,
      closedReason,
      failure,
      network,
    },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null,
    testMode: isTestAdapter(purchase.adapter),
    /** Its provider gives money back on an order. */
    givesBack: adapter?.refund !== undefined && purchaseMethod !== 'cash_partner',
    /** When it expires unless it is paid; null if it does not. */
    expiresAt: adapter?.expiresMs
      ? new Date(createdAt.getTime() + adapter.expiresMs).toISOString()
      : null,
    currency: paidIn(purchase),
    refunds: refunds.map(presentRefund),
    receipts,
    can: status === 'pending' && purchaseMethod === 'cash_partner' ? (['cancel'] as const) : [],
  };
}

/**
 * One's own purchases, newest first, after asking about the due ones; with the pack and its payment
 * methods.
 */
export async function ownPurchases(ctx: Ctx, { page = 1, pageSize = 20 } = {}) {
  const number = await ownNumber(ctx);
  if (number !== null) await askForMember(ctx, number);
  const own = eq(p.member, number ?? 0);
  const rows = await ctx.db
    .select()
    .from(p)
    .where(own)
    .orderBy(desc(p.createdAt), asc(p.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const ids = rows.map(({ id }) => id);
  const refunds = await refundsOf(ctx, ids);
  const receipts = await receiptsOf(ctx, ids);
  return {
    pack: await packToday(ctx),
    purchases: rows
      .filter(isOfCredits)
      .map((row) => presentPurchase(ctx, row, refunds.get(row.id), receipts.get(row.id))),
    total: await totalOf(ctx, { table: p, where: own }, { shown: rows.length, page, pageSize }),
    page,
    pageSize,
  };
}

async function packToday(ctx: Ctx) {
  const [xaf, { payees }] = [await xafToday(ctx), await readSettings(ctx, ['payees'])];
  const methods = purchaseMethods.flatMap((method) => {
    const adapter = ctx.services.payments.find(({ methods }) => methods.includes(method));
    const payTo = payeesFor[method].flatMap((name) =>
      payees[name].payee ? [{ method: name, ...payees[name] }] : [],
    );
    if (!adapter) return [];
    const { testMode, needsNumber = false } = adapter;
    return [{ method, testMode, needsNumber, payTo }];
  });
  return {
    credits: pack.credits,
    amountUsd: pack.usd,
    amountXaf: xaf?.amount ?? null,
    xafRate: xaf?.rate ?? null,
    xafFrom: xaf?.from ?? null,
    methods,
  };
}

/** check_weekly_purchase_limit (product §7) for oneself. */
export const ownLimit = async (ctx: Ctx, amount?: number) =>
  limitOf(ctx, await ownNumber(ctx), amount);

/** The product whose fee a purchase pays. */
const feeOf = {
  productId: products.id,
  product: products.name,
  feeReference: l.feeReference,
  /** Something else paid or waived the fee: what is left of this payment is to be given back. */
  paidBefore: sql<boolean>`${p.status} in ('completed', 'partly_refunded')
    and coalesce(${l.feeState}, ${k.feeState}, 'due') <> 'due'
    and (coalesce(${l.feeMarkedAt}, ${k.feeMarkedAt}) is distinct from ${p.completedAt}
      or ${l.feeMarkedBy} is not null)`,
};

/**
 * One purchase of one's own, of credits or a fee, after asking about it if that is due. Refuses
 * `payments.notFound`.
 */
export async function ownPurchase(ctx: Ctx, id: string) {
  const { userId } = requireAccount(ctx);
  const own = () =>
    ctx.db
      .select({ purchase: p, ...feeOf })
      .from(p)
      .leftJoin(a, eq(a.number, p.member))
      .leftJoin(l, eq(l.id, p.listingId))
      .leftJoin(k, eq(k.listingId, p.listingId))
      .leftJoin(products, eq(products.id, l.productId))
      .leftJoin(sellers, eq(sellers.id, products.sellerId))
      .where(and(eq(p.id, id), or(eq(a.userId, userId), eq(sellers.userId, userId))));
  const [known] = await own();
  if (!known) throw new Refusal('payments.notFound');
  for (const due of await takeDue(ctx, eq(p.id, id))) await ask(ctx, due);
  const [{ purchase, ...fee } = known] = await own();
  const [refunds, receipts] = [await refundsOf(ctx, [id]), await receiptsOf(ctx, [id])];
  return {
    ...presentPurchase(ctx, purchase, refunds.get(id), receipts.get(id)),
    ...fee,
  };
}

/**
 * Purchases of one state for admins, newest first; name and email are null once the account is
 * deleted.
 */
export async function purchasesIn(
  ctx: Ctx,
  {
    status,
    page = 1,
    pageSize = 50,
  }: { status: (typeof purchaseStates)[number]; page?: number; pageSize?: number },
) {
  requireAdmin(ctx);
  const wanted = eq(p.status, status);
  const rows = await ctx.db
    .select({ purchase: p, userId: user.id, name: user.name, email: mailbox, ...feeOf })
    .from(p)
    .leftJoin(a, eq(a.number, p.member))
    .leftJoin(l, eq(l.id, p.listingId))
    .leftJoin(k, eq(k.listingId, p.listingId))
    .leftJoin(products, eq(products.id, l.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(user, or(eq(user.id, a.userId), eq(user.id, sellers.userId)))
    .where(wanted)
    .orderBy(desc(p.createdAt), asc(p.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const ids = rows.map(({ purchase }) => purchase.id);
  const [refunds, receipts] = [await refundsOf(ctx, ids), await receiptsOf(ctx, ids)];
  return {
    total: await totalOf(ctx, { table: p, where: wanted }, { shown: rows.length, page, pageSize }),
    page,
    pageSize,
    purchases: rows.map(({ purchase, ...buyer }) => ({
      ...presentPurchase(ctx, purchase, refunds.get(purchase.id), receipts.get(purchase.id)),
      member: purchase.member,
      ...buyer,
    })),
  };
}
