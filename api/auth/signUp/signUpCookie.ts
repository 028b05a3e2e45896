import type { Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import type { AppEnv } from '../../http/route.ts';

const name = 'sign_up';
const options = (c: Context<AppEnv>) => ({
  path: '/api/auth',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: c.get('ctx').services.env.publicUrl.startsWith('https:'),
});

export async function readSignUp(c: Context<AppEnv>): Promise<string | null> {
  return (await getSignedCookie(c, c.get('ctx').services.secret, name)) || null;
}

/** Outlives the sign-up itself. */
export async function rememberSignUp(c: Context<AppEnv>, id: string): Promise<void> {
  await setSignedCookie(c, name, id, c.get('ctx').services.secret, {
    ...options(c),
    maxAge: 7 * 86_400,
  });
}

export function forgetSignUp(c: Context<AppEnv>): void {
  deleteCookie(c, name, options(c));
}
