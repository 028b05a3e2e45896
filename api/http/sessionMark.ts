import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from './route.ts';

/**
 * Cookie that tells scripts and stored pages if a person is signed in, and in which session
 * (decision 012).
 */
export const markCookie = 'signed-in';

const days = 86_400;
const sessionCookie = /(?:^|;\s*)(?:__Secure-)?marche54\.session_token=([^;]*)/;

/** Reveals nothing of the token. */
const markOf = (token: string): string =>
  token ? createHash('sha256').update(token).digest('hex').slice(0, 10) : '';

/** The caller's mark, '' for a visitor. Stored pages and unknown viewers get the browser's own. */
export function presentMark(c: Context<AppEnv>): string {
  if (c.env?.forPageCache || c.get('viewerUnknown')) return getCookie(c, markCookie) ?? '';
  return c.get('ctx').actor.kind === 'visitor'
    ? ''
    : markOf(sessionCookie.exec(c.req.header('cookie') ?? '')?.[1] ?? '');
}

/**
 * Updates the mark when any route opens, renews or ends the session. It grants nothing, so scripts
 * may read it.
 */
export function keepMark(c: Context<AppEnv>): void {
  if (c.env?.forPageCache || c.get('viewerUnknown')) return;
  const renewed = c.res.headers.getSetCookie().findLast((line) => sessionCookie.test(line));
  const wanted =
    renewed === undefined ? presentMark(c) : markOf(sessionCookie.exec(renewed)?.[1] ?? '');
  if (renewed === undefined && wanted === (getCookie(c, markCookie) ?? '')) return;
  const secure = c.get('ctx').services.env.publicUrl.startsWith('https:');
  setCookie(c, markCookie, wanted, {
    path: '/',
    sameSite: 'Lax',
    secure,
    maxAge: wanted ? 30 * days : 0,
  });
}
