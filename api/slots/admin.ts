import { asc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { secondsLeft, slotState } from '../listings/rules.ts';
import { badgeOf, contactNumberOf } from '../sellers/rules.ts';
import { isPremium } from '../shared/slots.ts';
import { presentImage } from '../uploads/present.ts';

/**
 * All slots with products of any status (product §7 “The admin version also includes seller_name
 * and seller_whatsapp”). Engagement includes events not yet rolled up. Contains phone numbers:
 * admins only.
 */
export async function adminSlots(ctx: Ctx) {
  requireAdmin(ctx);
  const { slots, slotEngagement: e, engagementEvents: events, products, sellers } = schema;
  const fresh = (type: (typeof schema.eventTypes)[number]) =>
    sql<number>`(select count(*) from ${events} where ${events.rolledAt} is null
      and ${events.type} = ${type} and ${events.slotId} = ${slots.id}
      and ${events.productId} = ${slots.productId} and ${events.occurredAt} >= ${slots.startTime})::int`;
  const rows = await ctx.db
    .select({
      slot: slots,
      product: products,
      seller: {
        name: sellers.name,
        whatsapp: sellers.whatsapp,
        verifiedBy: sellers.verifiedBy,
        verifiedWhatsapp: sellers.verifiedWhatsapp,
        suspended: sellers.suspended,
      },
      views: sql<number>`${e.views} + ${fresh('view')}`,
      clicks: sql<number>`${e.clicks} + ${fresh('click')}`,
      messageTaps: sql<number>`${e.messageTaps} + ${fresh('messageTap')}`,
      shares: sql<number>`${e.shares} + ${fresh('share')}`,
    })
    .from(slots)
    .innerJoin(e, eq(e.slotId, slots.id))
    .leftJoin(products, eq(products.id, slots.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .orderBy(asc(slots.id));
  const now = ctx.now();
  return rows.map(({ slot, product, seller, ...engagement }) => {
    const state = slotState(slot, now);
    const running = state === 'live' || state === 'expired';
    const left =
      slot.endTime &&
      secondsLeft({ ...slot, endTime: slot.endTime }, product ?? { durationSeconds: null }, now);
    return {
      id: slot.id,
      premium: isPremium(slot.id),
      isFeatured: slot.isFeatured,
      state,
      startTime: slot.startTime?.toISOString() ?? null,
      // No countdown is shown for a paused slot (product R7).
      endTime: running ? (slot.endTime?.toISOString() ?? null) : null,
      secondsLeft: running ? left : null,
      pausedAt: slot.pausedAt?.toISOString() ?? null,
      pausedBy: slot.pausedBy,
      /** Time a resume would give. */
      remainingSeconds: state === 'paused' ? left : null,
      reputationScore: slot.reputationScore,
      engagement,
      product: product && presentProduct(product, seller),
    };
  });
}

type Seller = Pick<
  typeof schema.sellers.$inferSelect,
  'name' | 'whatsapp' | 'verifiedBy' | 'verifiedWhatsapp' | 'suspended'
>;

const presentProduct = (product: typeof schema.products.$inferSelect, seller: Seller | null) => ({
  id: product.id,
  slug: product.slug,
  name: product.name,
  description: product.description,
  images: product.images.map(presentImage),
  price: product.price,
  city: product.city,
  region: product.region,
  regionCode: product.regionCode,
  businessName: product.businessName,
  category: product.category,
  condition: product.condition,
  status: product.status,
  listingType: product.listingType,
  durationSeconds: product.durationSeconds,
  preferredFeaturedSlot: product.preferredFeaturedSlot,
  sellerId: product.sellerId,
  sellerName: product.sellerName ?? seller?.name ?? null,
  sellerWhatsapp: contactNumberOf({
    listing: product.sellerWhatsapp,
    profile: seller?.whatsapp ?? null,
  }),
  sellerVerified:
    badgeOf({
      verifiedBy: seller?.verifiedBy ?? null,
      verifiedWhatsapp: seller?.verifiedWhatsapp ?? null,
      listing: product.sellerWhatsapp,
      profile: seller?.whatsapp ?? null,
    }) !== null,
  sellerSuspended: seller?.suspended ?? false,
  /** Sent back as `seen` by the edit dialog. */
  updatedAt: product.updatedAt.toISOString(),
});
