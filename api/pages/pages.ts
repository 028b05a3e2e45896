import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isLanguage, type Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { overdue, refusalOf } from '../http/answers.ts';
import { type Theme, themes } from '../http/cookies.ts';
import { keepRenderPace } from '../http/gate.ts';
import { refused } from '../http/refused.ts';
import type { AppEnv } from '../http/route.ts';
import { presentMark } from '../http/sessionMark.ts';
import type { Broadcast } from '../live/broadcast.ts';
import { Refusal } from '../shared/errors.ts';
import { cacheUntilHeader } from './keptPage.ts';

export type PageRequest = {
  request: Request;
  ctx: Ctx;
  api: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
  theme: Theme;
  prefixed: boolean;
  path: string;
  /**
   * The database was away: `ctx` has a visitor, and a page that depends on the viewer must not be
   * rendered.
   */
  viewerUnknown: boolean;
  /** Empty for a visitor (http/sessionMark.ts). */
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

/** Renders a page, stamped with its data's version. */
export async function renderPage(
  c: Context<AppEnv>,
  { pages, fetch, broadcast, connectBroadcast, adminBroadcast }: Site,
): Promise<Response> {
  keepRenderPace(c);
  const ctx = c.get('ctx');
  const [, first = ''] = c.req.path.split('/');
  const written = first.toLowerCase();
  if (written !== first && isLanguage(written)) {
    const { pathname, search } = new URL(c.req.url);
    return c.redirect(`/${written}${pathname.slice(1 + first.length)}${search}`, 301);
  }
  const prefixed = isLanguage(first);
  const path = prefixed ? c.req.path.slice(first.length + 1) || '/' : c.req.path;
  // Paths here, but other sites in a link.
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
      // In-process with the resolved context: no second pool, no forgeable header.
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
  // A read failed: 503 asks search engines and people to come back (decision 024).
  const answer = new Response(
    body,
    away && response.status === 500 ? { status: 503, headers: response.headers } : response,
  );
  if (answer.status === 503) answer.headers.set('retry-after', '2');
  const shared = c.env?.forPageCache && answer.headers.has(cacheUntilHeader);
  // Favourites of this device; those of an account are a person's.
  const own = path === '/favourites' && ctx.actor.kind === 'visitor' && !viewerUnknown;
  if ((shared || own) && answer.status === 200 && new URL(c.req.url).search === '')
    answer.headers.set('x-keep-as', keepAs(ctx.language, path));
  if (!c.env?.forPageCache) answer.headers.delete(cacheUntilHeader);
  answer.headers.append('vary', 'cookie, accept-language');
  if (!answer.headers.has('cache-control'))
    answer.headers.set('cache-control', 'private, no-cache');
  return answer;
}

/** Address under which a browser's worker may keep a public page (docs/offline.md). */
const keepAs = (language: Language, path: string): string =>
  `/${language}${path.endsWith('/') ? path.slice(0, -1) : path}`;

/** Fallback (product §10) when even the site's error page fails. */
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
