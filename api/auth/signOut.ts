import { openToEveryone } from '../core/access.ts';
import type { AuthCtx, WithCookies } from './context.ts';
import { cookiesOf } from './openSession.ts';

/** Ends the present session; clears its cookies even without one. */
export async function signOut(ctx: AuthCtx): Promise<WithCookies<null>> {
  openToEveryone(ctx);
  const { headers } = await ctx.auth.api.signOut({ headers: ctx.headers, returnHeaders: true });
  return { value: null, cookies: cookiesOf(headers) };
}
