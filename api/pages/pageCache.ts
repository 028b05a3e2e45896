import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isLanguage, type Language, negotiateLanguage } from '../../locales/languages.ts';
import { type Theme, themes } from '../http/cookies.ts';
import { markCookie } from '../http/sessionMark.ts';
import { type Partition, partitionOf } from './cachedPaths.ts';

/**
 * Public HTML in memory, per language, theme, and signed-in or not (the header differs). Dropped on
 * NOTIFY, on a lost database connection, and when the page's next listing ends.
 */
export type PageCache = {
  /**
   * Undefined if the request is not cacheable.
   *
   * @param address called only for a render, which counts against it (decision 025)
   */
  respond(
    request: Request,
    address?: () => string | undefined,
  ): Response | Promise<Response> | undefined;
  /** Renders under way are answered but not cached. */
  drop(): void;
  /**
   * Renders all again, because notifications may have been missed. Old pages are served a moment
   * longer, so an unstable database does not slow every reader; updates for open pages are not.
   */
  doubt(): void;
  readonly renders: number;
  readonly hits: number;
};

/** ISO time, or `change` for until the next change. Removed before the answer leaves the server. */
export const cacheUntilHeader = 'x-cache-until';

type Options = {
  /** Renders for a visitor, in-process; may refuse an address that asks too often. */
  render: (request: Request, address: string | undefined) => Promise<Response>;
  now: () => Date;
};

type Kept = {
  until: number;
  /** First doubt; undefined while fresh. */
  doubted?: number;
  asked: boolean;
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | undefined;
  // Plain objects are validated name by name for each answer.
  headers: Headers;
  brotliHeaders: Headers;
};

type Made = {
  response: Response;
  keepable: boolean;
};

/** Cached pages serve everyone, so they must not depend on a visitor's forgeable `Host`. */
const here = 'http://localhost';
const marked = new RegExp(`(?:^|;\\s*)${markCookie}=\\w`);
const compress = promisify(brotliCompress);
const best = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
const quick = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};
/**
 * The least recently used page goes first. Separate partitions, so made-up addresses of one kind
 * cannot evict the others.
 */
const most: Record<Partition, number> = { market: 100, product: 600, shop: 200, stalls: 200 };
/** Browsers send less. */
const longestPreference = 200;
/** Younger pages are not worth their best compression. */
const settledMs = 250;
const doubtedMs = 2000;

export function createPageCache({ render, now }: Options): PageCache {
  let partitions = emptyPartitions();
  let rendering = new Map<string, Promise<Made>>();
  /** One at a time: photos and sign-ins need threads too. */
  let turn: Promise<unknown> = Promise.resolve();
  let version = 0;
  let renders = 0;
  let hits = 0;
  const languageByHeader = new Map<string, Language>();

  function browserLanguage(preferred: string | null): Language {
    if (preferred === null) return 'en';
    const header = preferred.slice(0, longestPreference);
    let language = languageByHeader.get(header);
    if (!language) {
      if (languageByHeader.size > 1000) languageByHeader.clear();
      language = negotiateLanguage(header) ?? 'en';
      languageByHeader.set(header, language);
    }
    return language;
  }

  function answer(kept: Kept, request: Request): Response {
    if (request.headers.get('if-none-match') === kept.etag)
      return new Response(null, { status: 304, headers: kept.headers });
    const accepted = request.headers.get('accept-encoding');
    const head = request.method === 'HEAD';
    if (accepted?.includes('br'))
      return new Response(head ? null : kept.brotli, { headers: kept.brotliHeaders });
    if (accepted?.includes('gzip')) {
      kept.gzip ??= new Uint8Array(gzipSync(kept.plain));
      const headers = new Headers(kept.headers);
      headers.set('content-encoding', 'gzip');
      return new Response(head ? null : kept.gzip, { headers });
    }
    return new Response(head ? null : kept.plain, { headers: kept.headers });
  }

  function keep(partition: Partition, key: string, kept: Kept): void {
    const pages = partitions[partition];
    if (pages.size >= most[partition]) pages.delete(pages.keys().next().value as string);
    pages.set(key, kept);
  }

  /**
   * The best compression takes eighty times as long, in another thread, so only pages asked for
   * twice that survived a burst of changes get it.
   */
  function compressWell(partition: Partition, key: string, kept: Kept): void {
    const pages = partitions[partition];
    kept.asked = true;
    setTimeout(() => {
      turn = turn.then(async () => {
        if (pages.get(key) !== kept || partitions[partition] !== pages) return;
        kept.brotli = new Uint8Array(await compress(kept.plain, best).catch(() => kept.brotli));
      });
    }, settledMs).unref();
  }

  async function alone(request: Request, address: string | undefined): Promise<Response> {
    const response = await render(request, address);
    response.headers.delete(cacheUntilHeader);
    return response;
  }

  async function make(
    partition: Partition,
    key: string,
    {
      path,
      language,
      theme,
      signedIn,
    }: { path: string; language: Language; theme: Theme; signedIn: boolean },
    request: Request,
    address: string | undefined,
  ): Promise<Made> {
    const startedIn = version;
    renders++;
    const headers = new Headers({
      cookie: `language=${language}; theme=${theme}${signedIn ? `; ${markCookie}=1` : ''}`,
      accept: 'text/html',
    });
    const forwarded = request.headers.get('x-forwarded-for');
    if (forwarded !== null) headers.set('x-forwarded-for', forwarded);
    const response = await render(new Request(here + path, { headers }), address);
    const until = response.headers.get(cacheUntilHeader);
    if (response.status !== 200 || until === null) return { response, keepable: false };
    const plain = new Uint8Array(await response.arrayBuffer());
    const own = Object.fromEntries(
      [...response.headers].filter(
        ([name]) =>
          ![
            'content-length',
            'content-encoding',
            'x-request-id',
            'set-cookie',
            cacheUntilHeader,
          ].includes(name),
      ),
    );
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const lasting = {
      ...own,
      etag,
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding, accept-language, cookie',
    };
    const kept: Kept = {
      until: until === 'change' ? Number.POSITIVE_INFINITY : new Date(until).getTime(),
      etag,
      plain,
      brotli: new Uint8Array(brotliCompressSync(plain, quick)),
      gzip: undefined,
      asked: false,
      headers: new Headers(lasting),
      brotliHeaders: new Headers({ ...lasting, 'content-encoding': 'br' }),
    };
    if (version === startedIn) keep(partition, key, kept);
    return { response: answer(kept, request), keepable: true };
  }

  /** Concurrent requests find the result in `rendering`. */
  function start(...given: Parameters<typeof make>): Promise<Made> {
    const [, key] = given;
    const made = make(...given);
    const shared = rendering;
    shared.set(key, made);
    return made.finally(() => shared.delete(key));
  }

  return {
    get renders() {
      return renders;
    },
    get hits() {
      return hits;
    },
    drop() {
      version++;
      partitions = emptyPartitions();
      rendering = new Map();
    },
    doubt() {
      version++;
      partitions.stalls = new Map();
      rendering = new Map();
      const time = now().getTime();
      for (const pages of [partitions.market, partitions.product, partitions.shop])
        for (const kept of pages.values()) kept.doubted ??= time;
    },
    respond(request, address = () => undefined) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      const { url } = request;
      const path = url.slice(url.indexOf('/', 8));
      const partition = partitionOf(path);
      if (!partition) return undefined;
      const cookie = request.headers.get('cookie');
      const prefix = path.slice(1, 3);
      const prefixed = isLanguage(prefix) && (path.length === 3 || path[3] === '/');
      const chosen = cookie === null ? undefined : /(?:^|;\s*)language=(\w+)/.exec(cookie)?.[1];
      const language = prefixed
        ? (prefix as Language)
        : isLanguage(chosen)
          ? chosen
          : browserLanguage(request.headers.get('accept-language'));
      const themeCookie = cookie === null ? undefined : /(?:^|;\s*)theme=(\w+)/.exec(cookie)?.[1];
      const theme = themes.find((known) => known === themeCookie) ?? 'system';
      // Updates for open pages contain no header.
      const signedIn = cookie !== null && partition !== 'stalls' && marked.test(cookie);
      const key = `${language} ${theme} ${signedIn} ${path}`;
      const wanted = { path, language, theme, signedIn };
      const pages = partitions[partition];
      const kept = pages.get(key);
      if (kept) {
        pages.delete(key);
        const time = now().getTime();
        if (kept.until > time && (kept.doubted === undefined || time - kept.doubted <= doubtedMs)) {
          // Moved to the end: the first is evicted first.
          pages.set(key, kept);
          hits++;
          if (kept.doubted !== undefined && !rendering.has(key))
            start(partition, key, wanted, request, address()).catch(() => {});
          if (!kept.asked) compressWell(partition, key, kept);
          return answer(kept, request);
        }
      }
      const under = rendering.get(key);
      // Concurrent requests ask again, or render for themselves if the answer is not shareable. A
      // failure answers all: one by one, each would wait its full deadline for a database that
      // hangs.
      if (under)
        return under.then(({ response, keepable }) =>
          response.status >= 500
            ? response.clone()
            : ((keepable ? this.respond(request, address) : undefined) ??
              alone(request, address())),
        );
      return start(partition, key, wanted, request, address()).then(({ response }) =>
        response.status >= 500 ? response.clone() : response,
      );
    },
  };
}

const emptyPartitions = (): Record<Partition, Map<string, Kept>> => ({
  market: new Map(),
  product: new Map(),
  shop: new Map(),
  stalls: new Map(),
});
