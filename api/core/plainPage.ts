import type { Language } from '../../locales/languages.ts';
import { escapeHtml } from './html.ts';

/** A page that needs nothing: what is said when the site's own pages cannot be, or must not be, written. */
export function plainPage(language: Language, { status, title, text }: { status: number; title: string; text: string }, headers: HeadersInit = {}): Response {
  const body = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>`;
  const answer = new Response(body, { status, headers });
  answer.headers.set('content-type', 'text/html; charset=utf-8');
  answer.headers.set('cache-control', 'no-store');
  answer.headers.set('content-security-policy', "default-src 'none'");
  return answer;
}
