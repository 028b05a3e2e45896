import * as z from 'zod/mini';
import { listingTypes } from '../../db/vocabularies.ts';
import { durationHours, limits } from '../products/schema.ts';
import { longestNumber, moment } from '../shared/fields.ts';

/** Allows longer text than can be submitted, so nothing is lost before the form complains. */
const typed = (max: number) => z.optional(z.string().check(z.maxLength(max)));

/** Answers that differ from an empty form. Excludes the seller an admin lists for. */
const answers = z.strictObject({
  'name.en': typed(2 * limits.name.max),
  'name.fr': typed(2 * limits.name.max),
  'description.en': typed(2 * limits.description.max),
  'description.fr': typed(2 * limits.description.max),
  sameText: z.optional(z.boolean()),
  category: typed(30),
  condition: typed(30),
  price: typed(40),
  durationHours: z.optional(
    z
      .number()
      .check(z.refine((value) => (durationHours as readonly number[]).includes(value), 'oneOf')),
  ),
  listingType: z.optional(z.enum(listingTypes)),
  preferredFeaturedSlot: z.optional(
    z.nullable(
      z.int().check(z.minimum(limits.preferredSlot.min), z.maximum(limits.preferredSlot.max)),
    ),
  ),
  sellerName: typed(200),
  sellerWhatsapp: typed(longestNumber),
  sellerLocation: typed(200),
  businessName: typed(200),
  paymentMethod: typed(30),
});
export type KeptAnswers = z.output<typeof answers>;

/** `key` makes one product of the draft; `seen` is the version the device last saw. */
export const keptDraft = z.strictObject({
  key: z.uuid(),
  seen: z.nullable(moment),
  answers,
  photos: z.array(z.uuid()).check(z.maxLength(limits.images.max)),
});
export type KeptDraft = z.output<typeof keptDraft>;

export const draftKey = z.strictObject({ key: z.uuid() });
