import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { getSignedCookie, setCookie, setSignedCookie } from 'hono/cookie';
import { type Language, languages } from '../../locales/languages.ts';
import type { AppEnv } from './route.ts';

const year = 365 * 86_400;
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const options = (c: Context<AppEnv>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'Lax' as const,
  secure: c.get('ctx').services.env.publicUrl.startsWith('https:'),
});

/**
 * Reads the visitor id and the first contact with a seller (decision 028) from the signed cookie:
 * `id` or `id.seconds`, in base 36. A forged cookie counts as none.
 */
export async function readVisitor(
  c: Context,
  secret: string,
): Promise<{ visitor: string | null; since: Date | null }> {
  const [id, since] = ((await getSignedCookie(c, secret, 'visitor')) || '').split('.');
  return { visitor: id || null, since: since ? new Date(Number.parseInt(since, 36) * 1000) : null };
}

const writeVisitor = (c: Context<AppEnv>, value: string) =>
  setSignedCookie(c, 'visitor', value, c.get('ctx').services.secret, {
    ...options(c),
    maxAge: year,
  });

/** Records the first contact with a seller in the cookie. */
export async function rememberContact(c: Context<AppEnv>): Promise<void> {
  const { client, now } = c.get('ctx');
  if (client.visitor && !client.since)
    await writeVisitor(c, `${client.visitor}.${Math.floor(now().getTime() / 1000).toString(36)}`);
}

/**
 * Creates a missing visitor id. Only calls that count people use it, so browsing sets no cookie.
 */
export async function ensureVisitor(c: Context<AppEnv>): Promise<string> {
  const ctx = c.get('ctx');
  if (ctx.client.visitor) return ctx.client.visitor;
  const id = randomUUID();
  await writeVisitor(c, id);
  ctx.client.visitor = id;
  ctx.client.unknown = true;
  return id;
}

/** Stores language and theme (product R40, product §10). */
export function rememberPreferences(
  c: Context<AppEnv>,
  { language, theme }: { language?: Language | undefined; theme?: Theme | undefined },
): void {
  if (language && languages.includes(language))
    setCookie(c, 'language', language, { ...options(c), maxAge: year });
  if (theme) setCookie(c, 'theme', theme, { ...options(c), maxAge: year });
}
