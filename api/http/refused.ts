import { createHash } from 'node:crypto';
import { translator } from '../../locales/index.ts';
import {
  defaultLanguage,
  isLanguage,
  type Language,
  negotiateLanguage,
} from '../../locales/languages.ts';
import { presentRefusal, type Refusal } from '../shared/errors.ts';
import { escapeHtml } from '../shared/html.ts';
import { publicMessage } from '../shared/redact.ts';

const css =
  ':root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.25rem}h1{font-size:1.5rem}a{color:inherit}code{overflow-wrap:anywhere}';
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Request data that picks the error response's format. */
export type Asker = { path: string; accept: string | null; language: Language; requestId: string };

/** The API's documentation is a page for people. */
const isApi = (path: string) =>
  path === '/api' || (path.startsWith('/api/') && path !== '/api/docs');

/** A page without the site's assets, for when the site cannot be rendered. */
function barePage(
  language: Language,
  {
    status,
    title,
    sentences,
    detail,
    again,
  }: {
    status: number;
    title: string;
    sentences: readonly string[];
    detail?: string;
    again: string | undefined;
  },
  headers: Record<string, string> = {},
): Response {
  const text = [
    ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    ...(detail ? [`<p><code lang="en">${escapeHtml(detail)}</code></p>`] : []),
  ].join('');
  const say = translator(language, 'common');
  const link = (path: string, key: 'errorScreen.tryAgain' | 'errorScreen.goHome') =>
    `<p><a href="${escapeHtml(path)}">${escapeHtml(say(key))}</a></p>`;
  const ways = `${again === undefined ? '' : link(again, 'errorScreen.tryAgain')}${link(`/${language}`, 'errorScreen.goHome')}`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${css}</style>`;
  return new Response(
    `<!doctype html><html lang="${language}"><head>${head}</head><body><main><h1>${escapeHtml(title)}</h1>${text}${ways}</main></body></html>`,
    {
      status,
      headers: {
        ...headers,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
      },
    },
  );
}

const titles: Record<number, 'notFound.title' | 'tooManyRequests'> = {
  404: 'notFound.title',
  429: 'tooManyRequests',
};

/**
 * Answers with a refusal: JSON for the API and programs, a page for people. `unexpected` shows the
 * error's public message (product §10).
 */
export function refused(refusal: Refusal, { path, accept, language, requestId }: Asker): Response {
  const body = presentRefusal(refusal, language, requestId);
  const headers = {
    'x-request-id': requestId,
    ...(refusal.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }),
  };
  if (isApi(path) || !accept?.includes('text/html'))
    return Response.json(body, {
      status: refusal.status,
      headers: { ...headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    });
  const uncaught = refusal.code === 'unexpected';
  const title = translator(
    language,
    'common',
  )(uncaught ? 'routerFallback.title' : (titles[refusal.status] ?? 'errorScreen.title'));
  const sentences = [
    body.error.message,
    ...(body.error.fields ?? []).map(({ message }) => message),
  ];
  const detail = uncaught && refusal.cause !== undefined ? publicMessage(refusal.cause) : '';
  return barePage(
    language,
    {
      status: refusal.status,
      title,
      sentences,
      detail,
      again: refusal.status >= 500 ? path : undefined,
    },
    headers,
  );
}

/**
 * Reads a request that never reached the app; its URL may be invalid, so only headers and path
 * prefix are used.
 */
export function askerOf(request: Request, requestId: string): Asker {
  const [, path = '/'] = /^(?:[a-z]+:\/\/[^/]*)?(\/[^?#]*)/i.exec(request.url) ?? [];
  const prefix = path.split('/')[1];
  const language = isLanguage(prefix)
    ? prefix
    : (negotiateLanguage(request.headers.get('accept-language')) ?? defaultLanguage);
  return { path, accept: request.headers.get('accept'), language, requestId };
}
