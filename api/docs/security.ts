import { type Role, signedIn } from '../core/access.ts';
import type { Proof } from '../http/route.ts';

/** The part of OpenAPI 3.1 that the product uses. */
export type SecurityScheme = { description: string } & (
  | { type: 'apiKey'; in: 'cookie' | 'header' | 'query'; name: string }
  | { type: 'http'; scheme: 'bearer' }
);
type Access = { who: readonly Role[]; proof: Proof | undefined };

export const securitySchemes = (publicUrl: string): Record<'session' | Proof, SecurityScheme> => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    // better-auth's prefix for cookies sent over HTTPS only.
    name: `${publicUrl.startsWith('https:') ? '__Secure-' : ''}marche54.session_token`,
    description: 'The session cookie that a sign-in sets',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The token of METRICS_TOKEN' },
  telegramSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-telegram-bot-api-secret-token',
    description: 'The secret that Telegram got with the address of its webhook',
  },
  whatsappToken: {
    type: 'apiKey',
    in: 'query',
    name: 'hub.verify_token',
    description: 'The token that was entered at Meta with the address of the webhook',
  },
  whatsappSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-hub-signature-256',
    description:
      'sha256= and the HMAC-SHA-256 of the body with the secret of the app at Meta, in hexadecimal',
  },
});

/** A public route also accepts a session and may then answer more. */
export function securityOf({ who, proof }: Access): Record<string, string[]>[] {
  if (proof) return [{ [proof]: [] }];
  return who.includes('visitor') ? [{}, { session: [] }] : [{ session: [] }];
}

/**
 * Refusals that follow from a route's declaration. Its own rules (409, 422) fall under `default`;
 * /api/docs lists their codes.
 */
export function refusalsOf({
  who,
  proof,
  method,
  path,
  takesInput,
}: Access & { method: string; path: string; takesInput: boolean }): Record<string, string> {
  // Answers before limits and database; only a wrong Host is refused.
  if (path === '/healthz') return { 421: 'The Host header names another server' };
  const writes = method !== 'get';
  const someRefused = signedIn.some((role) => !who.includes(role));
  return {
    ...(takesInput ? { 400: 'Wrong input: a sentence for each field' } : {}),
    ...(who.includes('visitor') ? {} : { 401: 'No session' }),
    ...(proof ? { 403: 'The secret is missing or wrong', 404: 'No such secret is set' } : {}),
    ...(!proof && (someRefused || writes)
      ? {
          403: someRefused
            ? 'This account may not call it, or another site sent it'
            : 'Another site sent it',
        }
      : {}),
    ...(!proof && path.includes('{') ? { 404: 'Nothing is at this address' } : {}),
    429: 'Too many requests: try again after the seconds of retry-after',
  };
}
