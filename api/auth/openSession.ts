import type { AuthCtx } from './context.ts';
import { deviceCookie } from './device.ts';

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
