import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockOccupied } from '../listings/locks.ts';
import { pauseListing } from '../listings/pause.ts';
import { slotState } from '../listings/rules.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Pauses a slot (product §4, product R7). Refuses as {@link lockOccupied} does, `slots.paused`, and
 * `slots.expired` if no time is left.
 */
export async function pauseSlot(
  ctx: Ctx,
  slotId: number,
  productId: string,
): Promise<{ slotId: number; remainingSeconds: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slot } = await lockOccupied(tx, slotId, productId);
    if (slot.pausedAt) throw new Refusal('slots.paused');
    if (slotState(slot, tx.now()) === 'expired') throw new Refusal('slots.expired');
    const remainingSeconds = await pauseListing(tx, slot, 'admin');
    await audit(tx, {
      action: 'slot.pause',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: { productId, endTime: slot.endTime.toISOString() },
      after: { productId, pausedAt: tx.now().toISOString(), remainingSeconds },
    });
    return { slotId, remainingSeconds };
  });
}
