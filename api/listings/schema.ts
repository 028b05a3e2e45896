import * as z from 'zod/mini';
import { feeStates } from '../../db/vocabularies.ts';

export type FeeState = (typeof feeStates)[number];

export const feeState = z.enum(feeStates);
export const listingId = z.strictObject({ id: z.uuid() });
/** `seen`: the state the admin saw. */
export const feeMark = z.strictObject({
  state: feeState,
  seen: z.optional(z.strictObject({ state: feeState, reference: z.nullable(z.string()) })),
});
