import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { endListings } from '../listings/end.ts';
import { lockProduct } from '../listings/locks.ts';
import { removeFromQueue } from '../queue/remove.ts';
import { resolveReports } from './resolve.ts';

/**
 * Removes a reported product (product R2, R16, R27): a live listing ends and its slot is free, the product is hidden everywhere at once,
 * all its open reports are closed with what was wrong, and its seller is told, in one transaction. It can be restored for 30 days.
 * Refuses `queue.removed` when it is removed already, `queue.notFound` when it is gone, `conflict` when another admin has closed its reports.
 */
export async function removeReported(
  ctx: Ctx,
  productId: string,
  resolution: string,
): Promise<{ id: string; slotId: number | null; resolved: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots } = schema;
    const { listed } = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    const [slot] = await tx.db
      .select({ id: slots.id })
      .from(slots)
      .where(eq(slots.productId, productId));
    // Without a letter of its own: the removal tells the seller.
    if (slot && listed) await endListings(tx, [productId], 'reported');
    await removeFromQueue(tx, productId, 'reported');
    const { resolved } = await resolveReports(tx, productId, resolution);
    return { id: productId, slotId: slot?.id ?? null, resolved };
  });
}
