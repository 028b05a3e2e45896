import { and, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { publicRows, standingOf } from '../listings/standing.ts';
import { presentFound } from '../search/found.ts';
import type { Found } from '../search/market.ts';
import { homepageProducts } from '../slots/reads.ts';
import { shopCardUrls } from './card.ts';
import { findShop } from './find.ts';
import { presentShop } from './present.ts';
import { mostSold, relatedTo, soldDays } from './rules.ts';

/**
 * A shop's public page by its slug, or the slug it has now; undefined if there is none. Has neither
 * phone number nor the person's name (product R50).
 */
export async function shopPage(ctx: Ctx, slug: string) {
  const found = await findShop(ctx, slug);
  if (!found) return undefined;
  if (found.kind === 'moved') return { movedTo: found.slug };
  const { seller } = found;
  const { items, until } = await listingsOf(ctx, seller.id);
  const results = await presentFound(ctx, items);
  const shop = presentShop(seller);
  const live = results.flatMap((result) => (result.state === 'live' ? [result.stall] : []));
  const sold = results.flatMap((result) => (result.state === 'live' ? [] : [result.past]));
  return {
    slug: found.slug,
    ...shop,
    live,
    sold,
    /** Time at which the first of these is over, though nothing changes. */
    until: until?.toISOString() ?? null,
    shareCard: shopCardUrls(ctx, { ...shop, slug: found.slug }, live.length),
  };
}
async function listingsOf(ctx: Ctx, sellerId: string) {
  const { products: p, slots } = schema;
  const since = new Date(ctx.now().getTime() - soldDays * 86_400_000);
  const rows = await publicRows(
    ctx,
    and(eq(p.sellerId, sellerId), or(isNotNull(slots.id), gt(p.soldAt, since))),
  ).orderBy(sql`${slots.endTime} is null`, slots.endTime, desc(p.soldAt), p.id);
  const known = rows.map((row) => ({ row, standing: standingOf(row, ctx.now()) }));
  const live = known.filter(({ standing }) => standing === 'live');
  const sold = known.filter(({ standing }) => standing === 'sold').slice(0, mostSold);
  const items: Found[] = [
    ...live.map(({ row }) => ({ id: row.id, state: 'live' as const, slotId: row.slotId })),
    ...sold.map(({ row }) => ({ id: row.id, state: 'sold' as const, slotId: null })),
  ];
  const ends = [
    ...live.flatMap(({ row }) => row.endTime ?? []),
    ...sold.flatMap(({ row }) =>
      row.soldAt ? new Date(row.soldAt.getTime() + soldDays * 86_400_000) : [],
    ),
  ];
  return { items, until: ends.sort((a, b) => a.getTime() - b.getTime())[0] };
}

/**
 * What a product's page leads to: the shop of its seller, and up to three live listings like it.
 * Undefined if the product is not in a slot.
 */
export async function aroundProduct(ctx: Ctx, productId: string) {
  const slots = await homepageProducts(ctx);
  const product = slots.find(({ product_id }) => product_id === productId);
  if (!product) return undefined;
  const { products: p, sellers: s, shopSlugs: t } = schema;
  const [shop] = await ctx.db
    .select({ slug: t.slug, name: sql<string>`${s.businessName}` })
    .from(p)
    .innerJoin(s, eq(s.id, p.sellerId))
    .innerJoin(t, and(eq(t.sellerId, s.id), isNull(t.leftAt)))
    .where(
      and(
        eq(p.id, productId),
        isNotNull(s.businessName),
        eq(s.suspended, false),
        isNull(s.leavingAt),
      ),
    );
  return { shop: shop ?? null, related: relatedTo(product, slots, ctx.now()) };
}

/** Shops that have something to show, for the sitemap, newest first. */
export function shownShops(ctx: Ctx, most: number) {
  const { shopSlugs: t, sellers: s, products: p, slots } = schema;
  return ctx.db
    .selectDistinct({ slug: t.slug, takenAt: t.takenAt })
    .from(slots)
    .innerJoin(p, eq(p.id, slots.productId))
    .innerJoin(s, eq(s.id, p.sellerId))
    .innerJoin(t, and(eq(t.sellerId, s.id), isNull(t.leftAt)))
    .where(
      and(
        gt(slots.endTime, ctx.now()),
        isNull(slots.pausedAt),
        isNull(p.removedAt),
        isNotNull(s.businessName),
        eq(s.suspended, false),
        isNull(s.leavingAt),
      ),
    )
    .orderBy(desc(t.takenAt), t.slug)
    .limit(most);
}
