import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Ctx } from '../core/context.ts';
import type { AppEnv } from '../http/route.ts';
import { codesIn } from './rules.ts';

/** Scripts may read it: they draw the hearts. */
export const favouritesCookie = 'favourites';

const year = 365 * 86_400;
export const cookieOptions = ({ services }: Ctx, kept: boolean): CookieOptions => ({
  path: '/',
  sameSite: 'Lax',
  secure: services.env.publicUrl.startsWith('https:'),
  maxAge: kept ? year : 0,
});

/** Codes that this browser keeps, oldest first. */
export const deviceCodes = (c: Context<AppEnv>): string[] =>
  codesIn(getCookie(c, favouritesCookie) ?? '');

/** Stores a visitor's codes in the browser; an account's are in the database. */
export function rememberCodes(c: Context<AppEnv>, codes: readonly string[]): void {
  const ctx = c.get('ctx');
  if (ctx.actor.kind !== 'visitor') return;
  setCookie(c, favouritesCookie, codes.join('.'), cookieOptions(ctx, codes.length > 0));
}
