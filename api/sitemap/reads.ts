import { isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { openPosts } from '../connect/reads.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';

/** One page of the sitemap: its path without a language, and when what it shows last changed. */
export type SitemapPage = { path: string; changed: Date | null };

/** So many posts of the services board are named, the newest: older ones are found through its feed. */
const mostPosts = 1000;

/** The pages that search engines should know: home, how it works, the canonical page of every live product in the order of slots, and open posts. */
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
