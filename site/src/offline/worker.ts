/**
 * Service worker of the market (docs/offline.md). It keeps public pages, and the scripts, fonts and
 * photos that they have loaded; without a network it shows them with their age, and it shows the
 * market's messages. It fetches no page by itself and keeps no answer of the API; of forms it holds
 * reports alone.
 */
import { CacheExpiration } from 'workbox-expiration';
import en from '../../../locales/en/offline.json';
import fr from '../../../locales/fr/offline.json';
import { datedPage, keptKey, missingPage, titleOf, unsentPage } from './pages.ts';
import { endPush, onClick, onPush, onRenewal } from './push.ts';
import { type EventOf, type PushMessage, scope } from './scope.ts';

/**
 * A page's session (lib/mark.ts), and the addresses that it had loaded before the worker was there,
 * its own first (lib/offline.ts).
 */
export type Loaded = { loaded: string[]; mark: string };

const words = { en, fr };
const day = 86_400;
const ages = {
  pages: new CacheExpiration('pages', { maxEntries: 60, maxAgeSeconds: 14 * day }),
  files: new CacheExpiration('files', { maxEntries: 150, maxAgeSeconds: 60 * day }),
  photos: new CacheExpiration('photos', { maxEntries: 150, maxAgeSeconds: 60 * day }),
};
/** A network that is there in name only is waited for that long, if the page is kept. */
const patienceMs = 10_000;
const lastLanguage = '/language';
const lastSession = '/session';

// The next navigation has the new worker, also in tabs that stay open.
void scope.skipWaiting();
scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.clients.claim());
  // The network need not wait for the worker to start.
  event.waitUntil(scope.registration.navigationPreload?.enable() ?? Promise.resolve());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (isReport(request, url)) event.respondWith(report(request, url));
  if (request.method !== 'GET') return;
  const name = cacheOf(url);
  if (request.mode === 'navigate') event.respondWith(page(event, url));
  else if (name) event.respondWith(file(event, name));
});

scope.addEventListener('message', (event) => {
  const { mark, loaded } = event.data as Partial<Loaded>;
  // Pages of the release before say something else.
  if (mark === undefined || !loaded) return;
  const acted = inSession(mark).then(() => event.ports[0]?.postMessage(''));
  event.waitUntil(acted.catch(() => {}).then(() => keepLoaded(loaded)));
});

scope.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(onPush(event.data.json() as PushMessage));
});
scope.addEventListener('notificationclick', (event) => event.waitUntil(onClick(event)));
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(onRenewal(event)));

/** Cache of what never changes under its address. */
function cacheOf({ pathname }: URL): 'files' | 'photos' | undefined {
  if (/^\/(?:_astro|fonts)\//.test(pathname)) return 'files';
  return /^\/media\/(?!cards\/)/.test(pathname) ? 'photos' : undefined;
}

/** Report forms need no script; contact and sign-in are never held here. */
const isReport = ({ method, mode }: Request, { pathname }: URL): boolean =>
  method === 'POST' &&
  mode === 'navigate' &&
  /^\/(?:report\/|connect\/[^/]+\/report$)/.test(pathname);

/** Sends a report, or offers to send it again with what was typed. */
async function report(request: Request, url: URL): Promise<Response> {
  const typed = request.clone();
  try {
    return await fetch(request);
  } catch {
    const language = await languageOf(url);
    // Not formData, which old Safaris refuse here.
    const fields = [...new URLSearchParams(await typed.text())];
    return notNow(unsentPage(url.href, fields, words[language].unsent, language));
  }
}

const notNow = (html: string): Response =>
  new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });

/** Windows whose page is public; the others' photos may be a person's. */
const publicPages = new Set<string>();

async function page(event: EventOf<'fetch'>, url: URL): Promise<Response> {
  const answer = Promise.resolve(event.preloadResponse).then(
    (early) => early ?? fetch(event.request),
  );
  const keeping = answer.then((response) => {
    if (response.headers.has('x-keep-as')) publicPages.add(event.resultingClientId);
    return keep(response);
  });
  event.waitUntil(keeping.catch(() => {}));
  const patience = new Promise<undefined>((done) => setTimeout(done, patienceMs));
  const first = await Promise.race([answer, patience]).catch(() => undefined);
  return first ?? (await dated(url)) ?? answer.catch(() => missing(url));
}

async function file(event: EventOf<'fetch'>, name: 'files' | 'photos'): Promise<Response> {
  const { request, clientId } = event;
  const kept = await (await caches.open(name)).match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status !== 200) return response;
  const copy = response.clone();
  event.waitUntil(
    (async () => {
      if (name === 'files' || (await isPublic(clientId))) await put(name, request.url, copy);
      else await copy.body?.cancel();
    })(),
  );
  return response;
}

async function isPublic(client: string): Promise<boolean> {
  const { url } = (await scope.clients.get(client)) ?? {};
  return publicPages.has(client) || (url !== undefined && (await kept(new URL(url))) !== undefined);
}

/** Keeps within the limits of a cache; on a full phone photos make room. */
async function put(name: keyof typeof ages, key: string, response: Response): Promise<void> {
  const cache = await caches.open(name);
  const again = response.clone();
  try {
    await cache.put(key, response);
  } catch {
    await caches.delete('photos');
    await ages.photos.delete();
    if (name === 'photos') return;
    await cache.put(key, again);
  }
  await ages[name].updateTimestamp(key);
  await ages[name].expireEntries();
}

/** Keeps a page that the server marks as public, under its address with the language. */
async function keep(response: Response): Promise<void> {
  const key = response.headers.get('x-keep-as');
  if (key === null || response.status !== 200) return;
  // At once, before the page reads it.
  const { body, headers: given } = response.clone();
  const headers = new Headers(given);
  // The body is unpacked.
  headers.delete('content-encoding');
  headers.delete('content-length');
  headers.set('x-kept-at', new Date().toISOString());
  await put('pages', key, new Response(body, { headers }));
  await (await caches.open('pages')).put(lastLanguage, new Response(key.slice(1, 3)));
}

/** Ends the subscription of another session, and deletes the kept favourites at a sign-in. */
async function inSession(mark: string): Promise<void> {
  const cache = await caches.open('pages');
  const last = await (await cache.match(lastSession))?.text();
  if (last === mark) return;
  await endPush();
  if (mark)
    for (const language of Object.keys(words)) await cache.delete(`/${language}/favourites`);
  await cache.put(lastSession, new Response(mark));
}

/** Keeps from the browser's own cache what the first page had loaded: no byte is fetched again. */
async function keepLoaded([page, ...files]: readonly string[]): Promise<void> {
  const ownCache = { cache: 'only-if-cached', mode: 'same-origin' } as const;
  const found = (from: string) => fetch(from, ownCache).catch(() => undefined);
  const html = page && (await found(page));
  if (html) await keep(html);
  const isKept = html ? html.headers.has('x-keep-as') : false;
  for (const from of files) {
    const url = new URL(from, location.origin);
    const name = url.origin === location.origin ? cacheOf(url) : undefined;
    const response = name && (name === 'files' || isKept) ? await found(from) : undefined;
    if (name && response?.status === 200) await put(name, url.href, response);
  }
}

/** A kept page by the address that is asked for; undefined if there is none, or it is too old. */
async function kept(url: URL): Promise<Response | undefined> {
  if (url.search !== '') return undefined;
  const key = keptKey(url.pathname, await languageOf(url));
  const found = await (await caches.open('pages')).match(key, { ignoreVary: true });
  return found && !(await ages.pages.isURLExpired(key)) ? found : undefined;
}

async function dated(url: URL): Promise<Response | undefined> {
  const found = await kept(url);
  if (!found) return undefined;
  const language = await languageOf(url);
  const at = found.headers.get('x-kept-at') ?? '';
  const html = datedPage(await found.text(), at, words[language].at, language);
  return new Response(html, { headers: found.headers });
}

async function missing(url: URL): Promise<Response> {
  await ages.pages.expireEntries();
  const cache = await caches.open('pages');
  const language = await languageOf(url);
  const links = [];
  // One after the other: whole pages are large for an old phone.
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    const found = pathname.startsWith(`/${language}`) && pathname !== lastLanguage;
    const html = found && (await (await cache.match(request, { ignoreVary: true }))?.text());
    if (html) links.push({ address: pathname, title: titleOf(html) });
  }
  return notNow(missingPage(links, words[language], language));
}

async function languageOf({ pathname }: URL): Promise<keyof typeof words> {
  const [, prefix] = /^\/(\w\w)(?=\/|$)/.exec(pathname) ?? [];
  const last = await (await (await caches.open('pages')).match(lastLanguage))?.text();
  const wanted = [prefix, last, navigator.language.slice(0, 2)];
  return wanted.find((one): one is keyof typeof words => one !== undefined && one in words) ?? 'en';
}
