import { createECDH } from 'node:crypto';
import * as z from 'zod/mini';
import { longestEndpoint } from './rules.ts';

/** Bytes as base64url. */
const bytes = (letters: number) =>
  z
    .string()
    .check(
      z.length(letters, { error: 'invalid', abort: true }),
      z.regex(/^[\w-]+$/, { error: 'invalid', abort: true }),
    );

/** True for a point of the curve that browsers use (P-256). */
function isPoint(key: string): boolean {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    return pair.computeSecret(key, 'base64url').length === 32;
  } catch {
    return false;
  }
}

/** A browser's subscription, as `PushSubscription.toJSON` has it. */
export const subscription = z.object({
  endpoint: z.string().check(z.maxLength(longestEndpoint)),
  keys: z.object({
    p256dh: bytes(87).check(z.refine(isPoint, 'invalid')),
    auth: bytes(22),
  }),
  /** Replaces the subscription that this session has, whose address the browser has changed. */
  renews: z._default(z.boolean(), false),
});
export type Subscription = z.output<typeof subscription>;
