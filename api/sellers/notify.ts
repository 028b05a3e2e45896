import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { lockSeller } from './locks.ts';
import type { SellerNotification } from './schema.ts';

export const notificationKind = 'sellerNotification';

/**
 * Sends an admin's message to a seller (send-notification: product §7, product R25); the page polls
 * its outbox id for delivery. Refuses `sellers.notFound`.
 */
export async function notifySeller(
  ctx: Ctx,
  sellerId: string,
  { subject, message }: SellerNotification,
): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockSeller(tx, sellerId);
    const [id] = await notify(tx, { sellerId }, notificationKind, { subject, message });
    if (id === undefined) throw new Refusal('unavailable');
    await audit(tx, {
      action: 'seller.notify',
      subjectKind: 'seller',
      subjectId: sellerId,
      after: { subject, message, outboxId: id },
    });
    return { id };
  });
}
