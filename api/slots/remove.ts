import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { endListings } from '../listings/end.ts';
import { lockOccupied } from '../listings/locks.ts';
import { requeueListing } from '../listings/requeue.ts';
import { secondsLeft } from '../listings/rules.ts';
import { Refusal } from '../shared/errors.ts';

export type RemovedFromSlot = {
  slotId: number;
  productId: string;
  requeued: boolean;
  remainingSeconds: number | null;
};

/**
 * Empties a slot and ends its listing, or with `requeue` moves it to the back of its lane with the
 * time left (product §4, product R2). Refuses as {@link lockOccupied} does, and `slots.expired` if
 * no time is left to requeue.
 */
export async function removeFromSlot(
  ctx: Ctx,
  slotId: number,
  { productId, requeue = false }: { productId: string; requeue?: boolean },
): Promise<RemovedFromSlot> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slot, product } = await lockOccupied(tx, slotId, productId);
    const remainingSeconds = secondsLeft(slot, product, tx.now());
    if (requeue && remainingSeconds === 0) throw new Refusal('slots.expired');
    if (requeue) await requeueListing(tx, { ...slot, productId }, remainingSeconds);
    else await endListings(tx, [productId], 'stopped', { remainingSeconds });
    return {
      slotId,
      productId,
      requeued: requeue,
      remainingSeconds: requeue ? remainingSeconds : null,
    };
  });
}
