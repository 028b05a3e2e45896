import { and, gte, inArray, isNull, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { premiumCount } from '../slots/rules.ts';
import { estimateAt, usualHoursPerPlace } from './rules.ts';

export type Place = { queueName: 'queue:featured' | 'queue:regular'; position: number; estimateAt: string | null; usualHours: number };

/**
 * The places in line of some products, by product id (decision 17): the lane, the position among those whose sellers are not
 * suspended, an estimate from the lane's actual end times, and the specified usual wait (position times hours per place).
 */
export async function placesOf(ctx: Ctx, productIds: readonly string[]): Promise<Map<string, Place>> {
  const result = new Map<string, Place>();
  if (productIds.length === 0) return result;
  const { queueItems: own, products, sellers } = schema;
  const rows = await ctx.db
    .select({
      productId: own.productId,
      queueName: own.queueName,
      position: sql<number>`1 + (
        select count(*) from ${own} as ahead join ${products} as p on p.id = ahead.product_id left join ${sellers} as s on s.id = p.seller_id
        where ahead.queue_name = ${own.queueName} and (ahead.band, ahead.position) < (${own.band}, ${own.position}) and s.suspended is not true)::int`,
    })
    .from(own)
    .where(inArray(own.productId, [...productIds]));
  for (const queueName of new Set(rows.map((row) => row.queueName))) {
    const { ends, empty, roundHours } = await laneOutlook(ctx, queueName);
    for (const row of rows.filter((candidate) => candidate.queueName === queueName)) {
      result.set(row.productId, {
        queueName,
        position: row.position,
        estimateAt: estimateAt(row.position, ends, empty, ctx.now(), roundHours)?.toISOString() ?? null,
        usualHours: row.position * usualHoursPerPlace[queueName],
      });
    }
  }
  return result;
}

/** What a lane's slots promise: when each ends, how many are free, and how long listings in it last on average. */
export async function laneOutlook(ctx: Ctx, queueName: 'queue:featured' | 'queue:regular'): Promise<{ ends: Date[]; empty: number; roundHours: number }> {
  const { slots } = schema;
  const inLane = queueName === 'queue:featured' ? lte(slots.id, premiumCount) : gte(slots.id, premiumCount + 1);
  const rows = await ctx.db
    .select({ active: slots.active, startTime: slots.startTime, endTime: slots.endTime })
    .from(slots)
    .where(and(inLane, isNull(slots.pausedAt)));
  const live = rows.flatMap((row) => (row.active && row.startTime && row.endTime ? [{ start: row.startTime, end: row.endTime }] : []));
  const hours = live.map(({ start, end }) => (end.getTime() - start.getTime()) / 3_600_000);
  return {
    ends: live.map(({ end }) => end),
    empty: rows.filter((row) => !row.active).length,
    roundHours: hours.length ? hours.reduce((sum, value) => sum + value, 0) / hours.length : 72,
  };
}
