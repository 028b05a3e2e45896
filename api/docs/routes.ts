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
  type Kept = { title: string; made: Promise<OpenApi>; text?: string; pages: Map<string, string> };
  let kept: Kept | undefined;
  /** Of the present name; a request that began before a change writes into its own. */
  const present = (): Kept => {
    const title = marketName();
    if (kept?.title !== title) kept = { title, made: describe(), pages: new Map() };
    return kept;
  };
  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      route({ who: everyone, tag: 'operation', summary: 'This document' }),
      async (c) => {
        const own = present();
        const described = await own.made;
        own.text ??= JSON.stringify(described);
        return c.body(own.text, 200, { 'content-type': 'application/json' });
      },
    )
    .get(
      '/docs',
      route({ who: everyone, tag: 'operation', summary: 'This document as a page' }),
      async (c) => {
        const { made, pages } = present();
        const described = await made;
        const theme = themes.find((known) => known === getCookie(c, 'theme')) ?? 'system';
        const page = pages.get(theme) ?? docsPage(described, theme);
        pages.set(theme, page);
        return c.html(page, 200, { 'content-security-policy': docsPolicy });
      },
    );
};
