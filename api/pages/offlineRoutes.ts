import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { translator } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';
import { everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { readSettings } from '../settings/values.ts';
import { grounds } from '../shared/brand/colours.ts';
import { colourSheet, isColourSheet } from '../shared/brand/current.ts';
import { markPath } from '../shared/brand/mark.ts';
import { Refusal } from '../shared/errors.ts';
import { immutable, types } from './assets.ts';
import { workerFile } from './build.ts';
import { releasedFile } from './keepRelease.ts';

const unpack = promisify(brotliDecompress);

const file = new URL(`../../site/dist/${workerFile}`, import.meta.url);
/** Ends itself in every browser at its next visit, with all it has kept. */
const ending = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(
  caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.delete(name))))
    .then(() => indexedDB.deleteDatabase('workbox-expiration'))
    .then(() => self.registration.unregister())
));
`;

let read: Promise<string | undefined> | undefined;
const built = () => {
  read ??= readFile(file, 'utf8').catch(() => undefined);
  return read;
};

const named = z.strictObject({ language: z._default(z.enum(languages), 'en') });
const [paper] = grounds.light;
const iconPath = (size: 192 | 512, purpose: 'any' | 'maskable') =>
  markPath(purpose === 'any' ? `${size}` : 'maskable-512') ?? `/icons/${purpose}-${size}.png`;
const icon = (size: 192 | 512, purpose: 'any' | 'maskable') => ({
  ...{ src: iconPath(size, purpose), sizes: `${size}x${size}`, type: 'image/png', purpose },
});

/** Service worker and manifest: a browser keeps and installs the market (docs/offline.md). */
export const offlineRoutes = new Hono<AppEnv>()
  .get(
    '/sw.js',
    route({ who: everyone, tag: 'market', summary: 'Service worker; one that ends itself if off' }),
    async (c) => {
      const { offlinePages } = await readSettings(c.get('ctx'), ['offlinePages']);
      const worker = offlinePages ? await built() : ending;
      if (worker === undefined) throw new Refusal('notFound');
      // Weak, as what is compressed on its way has it.
      const etag = `W/"${createHash('sha256').update(worker).digest('base64url').slice(0, 20)}"`;
      const headers = { 'cache-control': 'no-cache', etag };
      if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
      return c.body(worker, 200, { ...headers, 'content-type': 'text/javascript; charset=utf-8' });
    },
  )
  .get(
    '/_astro/:name',
    route({
      who: everyone,
      tag: 'market',
      summary: 'The operator’s colours, or a script of the release before this one',
    }),
    async (c) => {
      const ctx = c.get('ctx');
      if (isColourSheet(c.req.path)) {
        const own = colourSheet();
        // Another address: a page from before a change, or a process that is notified later.
        const isPresent = own?.path === c.req.path;
        return c.body(own?.css ?? '', 200, {
          'content-type': types['.css'] ?? '',
          'cache-control': isPresent ? immutable : 'no-store',
        });
      }
      const packed = await releasedFile(ctx, c.req.path);
      const type = types[extname(c.req.path)];
      if (!packed || !type) throw new Refusal('notFound');
      const headers = { 'content-type': type, 'cache-control': immutable, vary: 'accept-encoding' };
      return /\bbr\b/.test(c.req.header('accept-encoding') ?? '')
        ? c.body(packed, 200, { ...headers, 'content-encoding': 'br' })
        : c.body(new Uint8Array(await unpack(packed)), 200, headers);
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
          ...{ background_color: paper, theme_color: paper },
          icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
        }),
        200,
        {
          'content-type': 'application/manifest+json; charset=utf-8',
          'cache-control': 'public, max-age=3600',
        },
      );
    },
  );
