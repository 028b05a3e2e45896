import { parse, serialize } from 'hono/utils/cookie';
import { moveAlerts } from '../alerts/add.ts';
import { alertsCookie } from '../alerts/device.ts';
import { deviceAlerts } from '../alerts/rules.ts';
import { cookieOptions, favouritesCookie } from '../favourites/device.ts';
import { moveToAccount } from '../favourites/keep.ts';
import { codesIn } from '../favourites/rules.ts';
import type { AuthCtx } from './context.ts';
import { deviceCookie } from './device.ts';

export const cookiesOf = (headers: Headers): string[] => headers.getSetCookie();

/**
 * Opens a session for a proven person. The browser is then known for the account, and its
 * favourites and alerts are the account's.
 */
export async function openSession(ctx: AuthCtx, userId: string): Promise<string[]> {
  const { headers } = await ctx.auth.api.openSession({
    body: { userId },
    headers: ctx.headers,
    returnHeaders: true,
  });
  return [
    ...cookiesOf(headers),
    await deviceCookie(ctx, userId),
    ...(await movedFavourites(ctx, userId)),
    ...(await movedAlerts(ctx, userId)),
  ];
}

async function movedFavourites(ctx: AuthCtx, userId: string): Promise<string[]> {
  const cookies = parse(ctx.headers.get('cookie') ?? '', favouritesCookie);
  const codes = codesIn(cookies[favouritesCookie] ?? '');
  if (codes.length === 0) return [];
  await moveToAccount(ctx, userId, codes);
  return [serialize(favouritesCookie, '', cookieOptions(ctx, false))];
}

async function movedAlerts(ctx: AuthCtx, userId: string): Promise<string[]> {
  const cookies = parse(ctx.headers.get('cookie') ?? '', alertsCookie);
  const alerts = deviceAlerts(cookies[alertsCookie] ?? '');
  if (alerts.length === 0) return [];
  await moveAlerts(ctx, userId, alerts);
  return [serialize(alertsCookie, '', cookieOptions(ctx, false))];
}
