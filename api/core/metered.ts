import type { Hono } from 'hono';
import type { AppEnv } from './http.ts';
import type { Metrics } from './metrics.ts';

type Fetch = (request: Request, env?: AppEnv['Bindings']) => Response | Promise<Response>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The first word of a page's path, after its language. Any other word is one that somebody made up. */
const pages = new Set([
  'how-it-works',
  'shop',
  'stalls',
  'contact',
  'seller',
  'admin',
  'connect',
  'account',
  'sign-in',
  'demo',
]);

/** A route by its pattern, a page by the part of the site that it is in, and one name for everything that is neither. */
export function routeLabel(
  app: Hono<AppEnv>,
  method: string,
  address: string,
  isLanguage: (word: string) => boolean,
): string {
  if (!URL.canParse(address)) return 'none';
  const { pathname } = new URL(address);
  const [handlers] = app.router.match(method === 'HEAD' ? 'GET' : method, pathname);
  const route = handlers.find(([[, entry]]) => entry.method !== 'ALL');
  if (route) return route[0][1].path;
  if (pathname.startsWith('/api/') || (method !== 'GET' && method !== 'HEAD')) return 'none';
  const words = pathname.split('/').filter(Boolean);
  const [first] = isLanguage(words[0] ?? '') ? words.slice(1) : words;
  return first === undefined ? 'page /' : pages.has(first) ? `page /${first}` : 'page';
}

/** Counts each request with its answer. What a page asks within the process is part of that page's own. */
export function metered(
  answer: Fetch,
  { requests, requestSeconds }: Metrics,
  label: (method: string, address: string) => string,
): Fetch {
  return async (request, env) => {
    if (env?.ctx) return answer(request, env);
    const started = performance.now();
    let status = 500;
    try {
      const response = await answer(request, env);
      status = response.status;
      return response;
    } finally {
      const route = label(request.method, request.url);
      requests.inc({
        method: methods.has(request.method) ? request.method : 'other',
        route,
        status,
      });
      requestSeconds.observe({ route }, (performance.now() - started) / 1000);
    }
  };
}
