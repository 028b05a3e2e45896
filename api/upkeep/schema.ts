import * as z from 'zod/mini';

/** get_cleanup_stats' days_back (product §7): 30 unless told, a year at most, since runs are kept no longer. */
export const statsWindow = z.strictObject({
  days_back: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(365)), 30),
});
