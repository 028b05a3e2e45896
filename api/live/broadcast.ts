import type { Live, News } from './listener.ts';
import { byContent, createVersions, type Versions } from './versions.ts';

const publicKinds = new Set<News['kind']>(['slot', 'product', 'seller', 'settings']);
export const isPublic = (news: News): boolean => publicKinds.has(news.kind);

/** Market pages do not receive these, so their cached HTML stays valid. */
export const isForConnect = (news: News): boolean => news.kind === 'post';

export const isForAdmins = (news: News): boolean => news.kind !== 'access';

export const heartbeatMs = 20_000;
/**
 * A change goes to so many pages at a time. All of them fetch it at once, and thousands of new
 * connections in one moment overflow the socket's queue (512), which delays them by seconds.
 */
const pagesAtOnce = 50;
const groupEveryMs = 50;

type Subscription = { owner?: string | undefined; onEnd?: () => void };

export type Broadcast = {
  /**
   * @param since version of the page; missed changes come first
   * @param subscription session that ends the stream (public pages have none), and a callback at
   * its end
   */
  open(since?: string, subscription?: Subscription): ReadableStream<Uint8Array>;
  owners(): string[];
  end(owner: string): void;
  /** See {@link Versions}. */
  begin: Versions['begin'];
  readonly listeners: number;
  close(): void;
};

/**
 * Sends server-sent events to every open page (product §4 Home data freshness), encoded once for
 * all; a closed page is dropped at the next write.
 * @param hears filter of changes, see {@link isForAdmins}
 * @param versionOf names page versions (`versions.ts`)
 * @param opened called for each new stream with an owner
 */
export function createBroadcast(
  live: Live,
  hears: (news: News) => boolean = isPublic,
  versionOf = byContent,
  opened: () => void = () => {},
): Broadcast {
  type Page = ReadableStreamDefaultController<Uint8Array>;
  const pages = new Map<Page, Subscription>();
  const versions = createVersions(versionOf);
  const encoder = new TextEncoder();
  const event = (change: string) => `event: change\ndata: ${change}\n\n`;
  const send = (text: string, to: Iterable<Page> = pages.keys()) => {
    const bytes = encoder.encode(text);
    for (const page of to) {
      if (!pages.has(page)) continue;
      try {
        page.enqueue(bytes);
      } catch {
        forget(page);
      }
    }
  };
  const forget = (page: Page) => {
    const subscription = pages.get(page);
    if (pages.delete(page)) subscription?.onEnd?.();
  };
  const close = (page: Page) => {
    forget(page);
    try {
      page.close();
    } catch {
      // Already closed.
    }
  };
  /** Changes collected during a round; undefined outside one. */
  let gathered: Set<string> | undefined;
  let nextGroup: ReturnType<typeof setTimeout> | undefined;
  const tell = (change: string) => {
    versions.changed(change);
    if (gathered) gathered.add(change);
    else announce([change]);
  };
  /** Sends changes to one group of pages after the other, then those that came meanwhile. */
  const announce = (changes: string[]) => {
    const text = changes.map(event).join('');
    const waiting = [...pages.keys()];
    gathered = new Set();
    const group = () => {
      send(text, waiting.splice(0, pagesAtOnce));
      if (waiting.length > 0) {
        nextGroup = setTimeout(group, groupEveryMs);
        nextGroup.unref?.();
        return;
      }
      const later = [...(gathered ?? [])];
      gathered = undefined;
      if (later.length > 0) announce(later);
    };
    group();
  };
  const timer = setInterval(() => send(': \n\n'), heartbeatMs);
  const stops = [
    live.subscribe((news) => {
      if (hears(news)) tell(`${news.kind}:${news.id}`);
    }),
    // Changes may be lost while the database is away: pages reload.
    live.onResume(() => tell('all:')),
  ];
  return {
    begin: versions.begin,
    open(since, subscription = {}) {
      let own: Page | undefined;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          pages.set(controller, subscription);
          // The first bytes open the stream. Random retry, so that pages do not return at once; the
          // id comes back with it (routes.ts).
          const missed = since === undefined ? [] : versions.since(since);
          controller.enqueue(
            encoder.encode(
              `id: stood\nretry: ${3000 + Math.round(Math.random() * 3000)}\n\n${missed.map(event).join('')}`,
            ),
          );
          // The session may have ended since the request was authorised.
          if (subscription.owner !== undefined) opened();
        },
        cancel() {
          if (own) forget(own);
        },
      });
    },
    owners: () => [...new Set([...pages.values()].flatMap(({ owner }) => owner ?? []))],
    end(owner) {
      for (const [page, subscription] of [...pages]) if (subscription.owner === owner) close(page);
    },
    get listeners() {
      return pages.size;
    },
    close() {
      clearInterval(timer);
      for (const stop of stops) stop();
      clearTimeout(nextGroup);
      for (const page of [...pages.keys()]) close(page);
    },
  };
}
