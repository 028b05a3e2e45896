import { and, asc, count, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { type AheadWhy, wentAhead } from '../listings/ahead.ts';
import type { Lane } from '../listings/rules.ts';
import { dayKey } from '../shared/format.ts';

/**
 * `feesDue` in XAF includes earlier listings, but not removed products, whose fees are no longer
 * due.
 */
export async function ownTotals(ctx: Ctx, sellerId: string) {
  const { products: p, slots, listings: l } = schema;
  const mine = eq(p.sellerId, sellerId);
  const waits = and(
    eq(p.status, 'pending'),
    isNull(p.removedAt),
    isNull(p.soldAt),
    isNull(p.withdrawnAt),
  );
  const [counted] = await ctx.db
    .select({
      total: count(),
      pending: sql<number>`(count(*) filter (where ${waits}))::int`,
      approved: sql<number>`(count(*) filter (where ${p.status} in ('approved', 'active')))::int`,
    })
    .from(p)
    .where(mine);
  const held = await ctx.db
    .select({ id: slots.id })
    .from(slots)
    .innerJoin(p, eq(p.id, slots.productId))
    .where(mine)
    .orderBy(asc(slots.id));
  const [owed] = await ctx.db
    .select({ due: sql<number>`coalesce(sum(${l.fee}), 0)::int` })
    .from(l)
    .innerJoin(p, eq(p.id, l.productId))
    .where(and(mine, isNull(p.removedAt), eq(l.feeState, 'due')));
  return {
    total: 0,
    pending: 0,
    approved: 0,
    ...counted,
    slots: held.map(({ id }) => id),
    feesDue: owed?.due ?? 0,
  };
}

/** Id of the open payment of a listing's fee; null without one. */
export const openPayment = sql<string | null>`(select id from purchases
  where listing_id = ${schema.listings.id} and status = 'pending')`;

export async function dueFees(ctx: Ctx, productIds: string[]) {
  if (productIds.length === 0) return [];
  const { listings: l } = schema;
  const rows = await ctx.db
    .select({
      productId: l.productId,
      number: l.number,
      fee: l.fee,
      reference: l.feeReference,
      openedAt: l.openedAt,
      payment: openPayment,
    })
    .from(l)
    .where(and(inArray(l.productId, productIds), eq(l.feeState, 'due')))
    .orderBy(desc(l.openedAt));
  return rows.map(({ fee, openedAt, ...row }) => ({
    ...row,
    fee: fee ?? 0,
    openedAt: openedAt.toISOString(),
  }));
}

const aheadShown = 5;

export async function aheadOf(ctx: Ctx, waiting: readonly { id: string; queueName: Lane }[]) {
  const found = new Map<string, { count: number; last: { at: string; why: AheadWhy }[] }>();
  for (const [queueName, items] of Map.groupBy(waiting, (item) => item.queueName)) {
    const ids = items.map(({ id }) => id);
    for (const [id, passings] of await wentAhead(ctx, queueName, ids)) {
      const last = passings.slice(-aheadShown).reverse();
      found.set(id, {
        count: passings.length,
        last: last.map(({ at, why }) => ({ at: at.toISOString(), why })),
      });
    }
  }
  return found;
}

/** Figures of the last seven days in Africa/Douala (product §3 engagement, product R9). */
export async function ownFigures(ctx: Ctx, productIds: string[]) {
  if (productIds.length === 0)
    return new Map<
      string,
      { views: number; clicks: number; messageTaps: number; shares: number }
    >();
  const { productDaily: d } = schema;
  const since = dayKey(new Date(ctx.now().getTime() - 6 * 86_400_000));
  const total = (
    column: typeof d.views | typeof d.clicks | typeof d.messageTaps | typeof d.shares,
  ) => sql<number>`coalesce(sum(${column}), 0)::int`;
  const rows = await ctx.db
    .select({
      productId: d.productId,
      views: total(d.views),
      clicks: total(d.clicks),
      messageTaps: total(d.messageTaps),
      shares: total(d.shares),
    })
    .from(d)
    .where(and(inArray(d.productId, productIds), gte(d.day, since)))
    .groupBy(d.productId);
  return new Map(rows.map(({ productId, ...figures }) => [productId, figures]));
}
