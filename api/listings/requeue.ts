import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { audit } from '../core/audit.ts';
import type { Tx } from '../core/context.ts';
import { notifySellersOf } from '../people/notify.ts';
import { durationIn, nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { auditRemoval, emptySlots } from './end.ts';
import { type Enqueued, enqueue, type Seat } from './enqueue.ts';
import type { Slot } from './locks.ts';
import type { Listing } from './reads.ts';

/**
 * Moves a listing from its slot to the back of its queue with the time it had left (product R2).
 * The caller has locked product and slot.
 */
export async function requeueListing(
  tx: Tx,
  slot: Slot & { productId: string },
  secondsLeft: number,
): Promise<Enqueued> {
  const { products, listings } = schema;
  const { productId } = slot;
  await emptySlots(tx, [slot.id]);
  await tx.db
    .update(listings)
    .set({ slotId: null })
    .where(and(eq(listings.productId, productId), isNull(listings.endedAt)));
  await tx.db.update(products).set({ updatedAt: tx.now() }).where(eq(products.id, productId));
  const enqueued = await enqueue(tx, productId, 'requeued', { remainingSeconds: secondsLeft });
  await audit(tx, {
    action: 'product.requeue',
    subjectKind: 'product',
    subjectId: productId,
    before: { slotId: slot.id },
    after: { queueName: enqueued.queueName, remainingSeconds: secondsLeft },
  });
  await auditRemoval(tx, slot, { remainingSeconds: secondsLeft, requeued: true });
  await notifySellersOf(
    tx,
    [productId],
    'listingRequeued',
    ({ name }, language) => ({
      product: nameIn(name, language),
      slot: slotNumber(slot.id),
      duration: durationIn(secondsLeft, language),
    }),
    'seller/dashboard',
  );
  return enqueued;
}

/** Reopens the listing of a restored product at its old seat, else at the back of its lane. */
export async function reopenListing(
  tx: Tx,
  { id, productId }: Listing,
  seat?: Seat,
): Promise<void> {
  await tx.db
    .update(schema.listings)
    .set({ slotId: null, endedAt: null, endReason: null, endedBy: null, removedPlace: null })
    .where(eq(schema.listings.id, id));
  await enqueue(tx, productId, 'restored', seat);
}
