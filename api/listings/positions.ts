import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { inLane } from './locks.ts';
import { estimateAt, type Lane, usualHoursPerPlace } from './rules.ts';

export type QueuePosition = {
  queueName: Lane;
  position: number;
  estimateAt: string | null;
  usualHours: number;
};

/**
 * Positions in the queues by product id, without suspended sellers' items (product R17); the
 * estimate uses the lane's actual end times.
 */
export async function positionsOf(
  ctx: Ctx,
  productIds: readonly string[],
): Promise<Map<string, QueuePosition>> {
  const result = new Map<string, QueuePosition>();
  if (productIds.length === 0) return result;
  const { queueItems: own } = schema;
  const rows = await ctx.db
    .select({
      productId: own.productId,
      queueName: own.queueName,
      band: own.band,
      position: own.position,
      ahead,
    })
    .from(own)
    .where(inArray(own.productId, [...productIds]));
  for (const queueName of new Set(rows.map((row) => row.queueName))) {
    const { ends, empty, roundHours } = await laneOutlook(ctx, queueName);
    const skipped = await suspendedIn(ctx, queueName);
    for (const row of rows.filter((candidate) => candidate.queueName === queueName)) {
      const position = 1 + row.ahead - skipped.filter((item) => isAhead(item, row)).length;
      result.set(row.productId, {
        queueName,
        position,
        estimateAt: estimateAt(position, ends, empty, ctx.now(), roundHours)?.toISOString() ?? null,
        usualHours: position * usualHoursPerPlace[queueName],
      });
    }
  }
  return result;
}

type Spot = { band: number; position: number };
export const isAhead = (one: Spot, other: Spot): boolean =>
  one.band < other.band || (one.band === other.band && one.position < other.position);

/** Counted along the order's index (decision 056 has the cost). */
const ahead = sql<number>`(select count(*)::int from queue_items as others
  where others.queue_name = queue_items.queue_name
  and (others.band, others.position) < (queue_items.band, queue_items.position))`;

/** Places of suspended sellers' products, which are passed over (product R20). */
export async function suspendedIn(ctx: Ctx, queueName: Lane): Promise<Spot[]> {
  const { queueItems: q, products, sellers } = schema;
  return ctx.db
    .select({ band: q.band, position: q.position })
    .from(sellers)
    .innerJoin(products, eq(products.sellerId, sellers.id))
    .innerJoin(q, eq(q.productId, products.id))
    .where(and(eq(sellers.suspended, true), eq(q.queueName, queueName)));
}

/** Paused slots are left out; `roundHours` is the average listing. */
export async function laneOutlook(
  ctx: Ctx,
  queueName: Lane,
): Promise<{ ends: Date[]; empty: number; roundHours: number }> {
  const { slots } = schema;
  const rows = await ctx.db
    .select({ active: slots.active, startTime: slots.startTime, endTime: slots.endTime })
    .from(slots)
    .where(and(inLane(queueName), isNull(slots.pausedAt)));
  const live = rows.flatMap((row) =>
    row.active && row.startTime && row.endTime ? [{ start: row.startTime, end: row.endTime }] : [],
  );
  const hours = live.map(({ start, end }) => (end.getTime() - start.getTime()) / 3_600_000);
  return {
    ends: live.map(({ end }) => end),
    empty: rows.filter((row) => !row.active).length,
    roundHours: hours.length ? hours.reduce((sum, value) => sum + value, 0) / hours.length : 72,
  };
}
