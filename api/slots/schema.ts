import * as z from 'zod/mini';
import { conditions } from '../../db/vocabularies.ts';
import { submission } from '../products/schema.ts';
import { businessByAdmin } from '../sellers/schema.ts';
import { moment } from '../shared/fields.ts';
import { regions } from '../shared/places/regions.ts';
import { slotCount } from '../shared/slots.ts';

const { name, description, price, durationHours, sellerLocation } = submission.shape;

export const slotId = z.strictObject({ slotId: z.string().check(z.regex(/^\d{1,3}$/, 'whole')) });

/** Duration of a manual assignment (product R4): 72 hours, or the seller's own. */
export const assignedDuration = z._default(z.enum(['manual', 'own']), 'manual');
export const assignment = z.strictObject({ productId: z.uuid(), duration: assignedDuration });

/** Product the admin saw in the slot; the verb refuses if another came since. */
export const seenSlot = z.strictObject({ productId: z.uuid() });

/** Removal from a slot (product R2). */
export const removal = z.strictObject({
  productId: z.uuid(),
  requeue: z._default(z.boolean(), false),
});

/** Edit dialog (product §7 “Update products”); fields left out stay. */
export const slotEdit = z.strictObject({
  productId: z.uuid(),
  durationHours,
  isFeatured: z.optional(z.boolean()),
  name: z.optional(name),
  description: z.optional(description),
  price: z.optional(price),
  sellerLocation: z.optional(sellerLocation),
  condition: z.optional(z.nullable(z.enum(conditions))),
  businessName: z.optional(z.nullable(businessByAdmin)),
  /** Product version shown; another one refuses with `products.changed`. */
  seen: z.optional(moment),
});
export type SlotEdit = z.output<typeof slotEdit>;

const text = z.nullable(
  z.union([
    z.string(),
    z.object({ en: z.exactOptional(z.string()), fr: z.exactOptional(z.string()) }),
  ]),
);
const sources = z.array(z.object({ src: z.string(), width: z.number() }));
const image = z.object({
  src: z.string(),
  width: z.number(),
  height: z.number(),
  colour: z.string(),
  sources,
  avif: sources,
});
const count = z.number().check(z.nonnegative());

/**
 * Contract of get_homepage_products (product §7); the grid falls back to the plainer read if it
 * breaks.
 */
export const homepageSlot = z
  .object({
    slot_id: z.int().check(z.gte(1), z.lte(slotCount)),
    slot_active: z.boolean(),
    premium: z.boolean(),
    paused: z.boolean(),
    is_featured: z.boolean(),
    reputation_score: z.number(),
    product_id: z.nullable(z.string()),
    start_time: z.nullable(z.iso.datetime()),
    end_time: z.nullable(z.iso.datetime()),
    engagement: z.nullable(
      z.object({ views: count, clicks: count, messageTaps: count, shares: count }),
    ),
    product_slug: z.nullable(z.string()),
    product_name: text,
    product_description: text,
    product_images: z.array(image),
    product_price: z.nullable(z.number()),
    product_city: z.nullable(z.string()),
    product_region: z.nullable(z.string()),
    product_region_code: z.nullable(z.enum(regions)),
    product_category: z.nullable(z.string()),
    product_condition: z.nullable(z.string()),
    business_name: z.nullable(z.string()),
    seller_verified: z.nullable(z.string()),
    preferred_featured_slot: z.nullable(z.number()),
    product_status: z.nullable(z.string()),
  })
  .check(
    z.refine(
      ({ slot_active, product_id, product_slug, end_time }) =>
        !slot_active || (product_id !== null && product_slug !== null && end_time !== null),
    ),
  );

export const homepageSlots = z
  .array(homepageSlot)
  .check(
    z.refine(
      (slots) =>
        slots.length === slotCount && slots.every(({ slot_id }, order) => slot_id === order + 1),
    ),
  );
