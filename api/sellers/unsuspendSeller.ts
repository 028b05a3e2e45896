import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockLanes } from '../listings/locks.ts';
import { resumeListing } from '../listings/resume.ts';
import { notify } from '../people/notify.ts';
import { lockSeller } from './locks.ts';
import { passOver, type Suspended, slotsOf } from './suspension.ts';

/**
 * Lifts a suspension (product §4, product R20): resumes exactly the slots that it paused, with
 * their remaining time, and notifies. Refuses `sellers.notFound`, `conflict` if not suspended.
 */
export async function unsuspendSeller(ctx: Ctx, sellerId: string): Promise<Suspended> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    const seller = await lockSeller(tx, sellerId);
    if (!seller.suspended) throw tooLate(tx, 'unsuspended');
    const now = tx.now();
    const { sellers, slots } = schema;
    await tx.db
      .update(sellers)
      .set({ suspended: false, suspendedReason: null, suspendedAt: null, updatedAt: now })
      .where(eq(sellers.id, sellerId));
    const paused = await slotsOf(tx, sellerId, eq(slots.pausedBy, 'suspension'));
    for (const { slot, durationSeconds } of paused)
      await resumeListing(tx, slot, { durationSeconds });
    await passOver(tx, sellerId, false);
    const slotIds = paused.map(({ slot }) => slot.id);
    await audit(tx, {
      action: 'seller.unsuspend',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: { suspended: true, reason: seller.suspendedReason, since: seller.suspendedAt },
      after: { suspended: false, resumedSlots: slotIds },
    });
    await notify(tx, { sellerId }, 'sellerUnsuspended', {}, 'seller/dashboard');
    return { id: sellerId, slotIds };
  });
}
