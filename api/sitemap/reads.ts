import { and, asc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';

/** One page of the sitemap: its path without a language, and when what it shows last changed. */
export type SitemapPage = { path: string; changed: Date | null };

/** The pages that search engines should know: home, how it works, and the canonical page of every live product, in the order of slots. */
export async function sitemapPages(ctx: Ctx): Promise<SitemapPage[]> {
  const { slots, products, sellers } = schema;
  const rows = await ctx.db
    .select({ slotId: slots.id, slug: products.slug, started: slots.startTime, changed: products.updatedAt })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .where(
      and(
        eq(slots.active, true),
        isNull(slots.pausedAt),
        gt(slots.endTime, ctx.now()),
        isNull(products.removedAt),
        inArray(products.status, ['approved', 'active']),
        or(isNull(sellers.id), eq(sellers.suspended, false)),
      ),
    )
    .orderBy(asc(slots.id));
  const live = rows.map(({ slotId, slug, started, changed }) => ({
    path: `/shop/${slotId}/${slug}`,
    changed: started && started > changed ? started : changed,
  }));
  const latest = live.reduce<Date | null>((last, { changed }) => (last && last > changed ? last : changed), null);
  return [{ path: '/', changed: latest }, { path: '/how-it-works', changed: null }, ...live];
}
