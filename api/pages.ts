import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isLanguage } from '../locales/languages.ts';
import { overdue, refusalOf } from './core/answers.ts';
import type { Ctx } from './core/context.ts';
import { type Theme, themes } from './core/cookies.ts';
import { Refusal } from './core/errors.ts';
import { keepRenderPace } from './core/gate.ts';
import type { AppEnv } from './core/http.ts';
import { presentMark } from './core/mark.ts';
import { refused } from './core/refused.ts';
import type { Broadcast } from './live/broadcast.ts';
import { cacheUntilHeader } from './pageCache.ts';

/** A page of the site, rendered by whoever built it: the app hands over the request with everything that was resolved. */
export type PageRequest = {
  request: Request;
  ctx: Ctx;
  api: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
  theme: Theme;
  prefixed: boolean;
  path: string;
  /** Who asks could not be looked up: `ctx` has a visitor, and a page that depends on it must not be written. */
  viewerUnknown: boolean;
  /** Of the session that the page is written for; empty for a visitor (core/mark.ts). */
  mark: string;
};
export type Pages = (page: PageRequest) => Promise<Response>;

type Site = {
  pages: Pages;
  fetch: (request: Request, env: AppEnv['Bindings']) => Response | Promise<Response>;
  broadcast: Broadcast | undefined;
  connectBroadcast: Broadcast | undefined;
  adminBroadcast: Broadcast | undefined;
};

/** Has the site write a page, and stamps it with the version of what it shows. */
export async function renderPage(
  c: Context<AppEnv>,
  { pages, fetch, broadcast, connectBroadcast, adminBroadcast }: Site,
): Promise<Response> {
  keepRenderPace(c);
  const ctx = c.get('ctx');
  const [, first = ''] = c.req.path.split('/');
  const prefixed = isLanguage(first);
  const path = prefixed ? c.req.path.slice(first.length + 1) || '/' : c.req.path;
  // `//x` and `/\x` are paths here and other sites in a link: no page is written for them.
  if (/^\/\/|\\/.test(path)) throw new Refusal('notFound');
  const stamp = (
    path.startsWith('/admin')
      ? adminBroadcast
      : path.startsWith('/connect')
        ? connectBroadcast
        : broadcast
  )?.begin();
  const theme = themes.find((known) => known === getCookie(c, 'theme')) ?? 'system';
  const viewerUnknown = c.get('viewerUnknown') ?? false;
  let response: Response;
  let away = viewerUnknown;
  try {
    response = await pages({
      request: c.req.raw,
      ctx,
      // In-process, with the context already resolved: no second pool, and no header that could be forged.
      api: async (input, init) => {
        const answer = await fetch(new Request(input, init), { ctx });
        away ||= answer.status >= 500;
        return answer;
      },
      theme,
      prefixed,
      path,
      viewerUnknown,
      mark: presentMark(c),
    });
  } catch (error) {
    return lastResort(c, error, away);
  }
  const html = stamp && response.headers.get('content-type')?.startsWith('text/html');
  const body = html ? stamp(await response.text()) : response.body;
  // The page itself is whole, and a read that it needs failed: search engines and people shall come back (decision 061).
  const answer = new Response(
    body,
    away && response.status === 500 ? { status: 503, headers: response.headers } : response,
  );
  if (answer.status === 503) answer.headers.set('retry-after', '2');
  if (!c.env?.forPageCache) answer.headers.delete(cacheUntilHeader);
  answer.headers.append('vary', 'cookie, accept-language');
  if (!answer.headers.has('cache-control'))
    answer.headers.set('cache-control', 'private, no-cache');
  return answer;
}

/** The router's own fallback (product §10), for when even the error screen of the site fails. */
function lastResort(c: Context<AppEnv>, error: unknown, away: boolean): Response {
  const { services, language, requestId } = c.get('ctx');
  services.reporter.report({
    source: 'server',
    kind: 'error',
    message: error instanceof Error ? error.message : String(error),
    requestId,
    page: c.req.path,
    extra: { error },
  });
  const refusal = away ? overdue(c.req.method, error) : refusalOf(error, c.req.method);
  return refused(refusal, { path: c.req.path, accept: 'text/html', language, requestId });
}
