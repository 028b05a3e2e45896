import { type Role, signedIn } from '../core/access.ts';
import type { Proof } from '../core/http.ts';

/** A security scheme of OpenAPI 3.1, as far as the product uses them. */
export type SecurityScheme = { description: string } & (
  | { type: 'apiKey'; in: 'cookie' | 'header' | 'query'; name: string }
  | { type: 'http'; scheme: 'bearer' }
);
type Access = { who: readonly Role[]; proof: Proof | undefined };

/** The ways to prove who calls: a person's session, and one secret for each machine that calls. */
export const securitySchemes = (publicUrl: string): Record<'session' | Proof, SecurityScheme> => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    // better-auth's own prefix for cookies that travel over HTTPS only.
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

/** The security requirement of an operation. A public route works without a session and may answer more with one. */
export function securityOf({ who, proof }: Access): Record<string, string[]>[] {
  if (proof) return [{ [proof]: [] }];
  return who.includes('visitor') ? [{}, { session: [] }] : [{ session: [] }];
}

/**
 * The refusals that follow from how a route is declared, by status. Those of a route's own rules (409, 422 and so on) fall under the
 * `default` answer; /api/docs lists the codes.
 */
export function refusalsOf({
  who,
  proof,
  method,
  path,
  takesInput,
}: Access & { method: string; path: string; takesInput: boolean }): Record<string, string> {
  // It answers ahead of the limits and of the database: only a wrong Host header is refused.
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
