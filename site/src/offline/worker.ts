/**
 * Service worker of the market (docs/offline.md). It keeps public pages, and the scripts, fonts and
 * photos that they have loaded; without a network it shows them with their age. It fetches nothing
 * by itself, and never touches the API, event streams or forms.
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response';
import { clientsClaim } from 'workbox-core';
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import en from '../../../locales/en/offline.json';
import fr from '../../../locales/fr/offline.json';
import { addressOf, datedPage, type Kept, keptKey, missingPage } from './pages.ts';

// The compiler knows the names of pages, not those of workers.
declare const self: {
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'message',
    listener: (event: { data: Loaded; waitUntil: (work: Promise<unknown>) => void }) => void,
  ): void;
};

/** What a page had loaded before the worker was there (lib/offline.ts). */
export type Loaded = { page: string; files: string[]; signedIn: boolean };

const words = { en, fr };
const pages = 'pages';
const day = 86_400;
const pagesAge = new CacheExpiration(pages, { maxEntries: 60, maxAgeSeconds: 14 * day });
/** A network that is there in name only is waited for that long, if the page is kept. */
const patienceMs = 10_000;
/** Entry of the language that was read last. */
const lastLanguage = '/language';

const immutable = (cacheName: string, maxEntries: number) =>
  new CacheFirst({
    cacheName,
    plugins: [
      new CacheableResponsePlugin({ statuses: [200] }),
      new ExpirationPlugin({ maxEntries, maxAgeSeconds: 60 * day, purgeOnQuotaError: true }),
    ],
  });
const [files, photos] = [immutable('files', 120), immutable('photos', 150)];
const strategyOf = ({ origin, pathname }: URL) => {
  if (origin !== location.origin) return undefined;
  if (/^\/(?:_astro|fonts)\//.test(pathname)) return files;
  return /^\/media\/(?!cards\/)/.test(pathname) ? photos : undefined;
};

// The next navigation has the new worker, also in tabs that stay open.
void self.skipWaiting();
clientsClaim();

registerRoute(
  ({ url, request }) => request.mode !== 'navigate' && strategyOf(url) !== undefined,
  async ({ url, request, event }) =>
    (await strategyOf(url)?.handle({ request, event })) ?? Response.error(),
);
registerRoute(
  ({ request }) => request.mode === 'navigate',
  async ({ url, request, event }) => {
    const answer = fetch(request);
    event.waitUntil(answer.then(keep).catch(() => {}));
    const patience = new Promise<undefined>((done) => setTimeout(done, patienceMs));
    const first = await Promise.race([answer, patience]).catch(() => undefined);
    if (first) return first;
    const kept = await keptPage(url);
    if (kept) return kept;
    return answer.catch(() => missing(url));
  },
);

self.addEventListener('message', (event) => event.waitUntil(keepLoaded(event.data)));

/** Keeps a page that the server marks as public, under its address with the language. */
async function keep(response: Response): Promise<void> {
  const key = response.headers.get('x-keep-as');
  if (key === null || response.status !== 200) return;
  // At once, before the page reads it.
  const copy = response.clone();
  const cache = await caches.open(pages);
  await cache.put(key, copy);
  await cache.put(lastLanguage, new Response(key.slice(1, 3)));
  await pagesAge.updateTimestamp(addressOf(key));
  await pagesAge.expireEntries();
}

/** Keeps from the browser's own cache what the first page had loaded: no byte is fetched again. */
async function keepLoaded({ page, files: loaded, signedIn }: Loaded): Promise<void> {
  const cache = await caches.open(pages);
  // The list of this device is not that of whoever signs in on it.
  if (signedIn)
    for (const language of Object.keys(words)) await cache.delete(`/${language}/favourites`);
  const cached = { cache: 'only-if-cached', mode: 'same-origin' } as const;
  const html = await fetch(page, cached).catch(() => undefined);
  if (html) await keep(html);
  for (const address of loaded) {
    const strategy = strategyOf(new URL(address, location.origin));
    if (!strategy) continue;
    const found = await fetch(address, cached).catch(() => undefined);
    if (found?.status === 200) await (await caches.open(strategy.cacheName)).put(address, found);
  }
}

async function keptPage(url: URL): Promise<Response | undefined> {
  const cache = await caches.open(pages);
  const language = await languageOf(url);
  const kept = await cache.match(keptKey(url.pathname, language), { ignoreVary: true });
  if (!kept) return undefined;
  const headers = new Headers(kept.headers);
  // The body is unpacked.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const at = new Date(headers.get('date') ?? '');
  return new Response(datedPage(await kept.text(), at, words[language].at, language), { headers });
}

async function missing(url: URL): Promise<Response> {
  const cache = await caches.open(pages);
  const language = await languageOf(url);
  const keys = (await cache.keys())
    .map(({ url: key }) => new URL(key).pathname)
    .filter((key) => key.startsWith(`/${language}`));
  const kept = await Promise.all(
    keys.map(async (address): Promise<Kept> => {
      const page = await cache.match(address, { ignoreVary: true });
      return { address, html: (await page?.text()) ?? '' };
    }),
  );
  return new Response(missingPage(kept, words[language], language), {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

async function languageOf({ pathname }: URL): Promise<keyof typeof words> {
  const [, prefix] = /^\/(\w\w)(?=\/|$)/.exec(pathname) ?? [];
  const cache = await caches.open(pages);
  const last = await (await cache.match(lastLanguage))?.text();
  const wanted = [prefix, last, navigator.language.slice(0, 2)];
  return wanted.find((one): one is keyof typeof words => one !== undefined && one in words) ?? 'en';
}
