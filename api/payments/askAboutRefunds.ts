import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Refund, RefundStanding } from '../core/ports.ts';
import { inTransaction } from '../core/transaction.ts';
import { atOnce, leaseMs } from './ask.ts';
import { adapterOf, lockPurchase } from './purchase.ts';
import { settleRefund } from './refund.ts';

const { purchases: p, refunds: r } = schema;

/** Leases due refunds and asks about them; returns their number. */
export async function askAboutRefunds(ctx: Ctx): Promise<number> {
  requireAdmin(ctx);
  const due = await inTransaction(ctx, async (tx) => {
    const ids = await tx.db
      .select({ id: r.id })
      .from(r)
      .where(and(eq(r.status, 'pending'), lte(r.askAt, tx.now())))
      .orderBy(asc(r.askAt))
      .limit(atOnce)
      .for('update', { skipLocked: true });
    if (ids.length === 0) return [];
    return tx.db
      .update(r)
      .set({ askAt: new Date(tx.now().getTime() + leaseMs) })
      .where(
        inArray(
          r.id,
          ids.map(({ id }) => id),
        ),
      )
      .returning();
  });
  for (const refund of due) await askAboutRefund(ctx, refund);
  return due.length;
}

/** After that a refund of which its provider knows nothing is left to be given by hand. */
const patienceMs = 24 * 3_600_000;

/**
 * Starts a refund, or asks about it, and stores the answer. One without an adapter fails, and so does
 * one that is not answered for a day.
 */
export async function askAboutRefund(ctx: Ctx, refund: Refund): Promise<void> {
  const [purchase] = await ctx.db.select().from(p).where(eq(p.id, refund.purchaseId));
  const adapter = purchase && adapterOf(ctx, purchase);
  const given = adapter?.refund;
  if (!given) return write(ctx, refund, { state: 'failed', failure: 'NO_PROVIDER' });
  let standing: RefundStanding = {
    state: 'pending',
    askAt: new Date(ctx.now().getTime() + leaseMs),
  };
  try {
    standing = await (refund.startedAt === null
      ? given.start(refund, ctx.now())
      : given.ask(refund, ctx.now()));
  } catch (error) {
    ctx.services.log.warn('A refund could not be asked about', {
      purchase: refund.purchaseId,
      adapter: adapter.name,
      error,
    });
    // It may have been accepted or not: it is begun again, or asked about.
    if (ctx.now().getTime() - refund.at.getTime() < patienceMs) return;
  }
  const isLate = ctx.now().getTime() - refund.at.getTime() > patienceMs;
  if (standing.state === 'pending' && isLate) {
    ctx.services.log.error('A refund was not answered for a day: look at its provider', {
      purchase: refund.purchaseId,
      adapter: adapter.name,
    });
    standing = { state: 'failed', failure: 'NO_ANSWER' };
  }
  await write(ctx, refund, standing);
}

const write = (ctx: Ctx, { id, purchaseId }: Refund, standing: RefundStanding): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const locked = await lockPurchase(tx, purchaseId);
    const [refund] = await tx.db.select().from(r).where(eq(r.id, id));
    if (refund?.status !== 'pending') return;
    if (standing.state === 'completed') {
      await settleRefund(tx, locked, refund, standing.reference);
      return;
    }
    await tx.db
      .update(r)
      .set(
        standing.state === 'failed'
          ? { status: 'failed', failure: standing.failure, askAt: null, at: tx.now() }
          : { askAt: standing.askAt, startedAt: refund.startedAt ?? tx.now() },
      )
      .where(eq(r.id, id));
  });
