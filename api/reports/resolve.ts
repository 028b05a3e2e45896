import { and, eq, isNull, lte } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';

/**
 * Closes a product's open reports (product R27). Refuses `products.notFound`, and `conflict` if
 * none is open.
 * @param seen time of the newest report shown: later ones stay open
 */
export async function resolveReports(
  ctx: Ctx,
  productId: string,
  resolution: string,
  seen?: string,
): Promise<{ id: string; resolved: number }> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    const { reports, products } = schema;
    const [product] = await tx.db
      .select({ id: products.id })
      .from(products)
      .where(eq(products.id, productId))
      .for('key share');
    if (!product) throw new Refusal('products.notFound');
    const closed = await tx.db
      .update(reports)
      .set({ resolvedAt: tx.now(), resolvedBy: userIdOf(tx.actor), resolution })
      .where(
        and(
          eq(reports.productId, productId),
          isNull(reports.resolvedAt),
          seen === undefined ? undefined : lte(reports.createdAt, new Date(seen)),
        ),
      )
      .returning({ id: reports.id, reason: reports.reason });
    if (closed.length === 0) throw tooLate(tx, 'reportsClosed');
    await audit(tx, {
      action: 'report.resolve',
      subjectKind: 'report',
      subjectId: productId,
      before: {
        open: closed.length,
        reasons: [...new Set(closed.map((report) => report.reason))].sort(),
      },
      after: { resolution, reports: closed.map((report) => report.id) },
    });
    return { id: productId, resolved: closed.length };
  });
}
