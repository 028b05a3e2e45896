import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import {
  expectWaiting,
  lockFirstInactive,
  lockInactive,
  lockItem,
  lockProduct,
} from '../listings/locks.ts';
import { fallbackDurationSeconds, laneOf, manualDurationSeconds } from '../listings/rules.ts';
import { endAfter, startListings } from '../listings/start.ts';
import { Refusal } from '../shared/errors.ts';

export type Assigned = { slotId: number; productId: string; endTime: string };
export type Assignment = {
  productId: string;
  slotId?: number | undefined;
  duration?: 'manual' | 'own';
};

/**
 * Assigns a waiting product to a slot (product §4; product R4, R5) for 72 hours or, with `own`, for
 * its time left or duration. Without `slotId`, the first inactive slot of the lane. Refuses
 * `queue.notFound`, `queue.alreadyAssigned`, `queue.notWaiting`, `sellers.isSuspended`,
 * `slots.notFound`, `slots.taken`, `queue.noneAvailable`, `queue.laneFull`.
 */
export async function assignToSlot(
  ctx: Ctx,
  { productId, slotId, duration = 'manual' }: Assignment,
  key?: string,
): Promise<Assigned> {
  requireAdmin(ctx);
  return onceInTransaction(ctx, key, { assign: productId, slotId, duration }, async (tx) => {
    const locked = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    const { product, suspended } = locked;
    await expectWaiting(tx, locked);
    if (suspended) throw new Refusal('sellers.isSuspended');
    const chosen =
      slotId === undefined
        ? await lockFirstInactive(tx, laneOf(product.listingType))
        : await lockInactive(tx, slotId);
    const own =
      (await lockItem(tx, productId))?.remainingSeconds ??
      product.durationSeconds ??
      fallbackDurationSeconds;
    const seconds = duration === 'manual' ? manualDurationSeconds : own;
    const endTime = endAfter(tx.now(), seconds).toISOString();
    await startListings(tx, [{ productId, slotId: chosen, seconds }], 'byHand');
    await audit(tx, {
      action: 'slot.assign',
      subjectKind: 'slot',
      subjectId: String(chosen),
      before: { productId: null },
      after: { productId, duration, seconds, endTime },
    });
    return { slotId: chosen, productId, endTime };
  });
}
