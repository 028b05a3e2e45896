import { isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openPosts } from '../connect/reads.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';

/** A page without its language prefix; `changed` is its last change, null if unknown. */
export type SitemapPage = { path: string; changed: Date | null };

/** Newest Connect posts in the sitemap; the feed leads to older ones. */
const mostPosts = 1000;

/** Pages for search engines: static pages, live products in slot order, open posts. */
export async function sitemapPages(ctx: Ctx): Promise<SitemapPage[]> {
  const rows = (await publicRows(ctx, isNotNull(schema.slots.id))).filter(
    (row) => standingOf(row, ctx.now()) === 'live',
  );
  const live = rows
    .sort((one, other) => Number(one.slotId) - Number(other.slotId))
    .map(({ slotId, slug, startTime, updatedAt }) => ({
      path: `/shop/${slotId}/${slug}`,
      changed: startTime && startTime > updatedAt ? startTime : updatedAt,
    }));
  const latest = live.reduce<Date | null>(
    (last, { changed }) => (last && last > changed ? last : changed),
    null,
  );
  const posts = (await openPosts(ctx, mostPosts)).map(({ reference, updatedAt }) => ({
    path: `/connect/${reference}`,
    changed: updatedAt,
  }));
  return [
    { path: '/', changed: latest },
    { path: '/how-it-works', changed: null },
    ...live,
    ...posts,
  ];
}
