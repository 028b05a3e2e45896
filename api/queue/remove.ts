import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin, requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { type EndReason, endListings } from '../listings/end.ts';
import { expectNotInSlot, lockItem, lockProduct, type QueueItem } from '../listings/locks.ts';
import { notifySellersOf } from '../people/notify.ts';
import { nameIn } from '../shared/format.ts';
import { neighbourOf } from './move.ts';

/**
 * redis_queue_remove (product §7; product R16): hides a product everywhere, notifies its seller,
 * and allows a restore for 30 days. Refuses `queue.notFound`, also if already removed, and
 * `queue.alreadyAssigned`: removal from a slot is another decision. Moderators remove what was
 * reported alone.
 */
export async function removeFromQueue(
  ctx: Ctx,
  productId: string,
  reason: EndReason = 'removed',
): Promise<{ id: string; wasQueued: boolean }> {
  requireModerator(ctx);
  if (reason !== 'reported') requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products, listings } = schema;
    const { listing, listed } = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    await expectNotInSlot(tx, productId);
    const item = await lockItem(tx, productId);
    const ahead = item && (await neighbourOf(tx, item, 'ahead'));
    const behind = item && (await neighbourOf(tx, item, 'behind'));
    const now = tx.now();
    if (listing && listed) {
      await endListings(tx, [productId], reason);
      await tx.db
        .update(listings)
        .set({
          removedPlace: {
            queue: item
              ? { ...placeOf(item), ahead: neighbour(ahead), behind: neighbour(behind) }
              : null,
          },
        })
        .where(eq(listings.id, listing.id));
    }
    await tx.db
      .update(products)
      .set({ removedAt: now, updatedAt: now })
      .where(eq(products.id, productId));
    await audit(tx, {
      action: 'queue.remove',
      subjectKind: 'product',
      subjectId: productId,
      before: {
        queue: item
          ? { ...placeOf(item), ahead: ahead?.id ?? null, behind: behind?.id ?? null }
          : null,
        listingEndedAt: listing?.endedAt?.toISOString() ?? null,
      },
      after: { removedAt: now.toISOString() },
    });
    const kind = reason === 'reported' ? 'productReported' : 'productRemoved';
    await notifySellersOf(tx, [productId], kind, ({ name }, language) => ({
      product: nameIn(name, language),
    }));
    return { id: productId, wasQueued: item !== undefined };
  });
}

const placeOf = (item: QueueItem) => ({
  queueName: item.queueName,
  priority: item.priority as 0 | 1,
  band: item.band as 0 | 1,
  queuedAt: item.queuedAt.toISOString(),
  remainingSeconds: item.remainingSeconds,
});

const neighbour = (item: QueueItem | undefined) =>
  item ? { id: item.id, moves: item.moves } : null;
