import * as z from 'zod/mini';

/** The eight digits that end a listing's address. */
export const favourite = z.object({ code: z.string().check(z.regex(/^[0-9a-f]{8}$/, 'invalid')) });
/** `gone`: all that cannot be found any more. */
export const removable = z.object({
  code: z.string().check(z.regex(/^(?:[0-9a-f]{8}|gone)$/, 'invalid')),
});
export const favouriteForm = z.object({ keep: z._default(z.string(), 'yes') });
