import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { slotState } from '../listings/rules.ts';
import { badgeOf } from '../sellers/rules.ts';
import { isPremium, isSlot } from '../shared/slots.ts';
import { presentImage } from '../uploads/present.ts';

const columns = {
  slotId: schema.slots.id,
  active: schema.slots.active,
  isFeatured: schema.slots.isFeatured,
  productId: schema.slots.productId,
  startTime: schema.slots.startTime,
  endTime: schema.slots.endTime,
  reputationScore: schema.slots.reputationScore,
  pausedAt: schema.slots.pausedAt,
  views: schema.slotEngagement.views,
  clicks: schema.slotEngagement.clicks,
  messageTaps: schema.slotEngagement.messageTaps,
  shares: schema.slotEngagement.shares,
  name: schema.products.name,
  description: schema.products.description,
  images: schema.products.images,
  price: schema.products.price,
  city: schema.products.city,
  region: schema.products.region,
  regionCode: schema.products.regionCode,
  businessName: schema.products.businessName,
  category: schema.products.category,
  condition: schema.products.condition,
  slug: schema.products.slug,
  preferredFeaturedSlot: schema.products.preferredFeaturedSlot,
  status: schema.products.status,
  // For the badge only: these numbers never leave this file.
  verifiedBy: schema.sellers.verifiedBy,
  verifiedWhatsapp: schema.sellers.verifiedWhatsapp,
  listing: schema.products.sellerWhatsapp,
  profile: schema.sellers.whatsapp,
};

const rowsOf = (ctx: Ctx, which?: SQL) =>
  ctx.db
    .select(columns)
    .from(schema.slots)
    .innerJoin(schema.slotEngagement, eq(schema.slotEngagement.slotId, schema.slots.id))
    .leftJoin(
      schema.products,
      and(eq(schema.products.id, schema.slots.productId), isNull(schema.products.removedAt)),
    )
    .leftJoin(schema.sellers, eq(schema.sellers.id, schema.products.sellerId))
    .where(which)
    .orderBy(schema.slots.id);

export type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/**
 * get_homepage_products (product §7): the slots with their public data in both languages, never
 * a phone number. A paused slot hides its product (product R7).
 */
export async function homepageProducts(ctx: Ctx) {
  const rows = await rowsOf(ctx);
  const now = ctx.now();
  return rows.map((row) => presentSlot(row, now));
}

export type HomepageSlot = ReturnType<typeof presentSlot>;

export function presentSlot(row: Row, now: Date) {
  const state =
    row.status === 'approved' || row.status === 'active' ? slotState(row, now) : 'empty';
  const shown = state === 'live' || state === 'expired';
  return {
    slot_id: row.slotId,
    slot_active: shown,
    premium: isPremium(row.slotId),
    paused: state === 'paused',
    is_featured: row.isFeatured,
    reputation_score: row.reputationScore,
    product_id: shown ? row.productId : null,
    start_time: shown ? (row.startTime?.toISOString() ?? null) : null,
    end_time: shown ? (row.endTime?.toISOString() ?? null) : null,
    engagement: shown
      ? { views: row.views, clicks: row.clicks, messageTaps: row.messageTaps, shares: row.shares }
      : null,
    product_slug: shown ? row.slug : null,
    product_name: shown ? row.name : null,
    product_description: shown ? row.description : null,
    product_images: shown ? (row.images ?? []).map(presentImage) : [],
    product_price: shown ? row.price : null,
    product_city: shown ? row.city : null,
    product_region: shown ? row.region : null,
    product_region_code: shown ? row.regionCode : null,
    product_category: shown ? row.category : null,
    product_condition: shown ? row.condition : null,
    business_name: shown ? row.businessName : null,
    seller_verified: shown ? badgeOf(row) : null,
    preferred_featured_slot: shown ? row.preferredFeaturedSlot : null,
    product_status: shown ? row.status : null,
  };
}

/** Public data of one slot; undefined if there is no such slot (product R11). */
export async function publicSlot(ctx: Ctx, slotId: number): Promise<HomepageSlot | undefined> {
  if (!isSlot(slotId)) return undefined;
  const [row] = await rowsOf(ctx, eq(schema.slots.id, slotId));
  return row ? presentSlot(row, ctx.now()) : undefined;
}
