import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { reportReasons } from '../../db/vocabularies.ts';
import { requireModerator } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { restorableMs } from '../queue/restore.ts';
import { notesShown } from './rules.ts';

type Reason = (typeof reportReasons)[number];

const { reports: r, products: p, sellers: s, slots } = schema;
const productId = sql<string>`${r.productId}`;

/**
 * Pages through products with open reports, the most reported first (product R27). A resolution
 * sends `latestAt` back, so that no unread report is closed.
 */
export async function openReports(
  ctx: Ctx,
  {
    page = 1,
    pageSize = 20,
    reason,
  }: { page?: number; pageSize?: number; reason?: Reason | undefined } = {},
) {
  requireModerator(ctx);
  // Without the reports of shops (openShopReports).
  const ofProducts = isNotNull(r.productId);
  const open = and(ofProducts, isNull(r.resolvedAt), reason ? eq(r.reason, reason) : undefined);
  const [total] = await ctx.db
    .select({
      products: sql<number>`count(distinct ${r.productId})::int`,
      reports: sql<number>`count(*)::int`,
    })
    .from(r)
    .where(open);
  const latest = sql<Date>`max(${r.createdAt})`.mapWith(r.createdAt);
  const groups = await ctx.db
    .select({ productId, count: sql<number>`count(*)::int`, latest })
    .from(r)
    .where(open)
    .groupBy(r.productId)
    .orderBy(desc(sql`count(*)`), desc(sql`max(${r.createdAt})`), r.productId)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const ids = groups.map((group) => group.productId);
  const shown = ids.length === 0 ? [] : await productsOf(ctx, ids);
  const reasons = ids.length === 0 ? [] : await reasonsOf(ctx, ids, open);
  const notes = ids.length === 0 ? [] : await notesOf(ctx, ids, open);
  const byId = new Map(shown.map((row) => [row.id, row]));
  return {
    total: total?.products ?? 0,
    totalReports: total?.reports ?? 0,
    page,
    pageSize,
    products: groups.map(({ productId, count, latest: at }) => {
      const product = byId.get(productId);
      return {
        id: productId,
        slug: product?.slug ?? '',
        name: product?.name ?? null,
        status: product?.status ?? null,
        removed: product?.removedAt != null,
        slotId: product?.slotId ?? null,
        sellerId: product?.sellerId ?? null,
        sellerName: product?.sellerName ?? product?.ownSellerName ?? null,
        sellerSuspended: product?.suspended ?? false,
        count,
        latestAt: at.toISOString(),
        reasons: Object.fromEntries(
          reasons
            .filter((row) => row.productId === productId)
            .map((row) => [row.reason, row.count]),
        ) as Partial<Record<Reason, number>>,
        notes: notes
          .filter((row) => row.productId === productId)
          .map((row) => ({
            reason: row.reason,
            note: row.note,
            slotId: row.slotId,
            createdAt: new Date(row.createdAt).toISOString(),
          })),
      };
    }),
  };
}

const productsOf = (ctx: Ctx, ids: string[]) =>
  ctx.db
    .select({
      id: p.id,
      slug: p.slug,
      name: p.name,
      status: p.status,
      removedAt: p.removedAt,
      ownSellerName: p.sellerName,
      sellerId: s.id,
      sellerName: s.name,
      suspended: s.suspended,
      slotId: slots.id,
    })
    .from(p)
    .leftJoin(s, eq(s.id, p.sellerId))
    .leftJoin(slots, eq(slots.productId, p.id))
    .where(inArray(p.id, ids));

const reasonsOf = (ctx: Ctx, ids: string[], open: SQL | undefined) =>
  ctx.db
    .select({ productId, reason: r.reason, count: sql<number>`count(*)::int` })
    .from(r)
    .where(and(open, inArray(r.productId, ids)))
    .groupBy(r.productId, r.reason)
    .orderBy(desc(sql`count(*)`), r.reason);

/** The newest notes of each product. */
function notesOf(ctx: Ctx, ids: string[], open: SQL | undefined) {
  const ranked = ctx.db
    .select({
      productId: productId.as('product'),
      reason: r.reason,
      note: r.note,
      slotId: r.slotId,
      createdAt: r.createdAt,
      rank: sql<number>`row_number() over (partition by ${r.productId} order by ${r.createdAt} desc, ${r.id})`.as(
        'rank',
      ),
    })
    .from(r)
    .where(and(open, inArray(r.productId, ids), sql`${r.note} is not null`))
    .as('ranked');
  return ctx.db
    .select()
    .from(ranked)
    .where(sql`${ranked.rank} <= ${notesShown}`)
    .orderBy(ranked.productId, ranked.rank);
}

/** Pages through closed reports, grouped as they were closed, newest first (product R27). */
export async function closedReports(ctx: Ctx, { page = 1, pageSize = 20 } = {}) {
  requireModerator(ctx);
  const { user } = schema;
  const closed = and(isNotNull(r.productId), isNotNull(r.resolvedAt));
  const [total] = await ctx.db
    .select({ groups: sql<number>`count(distinct (${r.productId}, ${r.resolvedAt}))::int` })
    .from(r)
    .where(closed);
  const rows = await ctx.db
    .select({
      productId: p.id,
      closedAt: r.resolvedAt,
      resolution: r.resolution,
      count: sql<number>`count(*)::int`,
      reasons: sql<Reason[]>`array_agg(distinct ${r.reason})`,
      name: p.name,
      sellerName: p.sellerName,
      removedAt: p.removedAt,
      by: user.name,
    })
    .from(r)
    .innerJoin(p, eq(p.id, r.productId))
    .leftJoin(user, eq(user.id, r.resolvedBy))
    .where(closed)
    .groupBy(r.productId, r.resolvedAt, r.resolution, p.id, user.name)
    .orderBy(desc(r.resolvedAt), r.productId)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const now = ctx.now().getTime();
  return {
    total: total?.groups ?? 0,
    page,
    pageSize,
    closed: rows.map(({ closedAt, removedAt, ...row }) => ({
      ...row,
      closedAt: (closedAt ?? new Date(now)).toISOString(),
      removed: removedAt !== null,
      restorable: removedAt !== null && now - removedAt.getTime() < restorableMs,
    })),
  };
}
