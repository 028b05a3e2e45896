import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isLanguage, type Language } from '../../../locales/languages.ts';
import { everyone } from '../../core/access.ts';
import { type AppEnv, route, valid } from '../../http/route.ts';
import { Refusal } from '../../shared/errors.ts';
import { resolvedPath } from '../../shared/ownPath.ts';
import type { Auth } from '../auth.ts';
import { homes, signInPages } from '../rules.ts';
import { googleReasons, googleStart, type SignInPage } from '../schema.ts';
import { readSignUp } from '../signUp/signUpCookie.ts';
import { type Attempt, beginGoogle, finishGoogle } from './google.ts';

const cookie = 'google_sign_in';
/** Sealed in a cookie. `prefixed`: the page's path began with its language. */
type Kept = Attempt & { language: Language; prefixed: boolean };

const pages: Record<SignInPage, string> = { ...signInPages, account: homes.member };

const inLanguage = (path: string, { language, prefixed }: Pick<Kept, 'language' | 'prefixed'>) =>
  prefixed && !isLanguage(path.split(/[/?#]/)[1]) ? `/${language}${path}` : path;

/** Routes of the sign-in with Google (decision 006); every answer redirects to a page. */
export function googleRoutes(auth: Auth) {
  const options = (c: Context<AppEnv>) => ({
    path: '/api/auth/callback/google',
    httpOnly: true,
    sameSite: 'Lax' as const,
    secure: c.get('ctx').services.env.publicUrl.startsWith('https:'),
  });

  function back(
    c: Context<AppEnv>,
    error: unknown,
    { door, next, ...place }: Pick<Kept, 'door' | 'next' | 'language' | 'prefixed'>,
  ): Response {
    const [reason = 'failed'] =
      Object.entries(googleReasons).find(
        ([, code]) => error instanceof Refusal && error.code === code,
      ) ?? [];
    if (!(error instanceof Refusal) || (error.cause && error.code !== 'auth.providerDenied')) {
      const { services, requestId } = c.get('ctx');
      const cause = error instanceof Refusal ? error.cause : error;
      const message = `Google sign-in: ${cause instanceof Error ? cause.message : String(cause)}`;
      services.reporter.report({
        source: 'server',
        kind: 'error',
        message,
        requestId,
        page: c.req.path,
        extra: { error: cause },
      });
    }
    const query = new URLSearchParams({ google: reason, ...(next === null ? {} : { next }) });
    return c.redirect(`${inLanguage(pages[door], place)}?${query}`, 303);
  }

  return new Hono<AppEnv>()
    .get(
      '/google',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Begin a sign-in with Google: leads to its page',
        acts: true,
      }),
      valid('query', googleStart),
      async (c) => {
        const ctx = c.get('ctx');
        const { door, next: wanted, language } = c.req.valid('query');
        const place = {
          door,
          next: resolvedPath(wanted) ?? null,
          language: ctx.language,
          prefixed: language !== undefined,
        };
        if (!ctx.services.google) throw new Refusal('notFound');
        try {
          const { url, attempt } = await beginGoogle(ctx, place);
          const kept: Kept = { ...place, ...attempt };
          setCookie(
            c,
            cookie,
            await symmetricEncrypt({ key: ctx.services.secret, data: JSON.stringify(kept) }),
            { ...options(c), maxAge: 600 },
          );
          return c.redirect(url, 303);
        } catch (error) {
          return back(c, error, place);
        }
      },
    )
    .get(
      '/callback/google',
      route({
        who: everyone,
        tag: 'accounts',
        summary: 'Come back from Google, once, and be signed in',
        acts: true,
      }),
      async (c) => {
        const ctx = c.get('ctx');
        if (!ctx.services.google) throw new Refusal('notFound');
        const kept = await readKept(ctx.services.secret, getCookie(c, cookie));
        deleteCookie(c, cookie, options(c));
        // The attempt is another browser's, or over.
        if (!kept)
          return back(c, new Refusal('auth.attemptOver'), {
            door: 'member',
            next: null,
            language: ctx.language,
            prefixed: false,
          });
        try {
          const { search } = new URL(c.req.url);
          const { value, cookies } = await finishGoogle(
            {
              ...ctx,
              language: kept.language,
              auth,
              headers: c.req.raw.headers,
              signUp: await readSignUp(c),
            },
            kept,
            search,
          );
          for (const line of cookies) c.header('set-cookie', line, { append: true });
          return c.redirect(inLanguage(value.next, kept), 303);
        } catch (error) {
          return back(c, error, kept);
        }
      },
    );
}

/** Undefined for a cookie that this server did not seal. */
async function readKept(secret: string, sealed: string | undefined): Promise<Kept | undefined> {
  if (!sealed) return undefined;
  try {
    return JSON.parse(await symmetricDecrypt({ key: secret, data: sealed })) as Kept;
  } catch {
    return undefined;
  }
}
