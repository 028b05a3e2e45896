import * as z from 'zod/mini';
import { speaksForMarket } from '../people/names.ts';
import { nameWithoutContact, textWithoutContact } from '../shared/contact/contactDetails.ts';
import { cleanLine, cleanText, optional, phone } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { isReservedName } from '../shared/slugs/shopSlug.ts';

/** Lengths of a seller's texts (product §5, §9). */
export const limits = {
  name: { min: 2, max: 100 },
  location: { min: 2, max: 100 },
  businessName: { max: 100 },
} as const;

const ownWords = z.refine<string>((name) => !speaksForMarket(name), 'marketName');
/** Admins may set a name that speaks for the market; others need a {@link sellerName}. */
export const nameByAdmin = cleanLine(limits.name.max, limits.name.min).check(
  ...nameWithoutContact(),
);
export const sellerName = nameByAdmin.check(ownWords);
export const businessByAdmin = cleanLine(limits.businessName.max).check(...nameWithoutContact());
export const optionalBusinessByAdmin = optional(businessByAdmin);
export const optionalBusinessName = optional(businessByAdmin.check(ownWords));
/** Name of a shop with a page of its own; empty for none. */
export const shopName = cleanLine(limits.businessName.max).check(
  ownWords,
  z.refine((name) => !isReservedName(name), 'reservedName'),
  ...nameWithoutContact(),
);
export const sellerLocation = cleanLine(limits.location.max, limits.location.min).check(
  ...textWithoutContact(),
);
export const optionalPhone = optional(phone);
export const optionalLocation = optional(sellerLocation);

/** Number and location are required only before the first product (product §2 upload, §5). */
export const profile = z.strictObject({
  name: sellerName,
  whatsapp: optionalPhone,
  location: optionalLocation,
  businessName: z.optional(shopName),
});
export type Profile = z.output<typeof profile>;

/** In characters. */
export const adminLimits = {
  reason: { max: 500 },
  subject: { max: 150 },
  message: { max: 2000 },
  search: { max: 100 },
} as const;

export const sellerId = z.strictObject({ id: z.uuid() });
/** The reason is required; the seller reads it (product §5). */
export const suspension = z.strictObject({ reason: cleanText(adminLimits.reason.max, 1) });
/** `number` is the one that the admin saw; `move` takes it from another seller. */
export const verification = z.strictObject({
  number: z.nullable(z.string().check(z.maxLength(20))),
  move: z._default(z.boolean(), false),
});
/** Both are required (product §5). */
export const notification = z.strictObject({
  subject: cleanLine(adminLimits.subject.max, 1),
  message: cleanText(adminLimits.message.max, 1),
});
export type SellerNotification = z.output<typeof notification>;
export const sellerSearch = pageQuery({
  search: optional(z.string().check(z.maxLength(adminLimits.search.max))),
});
export const barredAddress = z.strictObject({
  email: z.string().check(z.minLength(1, 'required'), z.maxLength(254)),
});
