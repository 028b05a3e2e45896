import * as z from 'zod/mini';
import { longestEndpoint } from './rules.ts';

/** Bytes as base64url. */
const bytes = (letters: number) =>
  z.string().check(z.length(letters, 'invalid'), z.regex(/^[\w-]+$/, 'invalid'));

/** A browser's subscription, as `PushSubscription.toJSON` has it. */
export const subscription = z.object({
  endpoint: z.string().check(z.maxLength(longestEndpoint)),
  /** A point of 65 bytes, and 16 random ones. */
  keys: z.object({ p256dh: bytes(87), auth: bytes(22) }),
  /** The browser has changed the address of a subscription that this session has. */
  renews: z._default(z.boolean(), false),
});
export type Subscription = z.output<typeof subscription>;
