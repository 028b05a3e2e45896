import * as z from 'zod/mini';

/** What a page carries as `data-version` until its version is known (versions.ts). A page that says it is told to look again. */
export const unversioned = 'unknown';

/** How a stream is opened: with the version of the page that opens it. One that nobody knows is no mistake: it may come from before a restart. */
export const lineOpened = z.strictObject({ since: z.optional(z.string().check(z.maxLength(100))) });
