import type { Ctx } from '../core/context.ts';
import type { Auth } from './auth.ts';
import { deviceCookie } from './device.ts';

export type WithAuth = Ctx & { auth: Auth };
/** What a verb of this room needs beside the context: better-auth, and the request's own headers for the session it makes. */
export type AuthCtx = WithAuth & { headers: Headers };
/** With the sign-up that this browser holds the cookie of, if any. */
export type SignUpCtx = AuthCtx & { signUp: string | null };
/** Cookies to set on the answer. */
export type WithCookies<T> = { value: T; cookies: string[] };

export const cookiesOf = (headers: Headers): string[] => headers.getSetCookie();

/** Opens a session for a person who was proven by password or mailbox, and by the second factor where there is one. From now on the browser is known for the account. */
export async function openSession(ctx: AuthCtx, userId: string): Promise<string[]> {
  const { headers } = await ctx.auth.api.openSession({
    body: { userId },
    headers: ctx.headers,
    returnHeaders: true,
  });
  return [...cookiesOf(headers), await deviceCookie(ctx, userId)];
}
