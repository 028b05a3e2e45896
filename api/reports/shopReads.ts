import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { reportReasons } from '../../db/vocabularies.ts';
import { requireModerator } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { notesShown } from './rules.ts';

type Reason = (typeof reportReasons)[number];

/**
 * Pages through shops with open reports, the most reported first (product R50). A resolution sends
 * `latestAt` back, so that no unread report is closed.
 */
export async function openShopReports(ctx: Ctx, { page = 1, pageSize = 20 } = {}) {
  requireModerator(ctx);
  const { reports: r, sellers: s, shopSlugs: t } = schema;
  const [total] = await ctx.db
    .select({ shops: sql<number>`count(distinct ${r.sellerId})::int` })
    .from(r)
    .where(isNull(r.resolvedAt));
  const latest = sql<Date>`max(${r.createdAt})`.mapWith(r.createdAt);
  const groups = await ctx.db
    .select({
      id: s.id,
      name: s.businessName,
      sellerName: s.name,
      suspended: s.suspended,
      slug: t.slug,
      count: sql<number>`count(*)::int`,
      latest,
    })
    .from(r)
    .innerJoin(s, eq(s.id, r.sellerId))
    .leftJoin(t, and(eq(t.sellerId, s.id), isNull(t.leftAt)))
    .where(isNull(r.resolvedAt))
    .groupBy(s.id, t.slug)
    .orderBy(desc(sql`count(*)`), desc(latest), s.id)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const ids = groups.map(({ id }) => id);
  const open = and(isNull(r.resolvedAt), inArray(r.sellerId, ids));
  const reasons =
    ids.length === 0
      ? []
      : await ctx.db
          .select({ sellerId: r.sellerId, reason: r.reason, count: sql<number>`count(*)::int` })
          .from(r)
          .where(open)
          .groupBy(r.sellerId, r.reason)
          .orderBy(desc(sql`count(*)`), r.reason);
  const notes = ids.length === 0 ? [] : await newestNotes();
  return {
    total: total?.shops ?? 0,
    page,
    pageSize,
    shops: groups.map(({ latest: at, ...shop }) => ({
      ...shop,
      latestAt: at.toISOString(),
      reasons: Object.fromEntries(
        reasons
          .filter(({ sellerId }) => sellerId === shop.id)
          .map(({ reason, count }) => [reason, count]),
      ) as Partial<Record<Reason, number>>,
      notes: notes
        .filter(({ sellerId }) => sellerId === shop.id)
        .map(({ reason, note, createdAt }) => ({
          reason,
          note,
          createdAt: createdAt.toISOString(),
        })),
    })),
  };

  function newestNotes() {
    const ranked = ctx.db
      .select({
        sellerId: r.sellerId,
        reason: r.reason,
        note: r.note,
        createdAt: r.createdAt,
        rank: sql<number>`row_number() over (partition by ${r.sellerId} order by ${r.createdAt} desc, ${r.id})`.as(
          'rank',
        ),
      })
      .from(r)
      .where(and(open, sql`${r.note} is not null`))
      .as('ranked');
    return ctx.db
      .select()
      .from(ranked)
      .where(sql`${ranked.rank} <= ${notesShown}`)
      .orderBy(ranked.sellerId, ranked.rank);
  }
}
