import { and, asc, eq, inArray, lte, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import type { Purchase, Standing } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { payerNumber } from './payers.ts';
import { adapterOf, change, complete, endUnpaid, keepPending, lockPurchase } from './purchase.ts';
import { mayBePaid } from './rules.ts';

const { purchases: p } = schema;

/** Lease on a purchase while its adapter is asked; after a crash it is due again then. */
export const leaseMs = 30_000;

export const atOnce = 20;
const late = { everyMs: 3_600_000, times: 24 };
/** After that a purchase whose adapter is gone expires. */
const patienceMs = 15 * 60_000;

/**
 * Asks the adapter for a purchase's state (or starts it the first time, if it may) and stores the
 * answer. One that failed or expired can only be completed by it. Without an adapter, or without its
 * answer, a purchase only expires. Holds no database connection while asking.
 */
export async function ask(
  ctx: Ctx,
  purchase: Purchase,
  { mayStart = true } = {},
): Promise<Purchase> {
  const adapter = adapterOf(ctx, purchase);
  if (!mayBePaid(purchase)) return purchase;
  if (!adapter) return expire(ctx, purchase);
  let standing: Standing;
  try {
    // One that failed at its start is never started again, nor one that is too old: it would be
    // charged twice, or when nobody expects it.
    const isNew =
      mayStart &&
      purchase.status === 'pending' &&
      purchase.startedAt === null &&
      ageOf(purchase, ctx) <= (adapter.expiresMs ?? Infinity);
    standing = await (isNew
      ? adapter.start(purchase, ctx.now(), await payerNumber(ctx, purchase))
      : adapter.ask(purchase, ctx.now()));
  } catch (error) {
    ctx.services.log.warn('A payment could not be asked about', {
      purchase: purchase.id,
      adapter: adapter.name,
      error,
    });
    return expire(ctx, purchase);
  }
  try {
    return await inTransaction(ctx, (tx) => write(tx, purchase.id, standing));
  } catch (error) {
    ctx.services.log.error('The state of a payment could not be stored', {
      purchase: purchase.id,
      adapter: adapter.name,
      error,
    });
    return purchase;
  }
}

/**
 * Lets a pending purchase that nobody answers for expire in its time; cash never does. One that ended
 * is asked about later, or no more without an adapter.
 */
async function expire(ctx: Ctx, purchase: Purchase): Promise<Purchase> {
  const adapter = adapterOf(ctx, purchase);
  const { id, status, purchaseMethod } = purchase;
  const isLate = ageOf(purchase, ctx) > (adapter?.expiresMs ?? (adapter ? Infinity : patienceMs));
  if (purchaseMethod === 'cash_partner' || (status === 'pending' && !isLate)) return purchase;
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, id);
    if (locked.purchase.status !== 'pending') return askLater(tx, locked.purchase);
    return endUnpaid(tx, locked, {
      outcome: 'expired',
      askAt: adapter ? lateQuestion(purchase, tx) : null,
    });
  });
}

async function write(tx: Tx, id: string, standing: Standing): Promise<Purchase> {
  const locked = await lockPurchase(tx, id);
  const { purchase } = locked;
  if (standing.state === 'completed' && mayBePaid(purchase))
    return complete(tx, locked, standing.reference);
  if (purchase.status !== 'pending') return askLater(tx, purchase);
  switch (standing.state) {
    case 'failed':
      return endUnpaid(tx, locked, {
        outcome: 'failed',
        failure: standing.why,
        askAt: lateQuestion(purchase, tx),
      });
    case 'pending':
      return ageOf(purchase, tx) > (adapterOf(tx, purchase)?.expiresMs ?? Infinity)
        ? endUnpaid(tx, locked, {
            outcome: 'expired',
            askAt: lateQuestion(purchase, tx),
          })
        : keepPending(tx, purchase, standing.askAt);
    default:
      return purchase;
  }
}

/** Schedules the next question about one that ended, if one is scheduled at all. */
const askLater = async (tx: Tx, purchase: Purchase): Promise<Purchase> =>
  purchase.askAt === null ? purchase : change(tx, purchase, { askAt: lateQuestion(purchase, tx) });

const ageOf = ({ createdAt }: Purchase, { now }: Pick<Ctx, 'now'>): number =>
  now().getTime() - createdAt.getTime();

/**
 * Next question about one that failed or expired, if its provider may be late: each hour for a day.
 */
export const lateQuestion = (
  purchase: Purchase,
  ctx: Pick<Ctx, 'now' | 'services'>,
): Date | null =>
  adapterOf(ctx, purchase)?.expiresMs && ageOf(purchase, ctx) < late.times * late.everyMs
    ? new Date(ctx.now().getTime() + late.everyMs)
    : null;

/** Leases due purchases. */
export async function takeDue(ctx: Ctx, which?: SQL): Promise<Purchase[]> {
  return inTransaction(ctx, async (tx) => {
    const due = await tx.db
      .select({ id: p.id })
      .from(p)
      .where(and(lte(p.askAt, tx.now()), which))
      .orderBy(asc(p.askAt))
      .limit(atOnce)
      .for('update', { skipLocked: true });
    if (due.length === 0) return [];
    return tx.db
      .update(p)
      .set({ askAt: new Date(tx.now().getTime() + leaseMs) })
      .where(
        inArray(
          p.id,
          due.map(({ id }) => id),
        ),
      )
      .returning();
  });
}

export async function askForMember(ctx: Ctx, number: number): Promise<void> {
  for (const purchase of await takeDue(ctx, eq(p.member, number))) await ask(ctx, purchase);
}
