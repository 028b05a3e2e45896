import type { Ctx } from '../core/context.ts';
import type { Auth } from './auth.ts';

export type WithAuth = Ctx & { auth: Auth };
export type AuthCtx = WithAuth & { headers: Headers };
/** `signUp` is the id in this browser's sign-up cookie. */
export type SignUpCtx = AuthCtx & { signUp: string | null };
export type WithCookies<T> = { value: T; cookies: string[] };
