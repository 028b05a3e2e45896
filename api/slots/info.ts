import { and, isNotNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { dayKey } from '../core/format.ts';
import { readSettings } from '../core/settings.ts';
import { isLive } from '../listings/live.ts';
import { isLatest } from '../listings/reads.ts';

/** What the home page says about the market itself: the operator's own contact, and measured figures when the operator wants them. */
export type MarketInfo = { contactNumber: string | null; measured: { liveProducts: number; visits: number; salesPercent: number | null } | null };

/**
 * The operator's public contact and, when the setting says so, the strip's figures as measured: live products now, views in the last
 * 30 days, and the share of ended listings marked sold (product R29, R44). Nothing is measured that nobody asked to see.
 */
export async function marketInfo(ctx: Ctx): Promise<MarketInfo> {
  const { contactNumber, statsMeasured } = await readSettings(ctx, ['contactNumber', 'statsMeasured']);
  return { contactNumber: contactNumber || null, measured: statsMeasured ? await measure(ctx) : null };
}

async function measure(ctx: Ctx) {
  const { slots, productDaily, products, listings } = schema;
  const now = ctx.now();
  const since = dayKey(new Date(now.getTime() - 29 * 86_400_000));
  const [live] = await ctx.db.select({ count: sql<number>`count(*)::int` }).from(slots).where(isLive(now));
  const [visits] = await ctx.db
    .select({ count: sql<number>`coalesce(sum(${productDaily.views}), 0)::int` })
    .from(productDaily)
    .where(sql`${productDaily.day} >= ${since}`);
  const [ended] = await ctx.db
    .select({ all: sql<number>`count(*)::int`, sold: sql<number>`count(${products.soldAt})::int` })
    .from(products)
    .innerJoin(listings, isLatest)
    .where(and(isNotNull(listings.endedAt), isNotNull(listings.startedAt)));
  return { liveProducts: live?.count ?? 0, visits: visits?.count ?? 0, salesPercent: ended?.all ? Math.round((1000 * ended.sold) / ended.all) / 10 : null };
}
