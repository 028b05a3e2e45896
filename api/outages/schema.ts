import * as z from 'zod/mini';

export const outageId = z.strictObject({
  id: z.coerce.number().check(z.int(), z.positive(), z.maximum(Number.MAX_SAFE_INTEGER)),
});
export const outageDecision = z.strictObject({ giveBack: z.boolean() });
