import type { Env } from '../ops/env.ts';

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Tests an `Origin` against PUBLIC_URL or this machine. Without PUBLIC_URL the `Host` counts;
 * `X-Forwarded-Proto` only from a trusted proxy (decision 029).
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
