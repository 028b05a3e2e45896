import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { type EndReason, endListings } from '../listings/end.ts';
import { expectNotInSlot, lockItem, lockProduct } from '../listings/locks.ts';
import type { Lane } from '../listings/rules.ts';
import { notifySellersOf } from '../people/notify.ts';
import { nameIn } from '../shared/format.ts';
import { neighbourOf } from './move.ts';

/** Queue place that the audit log keeps for `restoreProduct`. */
export type PlaceBefore = {
  queue: null | {
    queueName: Lane;
    priority: 0 | 1;
    band: 0 | 1;
    queuedAt: string;
    remainingSeconds: number | null;
    /** Item ids of the neighbours; a product that left and came back has another. */
    ahead: number | null;
    behind: number | null;
  };
  listingEndedAt: string | null;
};

/**
 * redis_queue_remove (product §7; product R16): hides a product everywhere, notifies its seller,
 * and allows a restore for 30 days. Refuses `queue.notFound`, also if already removed, and
 * `queue.alreadyAssigned`: removal from a slot is another decision.
 */
export async function removeFromQueue(
  ctx: Ctx,
  productId: string,
  reason: EndReason = 'removed',
): Promise<{ id: string; wasQueued: boolean }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products } = schema;
    const { listing, listed } = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    await expectNotInSlot(tx, productId);
    const item = await lockItem(tx, productId);
    const before: PlaceBefore = {
      queue: item
        ? {
            queueName: item.queueName,
            priority: item.priority as 0 | 1,
            band: item.band as 0 | 1,
            queuedAt: item.queuedAt.toISOString(),
            remainingSeconds: item.remainingSeconds,
            ahead: (await neighbourOf(tx, item, 'ahead'))?.id ?? null,
            behind: (await neighbourOf(tx, item, 'behind'))?.id ?? null,
          }
        : null,
      listingEndedAt: listing?.endedAt?.toISOString() ?? null,
    };
    const now = tx.now();
    if (listed) await endListings(tx, [productId], reason);
    await tx.db
      .update(products)
      .set({ removedAt: now, updatedAt: now })
      .where(eq(products.id, productId));
    await audit(tx, {
      action: 'queue.remove',
      subjectKind: 'product',
      subjectId: productId,
      before,
      after: { removedAt: now.toISOString() },
    });
    const kind = reason === 'reported' ? 'productReported' : 'productRemoved';
    await notifySellersOf(tx, [productId], kind, ({ name }, language) => ({
      product: nameIn(name, language),
    }));
    return { id: productId, wasQueued: item !== undefined };
  });
}
