import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isLanguage, type Language, negotiateLanguage } from '../locales/languages.ts';
import { type Theme, themes } from './core/cookies.ts';

/**
 * Public HTML in memory, answered before any router. A page is rendered once per language, theme and change, kept compressed with its
 * own headers, and thrown away by NOTIFY, by a lost database connection, and when the next listing on it ends.
 */
export type Hot = {
  /** The stored page, or nothing when the request is none that is kept: the app then answers. */
  respond(request: Request): Response | Promise<Response> | undefined;
  /** Throws everything away. What is being rendered now is answered but not kept. */
  drop(): void;
  /** The number of renders so far, for the bench and the tests. */
  readonly renders: number;
};

/** Set by pages that may be kept: until when, as an ISO time, or `change` for until something changes. It never leaves the server. */
export const hotHeader = 'x-hot-until';

type Options = {
  /** Renders a page for a visitor without a session: the app itself, in-process. */
  render: (request: Request) => Promise<Response>;
  now: () => Date;
};

type Kept = {
  until: number;
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | undefined;
  // `Headers`, not plain objects: an object is read and checked name by name for each answer.
  headers: Headers;
  brotliHeaders: Headers;
};

/** What may be kept: pages for everybody, without a query but the one that open pages ask changed stalls with. */
const public_ = /^(?:\/(?:en|fr))?\/?(?:how-it-works|shop\/[^?#]+|stalls\?ids=\d{1,2}(?:,\d{1,2})*)?$/;
const compress = promisify(brotliCompress);
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
/** More pages than the market has, in every form: a wall against addresses that somebody makes up. */
const most = 600;
/** How long a stored page must have stood before it is worth its best compression. */
const settledMs = 250;

export function createHot({ render, now }: Options): Hot {
  let pages = new Map<string, Kept>();
  let rendering = new Map<string, Promise<Response>>();
  let version = 0;
  let renders = 0;
  const languageByHeader = new Map<string, Language>();

  /** The browser's language, remembered by header: there are few different ones. */
  function browserLanguage(header: string | null): Language {
    if (header === null) return 'en';
    let language = languageByHeader.get(header);
    if (!language) {
      if (languageByHeader.size > 1000) languageByHeader.clear();
      language = negotiateLanguage(header) ?? 'en';
      languageByHeader.set(header, language);
    }
    return language;
  }

  function answer(kept: Kept, request: Request): Response {
    if (request.headers.get('if-none-match') === kept.etag) return new Response(null, { status: 304, headers: kept.headers });
    const accepted = request.headers.get('accept-encoding');
    const head = request.method === 'HEAD';
    if (accepted?.includes('br')) return new Response(head ? null : kept.brotli, { headers: kept.brotliHeaders });
    if (accepted?.includes('gzip')) {
      kept.gzip ??= new Uint8Array(gzipSync(kept.plain));
      const headers = new Headers(kept.headers);
      headers.set('content-encoding', 'gzip');
      return new Response(head ? null : kept.gzip, { headers });
    }
    return new Response(head ? null : kept.plain, { headers: kept.headers });
  }

  async function make(key: string, path: string, language: Language, theme: Theme, request: Request): Promise<Response> {
    const startedIn = version;
    renders++;
    const response = await render(new Request(new URL(path, request.url), { headers: { cookie: `language=${language}; theme=${theme}` } }));
    const until = response.headers.get(hotHeader);
    if (response.status !== 200 || until === null) return response;
    const plain = new Uint8Array(await response.arrayBuffer());
    const own = Object.fromEntries(
      [...response.headers].filter(([name]) => !['content-length', 'content-encoding', 'x-request-id', 'set-cookie', hotHeader].includes(name)),
    );
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const headers = { ...own, etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding, accept-language, cookie' };
    const kept: Kept = {
      until: until === 'change' ? Number.POSITIVE_INFINITY : new Date(until).getTime(),
      etag,
      plain,
      brotli: new Uint8Array(brotliCompressSync(plain, quick)),
      gzip: undefined,
      headers: new Headers(headers),
      brotliHeaders: new Headers({ ...headers, 'content-encoding': 'br' }),
    };
    if (version === startedIn && pages.size < most) {
      pages.set(key, kept);
      // Small now, smaller soon: the best quality takes eighty times as long, in another thread, and is begun only for a page that has
      // outlived the burst of changes it may have come from.
      setTimeout(() => {
        if (pages.get(key) !== kept) return;
        compress(plain, best).then(
          (bytes) => {
            kept.brotli = new Uint8Array(bytes);
          },
          () => {},
        );
      }, settledMs).unref();
    }
    return answer(kept, request);
  }

  return {
    get renders() {
      return renders;
    },
    drop() {
      version++;
      pages = new Map();
      rendering = new Map();
    },
    respond(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      const { url } = request;
      const path = url.slice(url.indexOf('/', 8));
      if (!public_.test(path)) return undefined;
      const cookie = request.headers.get('cookie');
      const prefix = path.slice(1, 3);
      const prefixed = isLanguage(prefix) && (path.length === 3 || path[3] === '/');
      const chosen = cookie === null ? undefined : /(?:^|;\s*)language=(en|fr)/.exec(cookie)?.[1];
      const language = prefixed ? (prefix as Language) : isLanguage(chosen) ? chosen : browserLanguage(request.headers.get('accept-language'));
      const themeCookie = cookie === null ? undefined : /(?:^|;\s*)theme=(\w+)/.exec(cookie)?.[1];
      const theme = themes.find((known) => known === themeCookie) ?? 'system';
      const key = `${language} ${theme} ${path}`;
      const kept = pages.get(key);
      if (kept) {
        if (kept.until > now().getTime()) return answer(kept, request);
        pages.delete(key);
      }
      const under = rendering.get(key);
      // The first one renders; the others of the same moment ask again when it is done. What failed is the answer for all of them: one after
      // the other they would wait for a database that hangs, each for the whole patience of a request.
      if (under) return under.then((first) => (first.status >= 500 ? first.clone() : (this.respond(request) ?? render(request))));
      const made = make(key, path, language, theme, request);
      const shared = rendering;
      shared.set(key, made);
      return made.then((first) => (first.status >= 500 ? first.clone() : first)).finally(() => shared.delete(key));
    },
  };
}
