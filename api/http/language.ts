import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import {
  defaultLanguage,
  isLanguage,
  type Language,
  negotiateLanguage,
} from '../../locales/languages.ts';

/**
 * In this order: address, the island's page, the person's choice, browser, English (product R40).
 */
export function languageOf(c: Context): Language {
  const prefix = c.req.path.split('/')[1];
  if (isLanguage(prefix)) return prefix;
  const page = c.req.header('x-language') ?? c.req.query('language');
  if (isLanguage(page)) return page;
  const chosen = getCookie(c, 'language');
  if (isLanguage(chosen)) return chosen;
  return negotiateLanguage(c.req.header('accept-language')) ?? defaultLanguage;
}
