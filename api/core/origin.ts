import type { Env } from './env.ts';

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Whether an `Origin` is this site. With PUBLIC_URL set that is PUBLIC_URL, or the machine itself; what `Host` says counts only where
 * nobody said what the address is, and `X-Forwarded-Proto` only from a proxy that is trusted (decision 029).
 */
export function isOwnOrigin(
  origin: string,
  env: Pick<Env, 'PUBLIC_URL' | 'publicUrl' | 'TRUST_PROXY'>,
  headers: Headers,
): boolean {
  if (origin === new URL(env.publicUrl).origin) return true;
  const host = headers.get('host') ?? '';
  if (env.PUBLIC_URL !== undefined && !loopback.test(host)) return false;
  const protocol =
    env.TRUST_PROXY && headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return origin === `${protocol}://${host}`;
}
