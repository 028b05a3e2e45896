import { and, asc, eq, gt, inArray, lte, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { neverDueAfter } from '../core/wrongClock.ts';
import type { Purchase, Standing } from './adapter.ts';
import { adapterOf, addCredits, endWithoutCredits, keepPending, lockPurchase } from './purchase.ts';

const { creditPurchases: p } = schema;

/** Whoever asks about a purchase has it for so long; after a crash, or an adapter that does not answer, it is asked again then. */
export const leaseMs = 30_000;
const atOnce = 20;

/**
 * Asks how a purchase stands, which tells its adapter of it the first time, and writes down what it says. An adapter that cannot be reached changes
 * nothing. No connection to the database is held while it is asked.
 */
export async function ask(ctx: Ctx, purchase: Purchase): Promise<Purchase> {
  const adapter = adapterOf(ctx, purchase);
  if (!adapter || purchase.status !== 'pending') return purchase;
  try {
    const standing = await (purchase.startedAt
      ? adapter.ask(purchase, ctx.now())
      : adapter.start(purchase, ctx.now()));
    return await inTransaction(ctx, (tx) => write(tx, purchase.id, standing));
  } catch (error) {
    ctx.services.log.warn('A payment could not be asked about', {
      purchase: purchase.id,
      adapter: adapter.name,
      error,
    });
    return purchase;
  }
}

async function write(tx: Ctx, id: string, standing: Standing): Promise<Purchase> {
  const { account, purchase } = await lockPurchase(tx, id);
  // Somebody else asked at the same time, or an admin decided.
  if (purchase.status !== 'pending') return purchase;
  switch (standing.state) {
    case 'completed':
      return addCredits(tx, account, purchase, standing.reference);
    case 'failed':
      return endWithoutCredits(tx, account, purchase, {
        outcome: 'failed',
        reason: standing.reason,
      });
    case 'pending':
      return keepPending(tx, purchase, standing.askAt);
  }
}

/** Takes purchases that are due to be asked about, for the time of a lease; what somebody else is just taking is passed over. */
async function takeDue(ctx: Ctx, which?: SQL): Promise<Purchase[]> {
  return inTransaction(ctx, async (tx) => {
    const due = await tx.db
      .select({ id: p.id })
      .from(p)
      .where(and(eq(p.status, 'pending'), lte(p.askAt, tx.now()), which))
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

/** Asks about what a member's purchases await, when they look at them. */
export async function askForMember(ctx: Ctx, number: number): Promise<void> {
  for (const purchase of await takeDue(ctx, eq(p.member, number))) await ask(ctx, purchase);
}

/** The timetable's part: asks about everything that is due, whoever looks. */
export async function askAboutPayments(ctx: Ctx): Promise<{ asked: number }> {
  const now = ctx.now();
  await ctx.db
    .update(p)
    .set({ askAt: now })
    .where(and(eq(p.status, 'pending'), gt(p.askAt, neverDueAfter(now))));
  for (let asked = 0; ; ) {
    const due = ctx.signal?.aborted ? [] : await takeDue(ctx);
    if (due.length === 0) return { asked };
    for (const purchase of due) await ask(ctx, purchase);
    asked += due.length;
  }
}

/**
 * Hears a provider's callback: the purchases that it is about are asked about now, and nothing of what it says is believed. Refuses `notFound` for an
 * adapter that is not there, and `tooManyRequests`.
 */
export async function hearCallback(
  ctx: Ctx,
  adapterName: string,
  body: string,
  headers: Headers,
): Promise<void> {
  const adapter = ctx.services.payments.find(({ name }) => name === adapterName);
  if (!adapter) throw new Refusal('notFound');
  await countAttempt(ctx, `callback:${ctx.client.addressHash}`, 300, 60, 'tooManyRequests');
  const ids = (await adapter.readCallback(body, headers)).slice(0, atOnce);
  if (ids.length === 0) return;
  const known = await ctx.db
    .select()
    .from(p)
    .where(and(inArray(p.id, ids), eq(p.adapter, adapter.name), eq(p.status, 'pending')));
  for (const purchase of known) await ask(ctx, purchase);
}
