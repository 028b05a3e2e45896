import * as z from 'zod/mini';

/** What became of a listing's fee (product R31). */
export const feeStates = ['due', 'paid', 'waived', 'refunded'] as const;
export type FeeState = (typeof feeStates)[number];

export const feeState = z.enum(feeStates);
/** The listing whose fee is meant. */
export const listingId = z.strictObject({ id: z.uuid() });
/** How a fee is marked, and how it stood where the admin looked. */
export const feeMark = z.strictObject({
  state: feeState,
  seen: z.optional(z.strictObject({ state: feeState, reference: z.nullable(z.string()) })),
});
