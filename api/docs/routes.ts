import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { everyone } from '../core/access.ts';
import { themes } from '../http/cookies.ts';
import { type AppEnv, route } from '../http/route.ts';
import type { OpenApi } from './openapi.ts';
import { docsPage, docsPolicy } from './page.ts';

/** The API's documentation as JSON and as a page, built on first request. */
export const docsRoutes = (describe: () => Promise<OpenApi>) => {
  let made: Promise<OpenApi> | undefined;
  const document = () => {
    made ??= describe();
    return made;
  };
  let text: string | undefined;
  const written = new Map<string, string>();
  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      route({ who: everyone, tag: 'operation', summary: 'This document' }),
      async (c) => {
        text ??= JSON.stringify(await document());
        return c.body(text, 200, { 'content-type': 'application/json' });
      },
    )
    .get(
      '/docs',
      route({ who: everyone, tag: 'operation', summary: 'This document as a page' }),
      async (c) => {
        const theme = themes.find((known) => known === getCookie(c, 'theme')) ?? 'system';
        const page = written.get(theme) ?? docsPage(await document(), theme);
        written.set(theme, page);
        return c.html(page, 200, { 'content-security-policy': docsPolicy });
      },
    );
};
