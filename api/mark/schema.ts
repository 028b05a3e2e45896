import * as z from 'zod/mini';
import { atMost } from '../shared/fields.ts';

/** A picture in base64; the verb judges its size and content. */
export const newMark = z.strictObject({
  file: z.string().check(atMost(1_000_000), z.regex(/^[A-Za-z\d+/]*={0,2}$/, 'invalid')),
});
