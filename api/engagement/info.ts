import { and, isNotNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { isLive } from '../listings/live.ts';
import { isLatest } from '../listings/reads.ts';
import { readSettings } from '../settings/values.ts';
import { viewsOf } from './reads.ts';

export type MarketInfo = {
  contactNumber: string | null;
  measured: { liveProducts: number; visits: number; salesPercent: number | null } | null;
};

/**
 * Operator's contact and, if enabled, measured figures (product R29, R44); runs no query for
 * figures that are off.
 */
export async function marketInfo(ctx: Ctx): Promise<MarketInfo> {
  const { contactNumber, statsMeasured } = await readSettings(ctx, [
    'contactNumber',
    'statsMeasured',
  ]);
  return {
    contactNumber: contactNumber || null,
    measured: statsMeasured ? await measure(ctx) : null,
  };
}

async function measure(ctx: Ctx) {
  const { slots, products, listings } = schema;
  const now = ctx.now();
  const [live] = await ctx.db
    .select({ count: sql<number>`count(*)::int` })
    .from(slots)
    .where(isLive(now));
  const [ended] = await ctx.db
    .select({ all: sql<number>`count(*)::int`, sold: sql<number>`count(${products.soldAt})::int` })
    .from(products)
    .innerJoin(listings, isLatest)
    .where(and(isNotNull(listings.endedAt), isNotNull(listings.startedAt)));
  return {
    liveProducts: live?.count ?? 0,
    visits: await viewsOf(ctx, '30d'),
    salesPercent: ended?.all ? Math.round((1000 * ended.sold) / ended.all) / 10 : null,
  };
}
