import * as z from 'zod/mini';

/** At most a year, as runs are kept no longer (product §7). */
export const statsWindow = z.strictObject({
  days_back: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365)), 30),
});
