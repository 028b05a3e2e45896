import * as z from 'zod/mini';

/** The outage that is meant. */
export const outageId = z.strictObject({
  id: z.coerce.number().check(z.int(), z.positive(), z.maximum(Number.MAX_SAFE_INTEGER)),
});
/** Whether what is left of it is given back to the listings that were live. */
export const outageDecision = z.strictObject({ giveBack: z.boolean() });
