import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { endOverdue } from '../listings/end.ts';
import { isLive } from '../listings/live.ts';
import { lockLanes } from '../listings/locks.ts';
import { pauseListing } from '../listings/pause.ts';
import { notify } from '../people/notify.ts';
import { lockSeller } from './locks.ts';
import { passOver, type Suspended, slotsOf } from './suspension.ts';

/**
 * Suspends a seller (product §4, product R20): pauses live slots, keeps queue places, notifies with
 * the reason. A slot paused by an admin stays theirs; an overdue listing ends first. Refuses
 * `sellers.notFound`, `conflict` if already suspended.
 */
export async function suspendSeller(
  ctx: Ctx,
  sellerId: string,
  reason: string,
): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const seller = await lockSeller(tx, sellerId);
    if (seller.suspended) throw tooLate(tx, 'suspended');
    const now = tx.now();
    const { sellers, products } = schema;
    await tx.db
      .update(sellers)
      .set({ suspended: true, suspendedReason: reason, suspendedAt: now, updatedAt: now })
      .where(eq(sellers.id, sellerId));
    await endOverdue(tx, eq(products.sellerId, sellerId));
    const live = await slotsOf(tx, sellerId, isLive(now));
    for (const { slot } of live) await pauseListing(tx, slot, 'suspension');
    await passOver(tx, sellerId, true);
    const slotIds = live.map(({ slot }) => slot.id);
    await audit(tx, {
      action: 'seller.suspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: false },
      after: { suspended: true, reason, pausedSlots: slotIds },
    });
    await notify(tx, { sellerId }, 'sellerSuspended', { reason });
    return { id: sellerId, slotIds };
  });
}
