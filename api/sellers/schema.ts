import * as z from 'zod/mini';
import { clean } from '../core/clean.ts';

/** Limits of a seller's words (product §5, §9). */
export const limits = { name: { min: 2, max: 100 }, location: { min: 2, max: 100 }, businessName: { max: 100 } } as const;

const pattern = /^(?:\+237)?[6-9]\d{8}$/;

/** Whether a text is a Cameroon number by the rule of product §5: optional +237, nine digits from 6-9, spaces ignored. */
export function isPhone(text: string): boolean {
  return pattern.test(text.replaceAll(/\s/g, ''));
}

/** Writes a number that passes the rule as E.164 (product R23). */
export function toE164(text: string): string {
  return `+237${text.replaceAll(/\s/g, '').slice(-9)}`;
}

/** A text that is trimmed and cleaned (product §5) before its limits are judged. */
export const cleanText = (max: number, min = 0) =>
  z.pipe(
    z.pipe(z.string(), z.transform(clean)),
    min > 0 ? z.string().check(z.minLength(1, 'required'), z.minLength(min), z.maxLength(max)) : z.string().check(z.maxLength(max)),
  );

/** A phone number, kept as E.164. */
export const phone = z.pipe(
  z.string().check(
    z.refine((text) => text.trim() !== '', { error: 'required', abort: true }),
    z.refine((text) => text.trim() === '' || isPhone(text), 'phone'),
  ),
  z.transform(toE164),
);

/** An optional text of a form: left empty it is nothing; filled, the rule holds. */
export const optional = <S extends z.ZodMiniType<string, string>>(rule: S) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value)),
      z.optional(rule),
    ),
  );

export const sellerName = cleanText(limits.name.max, limits.name.min);
export const sellerLocation = cleanText(limits.location.max, limits.location.min);
export const optionalPhone = optional(phone);
export const optionalLocation = optional(sellerLocation);

/** Profile completion: a name is required; number and location too before the first product (product §2 upload, §5). */
export const profile = z.strictObject({ name: sellerName, whatsapp: optionalPhone, location: optionalLocation });
export type Profile = z.output<typeof profile>;

/** Limits of what admins write about or to a seller, in characters. */
export const adminLimits = { reason: { max: 500 }, subject: { max: 150 }, message: { max: 2000 }, search: { max: 100 } } as const;

export const sellerId = z.strictObject({ id: z.uuid() });
/** A suspension needs a non-empty reason, which the seller reads (product §5). */
export const suspension = z.strictObject({ reason: cleanText(adminLimits.reason.max, 1) });
/** The number that the admin saw, and whether its verification may be taken from another seller. */
export const verification = z.strictObject({ number: z.nullable(z.string().check(z.maxLength(20))), move: z._default(z.boolean(), false) });
/** Subject and message, both non-empty (product §5). A subject is one line: a line break in it would be another header of the mail. */
export const notification = z.strictObject({
  subject: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => clean(text).replaceAll(/\s+/g, ' ')),
    ),
    z.string().check(z.minLength(1, 'required'), z.maxLength(adminLimits.subject.max)),
  ),
  message: cleanText(adminLimits.message.max, 1),
});
export type SellerNotification = z.output<typeof notification>;
/** A page of a list, the first unless told. */
export const pageNumber = z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)), 1);
export const sellerSearch = z.strictObject({ page: pageNumber, search: optional(z.string().check(z.maxLength(adminLimits.search.max))) });
export const barredAddress = z.strictObject({ email: z.string().check(z.minLength(1, 'required'), z.maxLength(254)) });
