import * as z from 'zod/mini';

export const bySlug = z.strictObject({ slug: z.string().check(z.maxLength(200)) });
