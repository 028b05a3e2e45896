import { and, eq, inArray, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { endListings } from '../listings/end.ts';
import { isApproved } from '../listings/rules.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { lockWithProducts } from './locks.ts';

const { sellers, products, productEdits } = schema;

/**
 * Closes a leaving seller's side: frees slots and queue places,
 * withdraws products under review, hides the rest.
 */
export async function closeSelling(tx: Tx, sellerId: string): Promise<void> {
  const { owned } = await lockWithProducts(tx, sellerId);
  const now = tx.now();
  const idsOf = (rows: typeof owned) => rows.map(({ id }) => id);
  await endListings(tx, idsOf(owned.filter(({ status }) => isApproved(status))), 'left');
  const edits = await tx.db
    .delete(productEdits)
    .where(inArray(productEdits.productId, idsOf(owned)))
    .returning({ id: productEdits.productId });
  for (const { id } of edits) await releaseUnshown(tx, id);
  // As if the seller withdrew them: a new submission owes no new fee.
  const waiting = and(
    eq(products.sellerId, sellerId),
    eq(products.status, 'pending'),
    isNull(products.withdrawnAt),
  );
  await tx.db.update(products).set({ withdrawnAt: now, updatedAt: now }).where(waiting);
  await tx.db
    .update(sellers)
    .set({ leavingAt: now, updatedAt: now })
    .where(eq(sellers.id, sellerId));
}

/** Reopens it when the person stays: listings stay ended, but can be listed again. */
export async function openSelling(tx: Tx, userId: string): Promise<void> {
  await tx.db
    .update(sellers)
    .set({ leavingAt: null, updatedAt: tx.now() })
    .where(eq(sellers.userId, userId));
}
