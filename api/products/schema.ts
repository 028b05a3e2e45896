import * as z from 'zod/mini';
import {
  categories,
  categoriesWithoutCondition,
  conditions,
  listingTypes,
  paymentMethods,
} from '../../db/vocabularies.ts';
import {
  nameByAdmin,
  optionalBusinessByAdmin,
  optionalBusinessName,
  sellerLocation,
  sellerName,
} from '../sellers/schema.ts';
import { textWithoutContact } from '../shared/contact/contactDetails.ts';
import { cleanLine, cleanText, moment, optional, phone } from '../shared/fields.ts';
import { premiumCount } from '../shared/slots.ts';

/** Limits of a product (product §5, §9). Prices in XAF. */
export const limits = {
  name: { min: 3, max: 200 },
  description: { min: 10, max: 2000 },
  price: { min: 100, max: 10_000_000 },
  images: { min: 1, max: 5 },
  preferredSlot: { min: 1, max: premiumCount },
  reason: { max: 500 },
  bulk: { max: 50 },
} as const;

/** Upload ids (product §5). */
const images = z
  .array(z.uuid('imagesNotImages'))
  .check(
    z.minLength(limits.images.min, 'imagesRequired'),
    z.maxLength(limits.images.max, 'imagesTooMany'),
  );

export const durationHours = [24, 48, 72, 96, 120] as const;
export const defaultDurationHours = 72;

const price = z.number().check(
  z.refine((value) => value > 0, { error: 'positive', abort: true }),
  z.minimum(limits.price.min),
  z.maximum(limits.price.max),
  // XAF has no decimals (product §1).
  z.refine(Number.isInteger, 'whole'),
);

const duration = z.number().check(
  z.refine((value) => value > 0, { error: 'positive', abort: true }),
  z.refine(Number.isInteger, { error: 'whole', abort: true }),
  z.refine((value) => (durationHours as readonly number[]).includes(value), 'oneOf'),
);

export type Condition = (typeof conditions)[number];

/** True if a product of this category has a condition (product R51). */
export const hasCondition = (category: string | null | undefined): boolean =>
  Boolean(category) && !(categoriesWithoutCondition as readonly string[]).includes(category ?? '');

/** Optional; refused where the category has none. */
const condition = z.optional(z.enum(conditions));
const conditionFits = (draft: { category: string; condition?: Condition | undefined }): boolean =>
  draft.condition === undefined || hasCondition(draft.category);
const atCondition = { error: 'invalid', path: ['condition'] };

/** Public text leads buyers to the contact, never past it (decision 028). */
const texts = {
  name: z.strictObject({
    en: cleanLine(limits.name.max, limits.name.min).check(...textWithoutContact()),
    fr: optional(cleanLine(limits.name.max).check(...textWithoutContact())),
  }),
  description: z.strictObject({
    en: cleanText(limits.description.max, limits.description.min).check(...textWithoutContact()),
    fr: optional(cleanText(limits.description.max).check(...textWithoutContact())),
  }),
};

/** Language of texts that readers of both languages get: the English repeats the French (R56). */
const writtenIn = z.optional(z.literal('fr'));
type Texts = Record<'name' | 'description', { en: string; fr?: string | undefined }>;
const writtenFits = ({ name, description, writtenIn }: Texts & { writtenIn?: 'fr' | undefined }) =>
  writtenIn === undefined || (name.en === name.fr && description.en === description.fr);
const atWritten = { error: 'invalid', path: ['writtenIn'] };

/** Product draft as submitted (product §3 Product draft). */
export const submission = z
  .strictObject({
    ...texts,
    writtenIn,
    category: z.enum(categories),
    condition,
    price,
    durationHours: duration,
    listingType: z._default(z.enum(listingTypes), 'standard'),
    preferredFeaturedSlot: z.optional(
      z.int().check(z.minimum(limits.preferredSlot.min), z.maximum(limits.preferredSlot.max)),
    ),
    images,
    sellerName,
    sellerWhatsapp: phone,
    sellerLocation,
    businessName: optionalBusinessName,
    paymentMethod: z.enum(paymentMethods),
    /**
     * The seller an admin uploads for (product §2 Admin upload); a seller may send only their own
     * id.
     */
    sellerId: z.optional(z.uuid()),
  })
  .check(
    z.refine(conditionFits, atCondition),
    z.refine(writtenFits, atWritten),
    z.refine(
      (draft) => draft.preferredFeaturedSlot === undefined || draft.listingType === 'featured',
      { error: 'invalid', path: ['preferredFeaturedSlot'] },
    ),
    z.refine((draft) => new Set(draft.images).size === draft.images.length, {
      error: 'invalid',
      path: ['images'],
    }),
  );
export type Submission = z.output<typeof submission>;

/** A seller's change; listing type, duration and payment stay (product R19). */
export const edit = z
  .strictObject({
    ...texts,
    writtenIn,
    category: z.enum(categories),
    condition,
    price,
    images,
    sellerName,
    sellerWhatsapp: phone,
    sellerLocation,
    businessName: optionalBusinessName,
  })
  .check(
    z.refine(conditionFits, atCondition),
    z.refine(writtenFits, atWritten),
    z.refine((draft) => new Set(draft.images).size === draft.images.length, {
      error: 'invalid',
      path: ['images'],
    }),
  );
export type Edit = z.output<typeof edit>;

/** A change plus what was never chosen (decision 038). Without `images` the photos stay. */
export const correction = z
  .strictObject({
    ...edit.shape,
    sellerName: nameByAdmin,
    businessName: optionalBusinessByAdmin,
    images: z.optional(edit.shape.images),
    durationHours: z.optional(duration),
    paymentMethod: z.optional(z.enum(paymentMethods)),
    seen: moment,
  })
  .check(
    z.refine(conditionFits, atCondition),
    z.refine(writtenFits, atWritten),
    z.refine((draft) => new Set(draft.images).size === (draft.images?.length ?? 0), {
      error: 'invalid',
      path: ['images'],
    }),
  );
export type Correction = z.output<typeof correction>;

/** Another version than the admin saw refuses with `products.changed`. */
const seen = z.optional(moment);
const reason = cleanText(limits.reason.max, 1);

export const rejection = z.strictObject({ reason, seen });
export const again = z.strictObject({ wanted: z.boolean() });
export const approval = z.strictObject({ seen });
export const productId = z.strictObject({ id: z.uuid() });
/** Id of a product, or the eight digits that end its slug: stalls carry no more. */
export const productReference = z.union([z.uuid(), z.string().check(z.regex(/^[0-9a-f]{8}$/))]);
export const productReferred = z.strictObject({ id: productReference });
export const editDecision = z.strictObject({
  id: z.uuid(),
  decision: z.enum(['approve', 'reject']),
});
export const editVerdict = z.strictObject({ reason: optional(cleanText(limits.reason.max)), seen });

export const bulkDecision = z
  .strictObject({
    ids: z.array(z.uuid()).check(z.minLength(1, 'required'), z.maxLength(limits.bulk.max)),
    action: z.enum(['approve', 'reject']),
    reason: optional(reason),
    seen: z.optional(z.record(z.uuid(), moment)),
  })
  .check(
    z.refine((decision) => decision.action === 'approve' || decision.reason !== undefined, {
      error: 'required',
      path: ['reason'],
    }),
  );
export type BulkDecision = z.output<typeof bulkDecision>;
