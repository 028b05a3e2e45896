import type { Live, News } from '../core/live.ts';
import { byContent, createVersions, type Versions } from './versions.ts';

/** What open pages of the public hear about: a change of what they show. */
const publicKinds = new Set<News['kind']>(['slot', 'product', 'seller', 'settings']);
export const isPublic = (news: News): boolean => publicKinds.has(news.kind);

/** What an admin's screens hear about. */
export const isForAdmins = (news: News): boolean => news.kind !== 'access';

export const heartbeatMs = 20_000;

export type Broadcast = {
  /**
   * A new open page: the stream of its server-sent events.
   * @param since the version that the page shows: what it missed comes first
   * @param owner the session that the line ends with; a page of the public has none
   */
  open(since?: string, owner?: string): ReadableStream<Uint8Array>;
  /** The sessions that lines are open for. */
  owners(): string[];
  /** Ends the lines of a session. */
  end(owner: string): void;
  /** Begins a page that will open a line: see {@link Versions}. */
  begin: Versions['begin'];
  readonly listeners: number;
  close(): void;
};

/**
 * Server-sent events to every open page (marketplace §4 Home data freshness). An event is encoded once, however many pages are open,
 * and one timer keeps all lines alive; a page that is gone is forgotten at the next write.
 * @param hears which news these pages are told: the public's unless said otherwise; see also {@link isForAdmins}
 * @param versionOf how the versions of these pages are named (`versions.ts`)
 * @param opened told of each new line that has an owner
 */
export function createBroadcast(live: Live, hears: (news: News) => boolean = isPublic, versionOf = byContent, opened: () => void = () => {}): Broadcast {
  /** Each open page, and whose line it is. */
  const pages = new Map<ReadableStreamDefaultController<Uint8Array>, string | undefined>();
  const versions = createVersions(versionOf);
  const encoder = new TextEncoder();
  const event = (change: string) => `event: change\ndata: ${change}\n\n`;
  const send = (text: string) => {
    const bytes = encoder.encode(text);
    for (const page of pages.keys()) {
      try {
        page.enqueue(bytes);
      } catch {
        pages.delete(page);
      }
    }
  };
  const close = (page: ReadableStreamDefaultController<Uint8Array>) => {
    pages.delete(page);
    try {
      page.close();
    } catch {
      // Already gone.
    }
  };
  const tell = (change: string) => {
    versions.changed(change);
    send(event(change));
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
    open(since, owner) {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          pages.set(controller, owner);
          // The first bytes tell the browser that the line stands; after a loss it waits three to six seconds, not all at one moment, and
          // then sends the id along (routes.ts).
          const missed = since === undefined ? [] : versions.since(since);
          controller.enqueue(encoder.encode(`id: stood\nretry: ${3000 + Math.round(Math.random() * 3000)}\n\n${missed.map(event).join('')}`));
          // Its session may have ended between the request's own check and this moment.
          if (owner !== undefined) opened();
        },
        cancel() {
          if (own) pages.delete(own);
        },
      });
    },
    owners: () => [...new Set([...pages.values()].filter((owner) => owner !== undefined))],
    end(owner) {
      for (const [page, whose] of [...pages]) if (whose === owner) close(page);
    },
    get listeners() {
      return pages.size;
    },
    close() {
      clearInterval(timer);
      for (const stop of stops) stop();
      for (const page of [...pages.keys()]) close(page);
    },
  };
}
