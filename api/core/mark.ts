import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from './http.ts';

/** The cookie that tells scripts and stored pages whether somebody is signed in, and one session from the next (decision 041). */
export const markCookie = 'signed-in';

const days = 86_400;
const sessionCookie = /(?:^|;\s*)(?:__Secure-)?marche54\.session_token=([^;]*)/;

/** Of the session's secret, and it tells nothing of it: ten letters of its hash. */
const markOf = (token: string): string =>
  token ? createHash('sha256').update(token).digest('hex').slice(0, 10) : '';

/** The mark of whoever asks; empty for a visitor. While nobody can tell, and for a stored page, what the browser says. */
export function presentMark(c: Context<AppEnv>): string {
  if (c.env?.forPageCache || c.get('viewerUnknown')) return getCookie(c, markCookie) ?? '';
  return c.get('ctx').actor.kind === 'visitor'
    ? ''
    : markOf(sessionCookie.exec(c.req.header('cookie') ?? '')?.[1] ?? '');
}

/**
 * Keeps the mark beside the session, whichever door opened, renewed or ended that: the cookies of the answer say so. It holds nothing of a
 * person and opens nothing, so scripts may read it.
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
