import { markCookie } from '../http/sessionMark.ts';
import type { Partition } from './cachedPaths.ts';
import { answerWith, cacheUntilHeader, compressBest, type Kept, keptPage } from './keptPage.ts';
import { type Wanted, wantedOf } from './pageKey.ts';

type Options = {
  /** Renders for a visitor, in-process; may refuse an address that asks too often. */
  render: (request: Request, address: string | undefined) => Promise<Response>;
  now: () => Date;
};

type Made = {
  response: Response;
  keepable: boolean;
};

/**
 * The least recently used page goes first. Separate partitions, so made-up addresses of one kind
 * cannot evict the others.
 */
const most: Record<Partition, number> = { market: 100, product: 600, shop: 200, stalls: 200 };
/** Younger pages are not worth their best compression. */
const settledMs = 250;
const doubtedMs = 2000;

/**
 * Public HTML in memory, per language, theme, and signed-in or not (the header differs). Dropped on
 * NOTIFY, on a lost database connection, and when the page's next listing ends.
 */
export class PageCache {
  #render: Options['render'];
  #now: () => Date;
  #partitions = emptyPartitions();
  #rendering = new Map<string, Promise<Made>>();
  /** One at a time: photos and sign-ins need threads too. */
  #turn: Promise<unknown> = Promise.resolve();
  #version = 0;
  renders = 0;
  hits = 0;

  constructor({ render, now }: Options) {
    this.#render = render;
    this.#now = now;
  }

  /** Renders under way are answered but not cached. */
  drop(): void {
    this.#version++;
    this.#partitions = emptyPartitions();
    this.#rendering = new Map();
  }

  /**
   * Renders all again, because notifications may have been missed. Old pages are served a moment
   * longer, so an unstable database does not slow every reader; updates for open pages are not.
   */
  doubt(): void {
    this.#version++;
    this.#partitions.stalls = new Map();
    this.#rendering = new Map();
    const time = this.#now().getTime();
    const { market, product, shop } = this.#partitions;
    for (const pages of [market, product, shop])
      for (const kept of pages.values()) kept.doubted ??= time;
  }

  /**
   * Undefined if the request is not cacheable.
   *
   * @param address called only for a render, which counts against it (decision 059)
   */
  respond(
    request: Request,
    address: () => string | undefined = () => undefined,
  ): Response | Promise<Response> | undefined {
    const wanted = wantedOf(request);
    if (!wanted) return undefined;
    const known = this.#stored(wanted, request, address);
    if (known) return known;
    const under = this.#rendering.get(wanted.key);
    // Concurrent requests ask again, or render for themselves if the answer is not shareable. A
    // failure answers all: one by one, each would wait its full deadline for a database that hangs.
    if (under)
      return under.then(({ response, keepable }) =>
        response.status >= 500
          ? response.clone()
          : ((keepable ? this.respond(request, address) : undefined) ??
            this.#alone(request, address())),
      );
    return this.#start(wanted, request, address()).then(({ response }) =>
      response.status >= 500 ? response.clone() : response,
    );
  }

  /** A stored page that is fresh enough; renders a doubted one again behind it. */
  #stored(
    wanted: Wanted,
    request: Request,
    address: () => string | undefined,
  ): Response | undefined {
    const pages = this.#partitions[wanted.partition];
    const kept = pages.get(wanted.key);
    if (!kept) return undefined;
    pages.delete(wanted.key);
    const time = this.#now().getTime();
    if (kept.until <= time || (kept.doubted !== undefined && time - kept.doubted > doubtedMs))
      return undefined;
    // Moved to the end: the first is evicted first.
    pages.set(wanted.key, kept);
    this.hits++;
    if (kept.doubted !== undefined && !this.#rendering.has(wanted.key))
      this.#start(wanted, request, address()).catch(() => {});
    if (!kept.asked) this.#compressWell(wanted, kept);
    return answerWith(kept, request);
  }

  /** Concurrent requests find the result in `#rendering`. */
  #start(wanted: Wanted, request: Request, address: string | undefined): Promise<Made> {
    const made = this.#make(wanted, request, address);
    const shared = this.#rendering;
    shared.set(wanted.key, made);
    return made.finally(() => shared.delete(wanted.key));
  }

  async #make(wanted: Wanted, request: Request, address: string | undefined): Promise<Made> {
    const startedIn = this.#version;
    this.renders++;
    const response = await this.#render(requestFor(wanted, request), address);
    const kept = await keptPage(response);
    if (!kept) return { response, keepable: false };
    if (this.#version === startedIn) {
      const pages = this.#partitions[wanted.partition];
      if (pages.size >= most[wanted.partition]) pages.delete(pages.keys().next().value as string);
      pages.set(wanted.key, kept);
    }
    return { response: answerWith(kept, request), keepable: true };
  }

  async #alone(request: Request, address: string | undefined): Promise<Response> {
    const response = await this.#render(request, address);
    response.headers.delete(cacheUntilHeader);
    return response;
  }

  /** Only pages asked for twice that survived a burst of changes are worth it. */
  #compressWell({ partition, key }: Wanted, kept: Kept): void {
    const pages = this.#partitions[partition];
    kept.asked = true;
    setTimeout(() => {
      this.#turn = this.#turn.then(async () => {
        if (pages.get(key) === kept && this.#partitions[partition] === pages)
          await compressBest(kept);
      });
    }, settledMs).unref();
  }
}

/** Stored pages serve everyone, so they must not depend on a visitor's forgeable `Host`. */
const here = 'http://localhost';

/** Renders for a visitor with these cookies only. */
function requestFor({ path, language, theme, signedIn }: Wanted, request: Request): Request {
  const headers = new Headers({
    cookie: `language=${language}; theme=${theme}${signedIn ? `; ${markCookie}=1` : ''}`,
    accept: 'text/html',
  });
  const forwarded = request.headers.get('x-forwarded-for');
  if (forwarded !== null) headers.set('x-forwarded-for', forwarded);
  return new Request(here + path, { headers });
}

const emptyPartitions = (): Record<Partition, Map<string, Kept>> => ({
  market: new Map(),
  product: new Map(),
  shop: new Map(),
  stalls: new Map(),
});
