import { and, desc, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { alertName } from './words.ts';

/** One's own alerts, the newest first. */
export async function ownAlerts(ctx: Ctx) {
  const { userId } = requireAccount(ctx);
  const { alerts: a, sellers: v, shopSlugs: t } = schema;
  const rows = await ctx.db
    .select({ alert: a, shop: v.businessName, slug: t.slug })
    .from(a)
    .leftJoin(v, eq(v.id, a.sellerId))
    .leftJoin(t, and(eq(t.sellerId, a.sellerId), isNull(t.leftAt)))
    .where(eq(a.userId, userId))
    .orderBy(desc(a.madeAt), a.id);
  return rows.map(({ alert: { id, query, pace, pausedAt, sellerId }, shop, slug }) => ({
    id,
    pace,
    paused: pausedAt !== null,
    name: alertName({ query, shop }, ctx.language),
    /** Null for a shop that has closed. */
    path: sellerId === null ? `/market${query}` : slug && `/shops/${slug}`,
  }));
}
