import type { Context } from 'hono';
import { outageOf } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { presentRefusal, Refusal } from './errors.ts';
import { escapeHtml } from './html.ts';

/** When to come back, in seconds: a database that was started again answers within a second or two. */
export const retryAfter = '2';

/** No answer, or none in time: a reader has lost nothing, a writer has to look. */
export const overdue = (method: string, cause?: unknown): Refusal =>
  new Refusal(method === 'GET' || method === 'HEAD' ? 'unavailable' : 'unconfirmed', {}, [], { cause });

/** What is answered to an error: itself when it is a refusal, 503 when the database is away, `unexpected` for everything else. */
export function refusalOf(error: unknown, method: string): Refusal {
  if (error instanceof Refusal) return error;
  const outage = outageOf(error);
  if (outage === 'cut') return overdue(method, error);
  return new Refusal(outage ? 'unavailable' : 'unexpected', {}, [], { cause: error });
}

const headersOf = ({ status }: Refusal) => ({ 'cache-control': 'no-store', ...(status === 503 ? { 'retry-after': retryAfter } : {}) });

/** A refusal as the API answers it, or as a plain page where a person asked for one and our side has failed. */
export function answerRefusal(c: Context, refusal: Refusal, language: Language, requestId: string): Response {
  const asPage = refusal.status >= 500 && !c.req.path.startsWith('/api/') && c.req.header('accept')?.includes('text/html');
  if (asPage) return plainPage(c, refusal, language, requestId);
  return c.json(presentRefusal(refusal, language, requestId), refusal.status, headersOf(refusal));
}

/** The last resort, when the site cannot render its own error screen (connect-and-shell §2): the reader's language, nothing that could fail, no stack. */
export function plainPage(c: Context, refusal: Refusal, language: Language, requestId: string): Response {
  const say = translator(language, 'common');
  const title = escapeHtml(say(refusal.status === 503 ? 'errorScreen.title' : 'routerFallback.title'));
  const text = escapeHtml(presentRefusal(refusal, language, requestId).error.message);
  const again = c.req.method === 'GET' ? `<p><a href="${escapeHtml(c.req.path)}">${escapeHtml(say('errorScreen.tryAgain'))}</a></p>` : '';
  return new Response(
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><p>${text}</p>${again}</html>`,
    {
      status: refusal.status,
      headers: { ...headersOf(refusal), 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
    },
  );
}
