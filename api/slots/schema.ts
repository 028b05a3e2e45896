import * as z from 'zod/mini';
import { cleanLine, moment } from '../core/fields.ts';
import { submission } from '../products/schema.ts';
import { limits as sellerLimits } from '../sellers/schema.ts';

const { name, description, price, durationHours } = submission.shape;

/** Limits of the edit dialog of a slot: city and region together fit into a seller's 'City, Region'. */
const limits = { place: { min: 2, max: 49 } } as const;

export const slotId = z.strictObject({ slotId: z.string().check(z.regex(/^\d{1,3}$/, 'whole')) });

/** How long a manual assignment lasts (product R4): 72 hours, or what the seller chose. */
export const assignedDuration = z._default(z.enum(['manual', 'own']), 'manual');
/** A product for a chosen slot. */
export const assignment = z.strictObject({ productId: z.uuid(), duration: assignedDuration });

/** What is done to a slot is done to the product that the admin saw in it, and to no other that came meanwhile. */
export const seenSlot = z.strictObject({ productId: z.uuid() });

/** Removal ends the listing, or puts the product back into its queue with the time left (product R2). */
export const removal = z.strictObject({ productId: z.uuid(), requeue: z._default(z.boolean(), false) });

/** The edit dialog (product §7 “Update products”): the duration counts from the save; what is left out stays as it is. */
export const slotEdit = z.strictObject({
  productId: z.uuid(),
  durationHours,
  isFeatured: z.optional(z.boolean()),
  name: z.optional(name),
  description: z.optional(description),
  price: z.optional(price),
  city: z.optional(cleanLine(limits.place.max, limits.place.min)),
  region: z.optional(cleanLine(limits.place.max)),
  businessName: z.optional(z.nullable(cleanLine(sellerLimits.businessName.max))),
  /** The version of the product that the dialog showed; another one is refused `products.changed`. */
  seen: z.optional(moment),
});
export type SlotEdit = z.output<typeof slotEdit>;
