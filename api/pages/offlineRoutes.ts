import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { workerFile } from './build.ts';

const file = new URL(`../../site/dist/${workerFile}`, import.meta.url);
/** Ends itself in every browser at its next visit, with all it has kept. */
const ending = `self.addEventListener('install',()=>self.skipWaiting());self.addEventListener('activate',(event)=>event.waitUntil(caches.keys().then((names)=>Promise.all(names.map((name)=>caches.delete(name)))).then(()=>self.registration.unregister())));`;

let read: Promise<string | undefined> | undefined;
const built = () => {
  read ??= readFile(file, 'utf8').catch(() => undefined);
  return read;
};

const named = z.strictObject({ language: z._default(z.enum(languages), 'en') });
const icon = (size: number, purpose: 'any' | 'maskable') => ({
  ...{ src: `/icons/${purpose}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose },
});

/** Service worker and manifest, by which a browser keeps and installs the market (docs/offline.md). */
export const offlineRoutes = new Hono<AppEnv>()
  .get(
    '/sw.js',
    route({ who: everyone, tag: 'market', summary: 'Service worker; one that ends itself if off' }),
    async (c) => {
      const { offlinePages } = await readSettings(c.get('ctx'), ['offlinePages']);
      const worker = offlinePages ? await built() : ending;
      if (worker === undefined) throw new Refusal('notFound');
      const etag = `"${createHash('sha256').update(worker).digest('base64url').slice(0, 20)}"`;
      const headers = { 'cache-control': 'no-cache', etag };
      if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
      return c.body(worker, 200, { ...headers, 'content-type': 'text/javascript; charset=utf-8' });
    },
  )
  .get(
    '/manifest.webmanifest',
    route({ who: everyone, tag: 'market', summary: 'Name and icons of the installed market' }),
    valid('query', named),
    (c) => {
      const { language } = c.req.valid('query');
      const t = translator(language, 'common');
      return c.body(
        JSON.stringify({
          // The same application in every language.
          ...{ id: '/', start_url: '/', scope: '/', display: 'standalone', lang: language },
          ...{ name: t('brand.name'), short_name: t('brand.name') },
          description: t('brand.tagline'),
          ...{ background_color: '#f8f2e4', theme_color: '#f8f2e4' },
          icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
        }),
        200,
        {
          'content-type': 'application/manifest+json; charset=utf-8',
          'cache-control': 'public, max-age=86400',
        },
      );
    },
  );
