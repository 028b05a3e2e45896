import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import type { ReportInput } from './schema.ts';

/** Reports from one address in an hour. Whole towns share a carrier's address, so it is far above what one person would send. */
export const perAddress = { max: 60, windowSeconds: 3600 };

/**
 * Keeps what a visitor says is wrong with a listing (product R27), for the admins; needs no account. One report per visitor, product
 * and reason. Refuses `products.notFound` (never public, or no longer), `reports.alreadyReported`, `tooManyRequests` (by address).
 */
export async function reportListing(
  ctx: Ctx,
  productId: string,
  { reason, note }: ReportInput,
): Promise<{ reported: true }> {
  const visitor = visitorKey(ctx);
  // Ahead of the transaction: a refused report counts too.
  await countAttempt(
    ctx,
    `report:${ctx.client.addressHash}`,
    perAddress.max,
    perAddress.windowSeconds,
    'tooManyRequests',
  );
  return inTransaction(ctx, async (tx) => {
    const [row] = await publicRows(tx, eq(schema.products.id, productId));
    const standing = row && standingOf(row, tx.now());
    if (!row || !standing) throw new Refusal('products.notFound');
    const kept = await tx.db
      .insert(schema.reports)
      .values({
        productId,
        slotId: standing === 'live' ? row.slotId : null,
        reason,
        note: note || null,
        visitor,
        createdAt: tx.now(),
      })
      .onConflictDoNothing({
        target: [schema.reports.productId, schema.reports.visitor, schema.reports.reason],
      })
      .returning({ id: schema.reports.id });
    if (kept.length === 0) throw new Refusal('reports.alreadyReported');
    return { reported: true };
  });
}
