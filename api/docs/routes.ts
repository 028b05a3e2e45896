import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { marketName } from '../../locales/index.ts';
import { everyone } from '../core/access.ts';
import { themes } from '../http/cookies.ts';
import { type AppEnv, route } from '../http/route.ts';
import type { OpenApi } from './openapi.ts';
import { docsPage, docsPolicy } from './page.ts';

/** The API's documentation as JSON and as a page, built on first request. */
export const docsRoutes = (describe: () => Promise<OpenApi>) => {
  let title = '';
  let made: Promise<OpenApi> | undefined;
  let text: string | undefined;
  const written = new Map<string, string>();
  const document = () => {
    if (title !== marketName()) {
      title = marketName();
      made = text = undefined;
      written.clear();
    }
    made ??= describe();
    return made;
  };
  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      route({ who: everyone, tag: 'operation', summary: 'This document' }),
      async (c) => {
        const described = await document();
        text ??= JSON.stringify(described);
        return c.body(text, 200, { 'content-type': 'application/json' });
      },
    )
    .get(
      '/docs',
      route({ who: everyone, tag: 'operation', summary: 'This document as a page' }),
      async (c) => {
        const described = await document();
        const theme = themes.find((known) => known === getCookie(c, 'theme')) ?? 'system';
        const page = written.get(theme) ?? docsPage(described, theme);
        written.set(theme, page);
        return c.html(page, 200, { 'content-security-policy': docsPolicy });
      },
    );
};
