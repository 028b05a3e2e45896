import type { Live, News } from '../core/live.ts';
import { byContent, createVersions, type Versions } from './versions.ts';

/** What open pages of the public hear about: a change of what they show. */
const publicKinds = new Set<News['kind']>(['slot', 'product', 'seller', 'settings']);
export const isPublic = (news: News): boolean => publicKinds.has(news.kind);

/** What open feeds of Connect hear about; the market's pages do not, and stay as they are stored. */
export const isForConnect = (news: News): boolean => news.kind === 'post';

/** What an admin's screens hear about. */
export const isForAdmins = (news: News): boolean => news.kind !== 'access';

export const heartbeatMs = 20_000;
/** After each telling the market rests a millisecond for so many open pages, which is some times as long as telling them took, and never longer than this. */
const pagesToldInMs = 40;
const longestRestMs = 400;

type Subscription = { owner?: string | undefined; onEnd?: () => void };

export type Broadcast = {
  /**
   * A new open page: the stream of its server-sent events.
   * @param since the version that the page shows: what it missed comes first
   * @param subscription the session that the stream ends with (a page of the public has none), and what is called once when the page is gone
   */
  open(since?: string, subscription?: Subscription): ReadableStream<Uint8Array>;
  /** The sessions that streams are open for. */
  owners(): string[];
  /** Ends the streams of a session. */
  end(owner: string): void;
  /** Begins a page that will open a stream: see {@link Versions}. */
  begin: Versions['begin'];
  readonly listeners: number;
  close(): void;
};

/**
 * Server-sent events to every open page (product §4 Home data freshness). An event is encoded once, however many pages are open,
 * and one timer keeps all streams alive; a page that is gone is forgotten at the next write.
 * @param hears which news these pages are told: the public's unless said otherwise; see also {@link isForAdmins}
 * @param versionOf how the versions of these pages are named (`versions.ts`)
 * @param opened told of each new stream that has an owner
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
  const send = (text: string) => {
    const bytes = encoder.encode(text);
    for (const page of pages.keys()) {
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
      // Already gone.
    }
  };
  /** What came during the rest after the last telling; nothing while there is none. */
  let gathered: Set<string> | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const tell = (change: string) => {
    versions.changed(change);
    if (gathered) gathered.add(change);
    else announce([change]);
  };
  /** Tells of some changes at once, and rests as the number of pages asks for: a flood of news must not take the processor from its readers. */
  const announce = (changes: string[]) => {
    send(changes.map(event).join(''));
    const rest = Math.min(pages.size / pagesToldInMs, longestRestMs);
    if (rest < 1) return;
    gathered = new Set();
    resting = setTimeout(() => {
      const waiting = [...(gathered ?? [])];
      gathered = undefined;
      if (waiting.length > 0) announce(waiting);
    }, rest);
    resting.unref?.();
  };
  const timer = setInterval(() => send(': \n\n'), heartbeatMs);
  const stops = [
    live.subscribe((news) => {
      if (hears(news)) tell(`${news.kind}:${news.id}`);
    }),
    // Something may have been missed while the database was away: open pages look again.
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
          // The first bytes tell the browser that the stream stands; after a loss it waits three to six seconds, not all at one moment, and
          // then sends the id along (routes.ts).
          const missed = since === undefined ? [] : versions.since(since);
          controller.enqueue(
            encoder.encode(
              `id: stood\nretry: ${3000 + Math.round(Math.random() * 3000)}\n\n${missed.map(event).join('')}`,
            ),
          );
          // Its session may have ended between the request's own check and this moment.
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
      clearTimeout(resting);
      for (const page of [...pages.keys()]) close(page);
    },
  };
}
