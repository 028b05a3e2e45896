import type { Context } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import type { AppEnv } from '../core/http.ts';

const name = 'sign_up';
const options = (c: Context<AppEnv>) => ({
  path: '/api/auth',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: c.get('ctx').services.env.publicUrl.startsWith('https:'),
});

/** The sign-up that this browser made last, from its signed cookie; a forged one counts as none. */
export async function readSignUp(c: Context<AppEnv>): Promise<string | null> {
  return (await getSignedCookie(c, c.get('ctx').services.secret, name)) || null;
}

/** For longer than a sign-up waits. */
export async function rememberSignUp(c: Context<AppEnv>, id: string): Promise<void> {
  await setSignedCookie(c, name, id, c.get('ctx').services.secret, {
    ...options(c),
    maxAge: 7 * 86_400,
  });
}

export function forgetSignUp(c: Context<AppEnv>): void {
  deleteCookie(c, name, options(c));
}
