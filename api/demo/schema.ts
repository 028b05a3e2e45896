import * as z from 'zod/mini';

/** Who to be at the demo's sign-in provider: a person, or nobody (`cancel`). */
export const demoChoice = z.object({
  uid: z.string().check(z.minLength(1), z.maxLength(100)),
  email: z._default(z.string().check(z.toLowerCase(), z.maxLength(254)), ''),
  name: z._default(z.string().check(z.maxLength(100)), ''),
  proven: z.optional(z.literal('yes')),
  cancel: z.optional(z.string()),
});
