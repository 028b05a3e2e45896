import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { countAttempt } from '../core/limits.ts';
import { inTransaction } from '../core/transaction.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import { Refusal } from '../shared/errors.ts';
import type { ReportInput } from './schema.ts';

/** Reports per address and hour. High, since whole towns share a carrier's address. */
export const perAddress = { max: 60, windowSeconds: 3600 };

/** Call it before the transaction: a refused report counts too. */
export const countReport = (ctx: Ctx): Promise<unknown> =>
  countAttempt(
    ctx,
    `report:${ctx.client.addressHash}`,
    perAddress.max,
    perAddress.windowSeconds,
    'tooManyRequests',
  );

/**
 * Stores a visitor's report, one per visitor, product and reason (product R27); needs no account.
 * Refuses `products.notFound` (not public), `reports.alreadyReported`, `tooManyRequests` (by
 * address).
 */
export async function reportListing(
  ctx: Ctx,
  productId: string,
  { reason, note }: ReportInput,
): Promise<{ reported: true }> {
  openToEveryone(ctx);
  const visitor = visitorKey(ctx);
  await countReport(ctx);
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
