import * as z from 'zod/mini';
import { paymentNetworks, purchaseMethods, purchaseStates } from '../../db/vocabularies.ts';
import { languages } from '../../locales/languages.ts';
import { cleanLine, longestNumber, phone } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';

/** Number that is charged, where the adapter needs one; without a network the provider names it. */
const payer = { phone: z.optional(phone), network: z.optional(z.enum(paymentNetworks)) };
export const order = z.strictObject({ method: z.enum(purchaseMethods), ...payer });
const reference = z.string().check(z.maxLength(40));
export const feeOrder = z.strictObject({ reference, ...payer });
/** A form without scripts; what it got wrong goes back with it. */
export const feeForm = z.object({
  reference,
  key: z.string().check(z.minLength(8), z.maxLength(100)),
  phone: z._default(z.string().check(z.maxLength(longestNumber)), ''),
  network: z._default(z.enum(['', ...paymentNetworks]), ''),
});
export const feeQuery = z.strictObject({
  reference,
  kept: z.optional(z.string().check(z.maxLength(1000))),
});
export const payerNumber = z.strictObject({ number: phone });
export const purchaseId = z.strictObject({ id: z.uuid() });
export const adapterName = z.strictObject({ adapter: z.string().check(z.maxLength(40)) });
export const limitQuery = z.strictObject({
  amount_usd: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000))),
});

/** This month without one. */
export const journalMonth = z.strictObject({
  month: z.optional(z.string().check(z.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'invalid'))),
  language: z.optional(z.enum(languages)),
});

/** A day in UTC, and the provider's list of it. */
export const comparison = z.strictObject({
  day: z.iso.date(),
  csv: z.string().check(z.minLength(1), z.maxLength(1_000_000)),
});

const givenBack = {
  amount: z.int().check(z.minimum(1), z.maximum(100_000_000)),
  reason: cleanLine(300, 3),
  refunded: z.int().check(z.minimum(0)),
};
/**
 * Money given back by hand: `amount` in the currency that was paid, `refunded` as the admin was
 * shown.
 */
export const refunding = z.strictObject({ ...givenBack, reference: cleanLine(100, 3) });
/** Money that the provider is to give back. */
export const refundOrder = z.strictObject(givenBack);

/** The reference on the partner's or the admin's receipt. */
export const settlement = z.strictObject({ reference: cleanLine(100, 3) });
export const closing = z.strictObject({
  outcome: z.enum(['failed', 'cancelled']),
  reason: cleanLine(300, 3),
});
export const purchaseSearch = pageQuery({ status: z._default(z.enum(purchaseStates), 'pending') });
