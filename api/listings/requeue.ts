import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { nameIn } from '../core/format.ts';
import { slotNumber } from '../core/slots.ts';
import { notifySellersOf } from '../people/notify.ts';
import { auditRemoval, emptySlots } from './end.ts';
import { type Enqueued, enqueue } from './enqueue.ts';
import type { Slot } from './locks.ts';
import type { Listing } from './reads.ts';

/**
 * Puts a listing from its slot back into its queue (product R2): it waits at the back of its lane with the time it had left, which its
 * next slot gives exactly. Audited, and the seller is told. Part of a transaction that has locked product and slot.
 */
export async function requeueListing(tx: Ctx, slot: Slot & { productId: string }, secondsLeft: number): Promise<Enqueued> {
  const { products, listings } = schema;
  const { productId } = slot;
  await emptySlots(tx, [slot.id]);
  await tx.db
    .update(listings)
    .set({ slotId: null })
    .where(and(eq(listings.productId, productId), isNull(listings.endedAt)));
  await tx.db.update(products).set({ updatedAt: tx.now() }).where(eq(products.id, productId));
  const enqueued = await enqueue(tx, productId, { remainingSeconds: secondsLeft });
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
    ({ name }, language) => ({ product: nameIn(name, language), slot: slotNumber(slot.id), duration: inWords(secondsLeft, language) }),
    'seller/dashboard',
  );
  return enqueued;
}

/** Undoes the end of a listing whose product is restored: it waits in its queue again, at the back of its lane. */
export async function reopenListing(tx: Ctx, { id, productId }: Listing): Promise<void> {
  await tx.db.update(schema.listings).set({ slotId: null, endedAt: null, endReason: null, endedBy: null }).where(eq(schema.listings.id, id));
  await enqueue(tx, productId);
}

/** A span of time by its two largest units: "2 days 5 hours", "5 hours 20 minutes"; never less than a minute. */
function inWords(seconds: number, language: Language): string {
  const say = translator(language, 'common');
  const minutes = Math.max(1, Math.floor(seconds / 60));
  const parts = [
    [Math.floor(minutes / 1440), 'duration.days'],
    [Math.floor(minutes / 60) % 24, 'duration.hours'],
    [minutes % 60, 'duration.minutes'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => say(unit, { count }))
    .join(' ');
}
