import type { Ctx } from '../core/context.ts';
import type { Auth } from './auth.ts';
import { deviceCookie } from './device.ts';

export type WithAuth = Ctx & { auth: Auth };
export type AuthCtx = WithAuth & { headers: Headers };
/** `signUp` is the id in this browser's sign-up cookie. */
export type SignUpCtx = AuthCtx & { signUp: string | null };
export type WithCookies<T> = { value: T; cookies: string[] };

export const cookiesOf = (headers: Headers): string[] => headers.getSetCookie();

/** Opens a session for a proven person; the browser is then known for the account. */
export async function openSession(ctx: AuthCtx, userId: string): Promise<string[]> {
  const { headers } = await ctx.auth.api.openSession({
    body: { userId },
    headers: ctx.headers,
    returnHeaders: true,
  });
  return [...cookiesOf(headers), await deviceCookie(ctx, userId)];
}
