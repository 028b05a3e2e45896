import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { notify } from '../people/notify.ts';
import { barSeller } from './bar.ts';
import { deleteDropped, dropProducts } from './drop.ts';

export type Removed = { id: string; products: number; images: number };

/**
 * Deletes a seller (product §4, product R20): ends sessions, frees slots and queue places, deletes
 * products, bars the addresses until {@link unbar}, notifies. The account stays. Refuses
 * `sellers.notFound`.
 */
export async function removeSeller(ctx: Ctx, sellerId: string): Promise<Removed> {
  requireAdmin(ctx);
  const dropped = await inTransaction(ctx, async (tx) => {
    const { seller, slots, queued, ...gone } = await dropProducts(tx, sellerId);
    if (seller.userId)
      await tx.db.delete(schema.session).where(eq(schema.session.userId, seller.userId));
    const barred = await barSeller(tx, seller);
    await audit(tx, {
      action: 'seller.delete',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: {
        name: seller.name,
        email: seller.email,
        suspended: seller.suspended,
        verified: seller.verified,
        products: gone.productIds.length,
        slots: slots.map(({ id }) => id),
        queued,
      },
      after: { barred },
    });
    await notify(tx, { sellerId }, 'sellerDeleted', {});
    await tx.db.delete(schema.sellers).where(eq(schema.sellers.id, sellerId));
    return gone;
  });
  await deleteDropped(ctx, dropped);
  return { id: sellerId, products: dropped.productIds.length, images: dropped.photos.length };
}
