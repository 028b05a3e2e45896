import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockProduct } from '../queue/move.ts';
import { removeFromQueue } from '../queue/remove.ts';
import { emptySlots } from '../slots/release.ts';
import { resolveReports } from './resolve.ts';

/**
 * Removes a reported product (product R2, R16, R27): a live listing ends and its slot is free, the product is hidden everywhere at once,
 * all its open reports are closed with what was wrong, and its seller is told, in one transaction. It can be restored for 30 days.
 * Refuses `products.notFound` when it is gone already, `conflict` when another admin has closed its reports.
 */
export async function removeReported(ctx: Ctx, productId: string, resolution: string): Promise<{ id: string; slotId: number | null; resolved: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const slotId = await endListing(tx, productId);
    await removeFromQueue(tx, productId);
    const { resolved } = await resolveReports(tx, productId, resolution);
    return { id: productId, slotId, resolved };
  });
}

/** Ends the listing of a product that is in a slot, whatever the slot's state; answers the slot. Without a mail of its own: the removal tells the seller. */
async function endListing(tx: Ctx, productId: string): Promise<number | null> {
  const { slots, products } = schema;
  // Lane, product, seller, slot: the order that every verb of the slots keeps.
  await lockProduct(tx, productId).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'queue.notFound' ? new Refusal('products.notFound') : error;
  });
  const [slot] = await tx.db.select({ id: slots.id, endTime: slots.endTime }).from(slots).where(eq(slots.productId, productId)).for('update');
  if (!slot) return null;
  await emptySlots(tx, [slot.id]);
  await tx.db.update(products).set({ listingEndedAt: tx.now(), updatedAt: tx.now() }).where(eq(products.id, productId));
  await audit(tx, {
    action: 'slot.remove',
    subjectKind: 'slot',
    subjectId: String(slot.id),
    before: { productId, endTime: slot.endTime?.toISOString() ?? null },
    after: { productId: null, requeued: false },
  });
  return slot.id;
}
