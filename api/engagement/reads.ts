import { inArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Bilingual } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { dayKey } from '../shared/format.ts';
import {
  clickThroughRate,
  daysOf,
  engagementOf,
  type Figures,
  noFigures,
  type Range,
  sumOf,
  topCount,
} from './rules.ts';

/** By day of Africa/Douala. */
export type DayOfSlot = Figures & { day: string; slotId: number; productId: string };

/** Rolled-up figures plus fresh events: the only source of the market's figures. */
const happenedOn = (days: readonly string[]) => sql`(
    select * from (
      select day, slot_id, product_id, views, clicks, message_taps, shares from slot_daily
      union all
      select to_char(occurred_at at time zone 'Africa/Douala', 'YYYY-MM-DD'),
      slot_id, product_id, (type = 'view')::int, (type = 'click')::int,
        (type = 'messageTap')::int, (type = 'share')::int
      from engagement_events where rolled_at is null and slot_id is not null
    ) as figures where day between ${days[0] ?? ''} and ${days.at(-1) ?? ''}
  ) as happened`;

async function figuresOf(ctx: Ctx, days: readonly string[]): Promise<DayOfSlot[]> {
  const rows = await ctx.db.execute<DayOfSlot>(sql`
    select day, slot_id as "slotId", product_id as "productId", sum(views)::int as views, sum(clicks)::int as clicks,
      sum(message_taps)::int as "messageTaps", sum(shares)::int as shares
    from ${happenedOn(days)} group by day, slot_id, product_id order by day, slot_id, product_id`);
  return [...rows];
}

/** Includes deleted products; the home page shows these as visits. */
export async function viewsOf(ctx: Ctx, range: Range): Promise<number> {
  const [row] = await ctx.db.execute<{ views: number }>(
    sql`select coalesce(sum(views), 0)::int as views from ${happenedOn(daysOf(range, dayKey(ctx.now())))}`,
  );
  return row?.views ?? 0;
}

async function namesOf(
  ctx: Ctx,
  productIds: readonly string[],
): Promise<Map<string, Bilingual | null>> {
  const { products } = schema;
  if (productIds.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(inArray(products.id, [...new Set(productIds)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function grouped<K>(rows: readonly DayOfSlot[], keyOf: (row: DayOfSlot) => K): Map<K, DayOfSlot[]> {
  const groups = new Map<K, DayOfSlot[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/**
 * Analytics of a range (product §2, §9; product R28: measured, never random). A top slot names its
 * product with the most engagement; null if that is deleted.
 */
export async function analytics(ctx: Ctx, range: Range) {
  requireAdmin(ctx);
  const days = daysOf(range, dayKey(ctx.now()));
  const rows = await figuresOf(ctx, days);
  const byDay = grouped(rows, (row) => row.day);
  const top = [...grouped(rows, (row) => row.slotId)]
    .map(([slotId, own]) => ({ slotId, own, ...sumOf(own), engagement: engagementOf(sumOf(own)) }))
    .filter(({ engagement }) => engagement > 0)
    .sort((a, b) => b.engagement - a.engagement || a.slotId - b.slotId)
    .slice(0, topCount)
    .map(({ own, ...slot }) => {
      const products = [...grouped(own, (row) => row.productId)].map(([id, part]) => ({
        id,
        engagement: engagementOf(sumOf(part)),
      }));
      products.sort((a, b) => b.engagement - a.engagement || a.id.localeCompare(b.id));
      return { ...slot, productId: products[0]?.id ?? '', products: products.length };
    });
  const names = await namesOf(
    ctx,
    top.map(({ productId }) => productId),
  );
  const totals = sumOf(rows);
  return {
    range,
    today: days.at(-1) ?? '',
    totals: { ...totals, clickThroughRate: clickThroughRate(totals) },
    top: top.map(({ productId, ...slot }) => ({ ...slot, name: names.get(productId) ?? null })),
    days: days.map((day) => ({ day, ...sumOf(byDay.get(day) ?? []) })),
  };
}
export type Analytics = Awaited<ReturnType<typeof analytics>>;

export type AnalyticsRow = Figures & { day: string; slotId: number | null; name: Bilingual | null };

export async function analyticsRows(ctx: Ctx, range: Range): Promise<AnalyticsRow[]> {
  requireAdmin(ctx);
  const days = daysOf(range, dayKey(ctx.now()));
  const rows = await figuresOf(ctx, days);
  const byDay = grouped(rows, (row) => row.day);
  const names = await namesOf(
    ctx,
    rows.map(({ productId }) => productId),
  );
  return days.flatMap((day): AnalyticsRow[] => {
    const own = byDay.get(day);
    if (!own) return [{ day, slotId: null, name: null, ...noFigures }];
    return own.map(({ productId, ...row }) => ({ ...row, name: names.get(productId) ?? null }));
  });
}
