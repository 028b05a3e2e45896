import * as z from 'zod/mini';

/** `data-version` before the version is known (versions.ts); such a page is sent `all:`. */
export const unversioned = 'unknown';

/** An unknown version is accepted: it may predate a restart. */
export const lineOpened = z.strictObject({ since: z.optional(z.string().check(z.maxLength(100))) });
