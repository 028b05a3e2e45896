import { and, eq, isNull, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockSeller } from '../sellers/locks.ts';

/**
 * Closes the open reports of a seller's shop (product R50). Refuses `sellers.notFound`, and
 * `conflict` if none is open.
 * @param seen time of the newest report shown: later ones stay open
 */
export async function resolveShopReports(
  ctx: Ctx,
  sellerId: string,
  resolution: string,
  seen?: string,
): Promise<{ id: string; resolved: number }> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    const { reports } = schema;
    await lockSeller(tx, sellerId);
    const closed = await tx.db
      .update(reports)
      .set({ resolvedAt: tx.now(), resolvedBy: userIdOf(tx.actor), resolution })
      .where(
        and(
          eq(reports.sellerId, sellerId),
          isNull(reports.resolvedAt),
          seen === undefined ? undefined : lte(reports.createdAt, new Date(seen)),
        ),
      )
      .returning({ id: reports.id, reason: reports.reason });
    if (closed.length === 0) throw tooLate(tx, 'reportsClosed');
    await audit(tx, {
      action: 'shop.reports.resolve',
      subjectKind: 'seller',
      subjectId: sellerId,
      before: {
        open: closed.length,
        reasons: [...new Set(closed.map((report) => report.reason))].sort(),
      },
      after: { resolution, reports: closed.map((report) => report.id) },
    });
    return { id: sellerId, resolved: closed.length };
  });
}
