import { schema } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { findShop } from '../shops/find.ts';
import { countReport } from './report.ts';
import type { ReportInput } from './schema.ts';

/**
 * Stores a visitor's report of a shop, one per visitor, shop and reason (product R50); it shares the
 * limit with reports of listings. Refuses `sellers.shopNotFound`, `reports.alreadyReported`,
 * `tooManyRequests` (by address).
 */
export async function reportShop(
  ctx: Ctx,
  slug: string,
  { reason, note }: ReportInput,
): Promise<{ reported: true }> {
  openToEveryone(ctx);
  const visitor = visitorKey(ctx);
  await countReport(ctx);
  return inTransaction(ctx, async (tx) => {
    const { reports } = schema;
    const found = await findShop(tx, slug);
    if (found?.kind !== 'open') throw new Refusal('sellers.shopNotFound');
    const kept = await tx.db
      .insert(reports)
      .values({
        sellerId: found.seller.id,
        reason,
        note: note || null,
        visitor,
        createdAt: tx.now(),
      })
      .onConflictDoNothing({ target: [reports.sellerId, reports.visitor, reports.reason] })
      .returning({ id: reports.id });
    if (kept.length === 0) throw new Refusal('reports.alreadyReported');
    return { reported: true };
  });
}
