import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isLanguage, type Language, negotiateLanguage } from '../locales/languages.ts';
import { type Partition, partitionOf } from './cachedPaths.ts';
import { type Theme, themes } from './core/cookies.ts';
import { markCookie } from './core/mark.ts';

/**
 * Public HTML in memory, answered before any router. A page is rendered once per language, theme and change, and once more for those who are signed
 * in, whose header says so; kept compressed with its own headers, and thrown away by NOTIFY, by a lost database connection, and when the next listing on it ends.
 */
export type PageCache = {
  /**
   * The stored page, or nothing when the request is none that is kept: the app then answers.
   * @param address whose connection it is; asked only when the page must be rendered, since that counts (decision 025)
   */
  respond(
    request: Request,
    address?: () => string | undefined,
  ): Response | Promise<Response> | undefined;
  /** Throws everything away. What is being rendered now is answered but not kept. */
  drop(): void;
  /**
   * Renders everything again, because news may have been missed. Pages are shown for a moment longer meanwhile, so that a
   * database that loses connections all the time does not make each reader wait; what open pages ask for is not.
   */
  doubt(): void;
  /** The number of renders so far, and of answers from memory. */
  readonly renders: number;
  readonly hits: number;
};

/** Set by pages that may be kept: until when, as an ISO time, or `change` for until something changes. It never leaves the server. */
export const cacheUntilHeader = 'x-cache-until';

type Options = {
  /** Renders a page for a visitor without a session: the app itself, in-process. It may refuse an address that asks for too many. */
  render: (request: Request, address: string | undefined) => Promise<Response>;
  now: () => Date;
};

type Kept = {
  until: number;
  /** When the page was first doubted; undefined while it is known to be fresh. */
  doubted?: number;
  /** True once it was answered from memory. */
  asked: boolean;
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  brotli: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer> | undefined;
  // `Headers`, not plain objects: an object is read and checked name by name for each answer.
  headers: Headers;
  brotliHeaders: Headers;
};

type Made = {
  response: Response /** Whether others may have the same answer. */;
  keepable: boolean;
};

/** What is kept is rendered for everybody, so nothing of one visitor's request goes into it: not the `Host`, which anybody can make up. */
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
 * How many pages each partition keeps; then the one not asked for longest goes. One partition each, so that nobody who makes up addresses of one kind
 * pushes out the others. The market's own are few by themselves.
 */
const most: Record<Partition, number> = { market: 100, product: 600, stalls: 200 };
/** No browser asks for languages at greater length; the rest of a header is not looked at. */
const longestPreference = 200;
/** How long a stored page must have stood before it is worth its best compression. */
const settledMs = 250;
/** How long a doubted page may still be shown. */
const doubtedMs = 2000;

export function createPageCache({ render, now }: Options): PageCache {
  let partitions = emptyPartitions();
  let rendering = new Map<string, Promise<Made>>();
  /** One best compression at a time: it takes a thread, of which photos and sign-ins want some too. */
  let turn: Promise<unknown> = Promise.resolve();
  let version = 0;
  let renders = 0;
  let hits = 0;
  const languageByHeader = new Map<string, Language>();

  /** The browser's language, remembered by header: there are few different ones. */
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
   * Small now, smaller soon: the best quality takes eighty times as long, in another thread, and is begun only for a page that
   * was asked for twice and has outlived the burst of changes it may have come from.
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

  /** For one asker alone, who may be signed in. */
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

  /** Renders a page; those who ask for it meanwhile find it in `rendering`. */
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
      for (const pages of [partitions.market, partitions.product])
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
      // Stalls that an open page asks for have no header.
      const signedIn = cookie !== null && partition !== 'stalls' && marked.test(cookie);
      const key = `${language} ${theme} ${signedIn} ${path}`;
      const wanted = { path, language, theme, signedIn };
      const pages = partitions[partition];
      const kept = pages.get(key);
      if (kept) {
        pages.delete(key);
        const time = now().getTime();
        if (kept.until > time && (kept.doubted === undefined || time - kept.doubted <= doubtedMs)) {
          // The newest stands last: what nobody asks for any more is the first to go.
          pages.set(key, kept);
          hits++;
          if (kept.doubted !== undefined && !rendering.has(key))
            start(partition, key, wanted, request, address()).catch(() => {});
          if (!kept.asked) compressWell(partition, key, kept);
          return answer(kept, request);
        }
      }
      const under = rendering.get(key);
      // The first one renders; the others of the same moment ask again when it is done, or for themselves where its answer is nobody else's.
      // What failed is the answer for all of them: one after the other they would wait for a database that hangs, each for the whole
      // patience of a request.
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
  stalls: new Map(),
});
