import { isNotNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { categories } from '../../db/vocabularies.ts';
import { openPosts } from '../connect/reads.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import { searchMarket } from '../search/market.ts';
import { regions } from '../shared/places/regions.ts';
import { slotCount } from '../shared/slots.ts';
import { shownShops } from '../shops/reads.ts';

/** A page without its language prefix; `changed` is its last change, null if unknown. */
export type SitemapPage = { path: string; changed: Date | null };

/** Newest Connect posts in the sitemap; the feed leads to older ones. */
const mostPosts = 1000;
const mostShops = slotCount;

/**
 * Pages for search engines: static pages, categories and regions with listings, live products in
 * slot order, shops, open posts.
 */
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
  const shops = (await shownShops(ctx, mostShops)).map(({ slug }) => ({
    path: `/shops/${slug}`,
    changed: null,
  }));
  const { facets } = await searchMarket(ctx, {});
  const searches = [
    '/market',
    ...categories
      .filter((category) => facets.category[category])
      .map((category) => `/market/category/${category}`),
    ...regions
      .filter((region) => facets.region[region])
      .map((region) => `/market/region/${region}`),
  ].map((path) => ({ path, changed: null }));
  return [
    { path: '/', changed: latest },
    ...['/how-it-works', '/privacy', '/terms'].map((path) => ({ path, changed: null })),
    ...searches,
    ...live,
    ...shops,
    ...posts,
  ];
}
