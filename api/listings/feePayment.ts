import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';

const { listings: l, keptFees: k, products: p, sellers: s } = schema;
type Moment = { listingId: string; at: Date };

/**
 * Locks a listing with its fee; undefined once the product was deleted. `userId` is its seller's
 * account, null without one.
 */
export async function lockFee(tx: Tx, listingId: string) {
  const [fee] = await tx.db
    .select({ id: l.id, fee: l.fee, state: l.feeState, product: p.name, userId: s.userId })
    .from(l)
    .innerJoin(p, eq(p.id, l.productId))
    .leftJoin(s, eq(s.id, p.sellerId))
    .where(eq(l.id, listingId))
    .for('update', { of: l });
  return fee;
}

/**
 * Marks a due fee as paid by a payment, also of a product that was deleted. Returns false if it was
 * paid or waived before.
 */
export async function markFeePaid(tx: Tx, { listingId, at }: Moment): Promise<boolean> {
  const paid = { feeState: 'paid', feeMarkedAt: at } as const;
  const due = await tx.db
    .update(l)
    .set({ ...paid, feeMarkedBy: null })
    .where(and(eq(l.id, listingId), eq(l.feeState, 'due')));
  if (due.count > 0) return true;
  const kept = await tx.db
    .update(k)
    .set(paid)
    .where(and(eq(k.listingId, listingId), eq(k.feeState, 'due')));
  return kept.count > 0;
}

/** Marks a fee as refunded if the payment of `at` paid it, not another one or an admin's mark. */
export async function markFeeRefunded(tx: Tx, { listingId, at }: Moment): Promise<void> {
  const refunded = { feeState: 'refunded', feeMarkedAt: tx.now() } as const;
  await tx.db
    .update(l)
    .set(refunded)
    .where(
      and(
        eq(l.id, listingId),
        eq(l.feeState, 'paid'),
        eq(l.feeMarkedAt, at),
        isNull(l.feeMarkedBy),
      ),
    );
  await tx.db
    .update(k)
    .set(refunded)
    .where(and(eq(k.listingId, listingId), eq(k.feeState, 'paid'), eq(k.feeMarkedAt, at)));
}
