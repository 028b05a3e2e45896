import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockOccupied } from '../listings/locks.ts';
import { resumeListing } from '../listings/resume.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Resumes a paused slot. Refuses as {@link lockOccupied} does, `slots.notPaused`, and
 * `sellers.isSuspended` (product R20).
 */
export async function resumeSlot(
  ctx: Ctx,
  slotId: number,
  productId: string,
): Promise<{ slotId: number; endTime: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slot, product, suspended } = await lockOccupied(tx, slotId, productId);
    if (!slot.pausedAt) throw new Refusal('slots.notPaused');
    if (suspended) throw new Refusal('sellers.isSuspended');
    const endTime = (await resumeListing(tx, slot, product)).toISOString();
    await audit(tx, {
      action: 'slot.resume',
      subjectKind: 'slot',
      subjectId: String(slotId),
      before: {
        productId,
        pausedAt: slot.pausedAt.toISOString(),
        pausedBy: slot.pausedBy,
        remainingSeconds: slot.remainingDuration,
      },
      after: { productId, endTime },
    });
    return { slotId, endTime };
  });
}
