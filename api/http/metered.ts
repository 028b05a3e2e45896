import type { Hono } from 'hono';
import type { Metrics } from '../ops/metrics.ts';
import type { AppEnv } from './route.ts';

type Fetch = (request: Request, env?: AppEnv['Bindings']) => Response | Promise<Response>;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** First words of page paths; counting any other would let strangers create labels. */
const pages = new Set([
  'how-it-works',
  'privacy',
  'terms',
  'shop',
  'stalls',
  'contact',
  'seller',
  'admin',
  'connect',
  'account',
  'favourites',
  'alerts',
  'sign-in',
  'demo',
]);

/** The metrics label: a route's pattern, a page's section, or one name for the rest. */
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

/** Counts requests and times; in-process calls belong to their page. */
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
