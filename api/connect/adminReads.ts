import { and, count, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireModerator } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { mailbox } from '../people/mailbox.ts';
import { hasWords } from '../search/query.ts';
import { searchWords } from '../shared/search.ts';
import type { postFilters } from './schema.ts';

const { connectPosts: p, connectReports: reports, creditEntries: e, user } = schema;
const pageSize = 20;
type AdminPostFilter = (typeof postFilters)[number];

/** Lists posts for the team: the most reported first, or those of one state, newest first. */
export async function adminPosts(
  ctx: Ctx,
  {
    page = 1,
    show,
    search = '',
  }: { page?: number; show: AdminPostFilter; search?: string | undefined },
) {
  requireModerator(ctx);
  // Addresses and credits (product R60).
  const hidden = ctx.actor.kind === 'moderator';
  const open = sql<number>`(select count(*)::int from ${reports}
    where ${reports.postId} = ${p.id} and ${reports.resolvedAt} is null)`;
  // The admin's decision sends this back, so reports that came in since stay open.
  const latest = sql`(select max(${reports.createdAt}) from ${reports}
      where ${reports.postId} = ${p.id} and ${reports.resolvedAt} is null)`.mapWith(
    reports.createdAt,
  ) as SQL<Date | null>;
  const refunded = sql<boolean>`exists (select 1 from ${e} spent join ${e} back on back.undoes = spent.id
    where spent.kind = 'spend' and spent.reference_type = 'post' and spent.reference_id = ${p.id})`;
  const words = searchWords(search);
  const where = and(
    {
      reported: sql`${open} > 0`,
      active: and(eq(p.status, 'active'), isNull(p.hiddenAt)),
      closed: and(eq(p.status, 'closed'), isNull(p.hiddenAt)),
      hidden: isNotNull(p.hiddenAt),
    }[show],
    words.length > 0 ? hasWords(p.search, words) : undefined,
  );
  const [total] = await ctx.db.select({ posts: count() }).from(p).where(where);
  const rows = await ctx.db
    .select({
      id: p.id,
      reference: p.reference,
      title: p.title,
      description: p.description,
      category: p.category,
      status: p.status,
      createdAt: p.createdAt,
      hiddenAt: p.hiddenAt,
      hiddenReason: p.hiddenReason,
      owner: user.name,
      ownerName: user.name,
      ownerEmail: mailbox,
      openReports: open,
      reports: sql<number>`(select count(*)::int from ${reports} where ${reports.postId} = ${p.id})`,
      latestReportAt: latest,
      refunded,
    })
    .from(p)
    .innerJoin(user, eq(user.id, p.userId))
    .where(where)
    .orderBy(...(show === 'reported' ? [desc(open)] : []), desc(p.createdAt), p.id)
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    total: total?.posts ?? 0,
    page,
    pageSize,
    posts: rows.map(({ createdAt, hiddenAt, latestReportAt, ...post }) => ({
      ...post,
      ownerEmail: hidden ? null : post.ownerEmail,
      refunded: hidden ? false : post.refunded,
      createdAt: createdAt.toISOString(),
      hiddenAt: hiddenAt?.toISOString() ?? null,
      latestReportAt: latestReportAt?.toISOString() ?? null,
    })),
  };
}

/** Reporters are anonymous. */
export async function reportsOfPost(ctx: Ctx, reference: string) {
  requireModerator(ctx);
  const rows = await ctx.db
    .select({
      id: reports.id,
      reason: reports.reason,
      note: reports.note,
      createdAt: reports.createdAt,
      resolvedAt: reports.resolvedAt,
      resolvedBy: user.name,
      resolution: reports.resolution,
    })
    .from(reports)
    .innerJoin(p, eq(p.id, reports.postId))
    .leftJoin(user, eq(user.id, reports.resolvedBy))
    .where(eq(p.reference, reference))
    .orderBy(desc(reports.createdAt))
    .limit(100);
  return {
    reports: rows.map(({ createdAt, resolvedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      resolvedAt: resolvedAt?.toISOString() ?? null,
    })),
  };
}
