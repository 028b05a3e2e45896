import type { AuthCtx, WithCookies } from './context.ts';
import { cookiesOf } from './openSession.ts';

/** Ends the present session; clears its cookies even without one. */
export async function signOut(ctx: AuthCtx): Promise<WithCookies<null>> {
  const { headers } = await ctx.auth.api.signOut({ headers: ctx.headers, returnHeaders: true });
  return { value: null, cookies: cookiesOf(headers) };
}
