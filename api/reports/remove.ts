import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { endListings } from '../listings/end.ts';
import { lockProduct } from '../listings/locks.ts';
import { removeFromQueue } from '../queue/remove.ts';
import { resolveReports } from './resolve.ts';

/**
 * Removes a reported product in one transaction (product R2, R16, R27): ends its listing, hides it,
 * closes its open reports, notifies its seller. It can be restored for 30 days. Refuses
 * `queue.removed`, `queue.notFound`, and `conflict` if another admin closed its reports.
 */
export async function removeReported(
  ctx: Ctx,
  productId: string,
  resolution: string,
): Promise<{ id: string; slotId: number | null; resolved: number }> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    const { slots } = schema;
    const { listed } = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    const [slot] = await tx.db
      .select({ id: slots.id })
      .from(slots)
      .where(eq(slots.productId, productId));
    // No notification of its own: the removal sends one.
    if (slot && listed) await endListings(tx, [productId], 'reported');
    await removeFromQueue(tx, productId, 'reported');
    const { resolved } = await resolveReports(tx, productId, resolution);
    return { id: productId, slotId: slot?.id ?? null, resolved };
  });
}
