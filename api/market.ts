import type { Sql } from 'postgres';
import type { AppOptions } from './app.ts';
import { createApp } from './app.ts';
import {
  type Broadcast,
  createBroadcast,
  isForAdmins,
  isForConnect,
  isPublic,
} from './live/broadcast.ts';
import { type Live, listenForNews } from './live/listener.ts';
import { endWithSession } from './live/sessions.ts';
import { byRendering } from './live/versions.ts';
import { PageCache } from './pages/pageCache.ts';
import { isBranding, loadBranding } from './settings/branding.ts';

export type RunningMarket = ReturnType<typeof createApp> & {
  pageCache: PageCache;
  broadcast: Broadcast;
  live: Live;
  close(): Promise<void>;
};

/** Milliseconds between a failed read of the branding and the next. */
const rebrandMs = 5000;

/** The app with live updates from one LISTEN. */
export async function openMarket(
  options: Omit<AppOptions, 'broadcast' | 'connectBroadcast' | 'adminBroadcast'> & { sql: Sql },
): Promise<RunningMarket> {
  const live = await listenForNews(options.sql, options.services.log);
  const pageCache = new PageCache({
    render: async (request, address) =>
      made.app.fetch(request, { forPageCache: true, ...(address ? { address } : {}) }),
    now: options.now,
  });
  // Drops cached pages before open ones are notified, so that they fetch fresh ones.
  live.subscribe((news) => {
    if (isPublic(news)) pageCache.drop();
  });
  live.onResume(() => pageCache.doubt());
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Drops pages that were rendered with the old branding; a failed read is tried again. */
  const rebrand = (drops: boolean) =>
    loadBranding(options).then(
      (changed) => {
        if (drops || changed) pageCache.drop();
      },
      (error) => {
        options.services.log.error('The branding could not be read', { error });
        clearTimeout(again);
        again = setTimeout(() => void rebrand(true), rebrandMs);
        again.unref?.();
      },
    );
  live.subscribe(({ kind, id }) => {
    if (kind === 'settings' && isBranding(id)) void rebrand(true);
  });
  live.onResume(() => void rebrand(false));
  // Listening already, so that no change is missed.
  await loadBranding(options);
  const everyPage = createBroadcast(live);
  const feeds = createBroadcast(live, isForConnect);
  const adminPages = createBroadcast(live, isForAdmins, byRendering, () => void sessions.check());
  const sessions = endWithSession(
    { db: options.db, now: options.now, live, log: options.services.log },
    adminPages,
  );
  const broadcast: Broadcast = {
    ...everyPage,
    get listeners() {
      return everyPage.listeners + feeds.listeners + adminPages.listeners;
    },
    close() {
      sessions.close();
      everyPage.close();
      feeds.close();
      adminPages.close();
    },
  };
  options.services.metrics.watch(() => ({
    kept: pageCache.hits,
    written: pageCache.renders,
    lines: { market: everyPage.listeners, connect: feeds.listeners, admin: adminPages.listeners },
  }));
  const made = createApp({
    ...options,
    broadcast: everyPage,
    connectBroadcast: feeds,
    adminBroadcast: adminPages,
  });
  return {
    ...made,
    pageCache,
    broadcast,
    live,
    async close() {
      clearTimeout(again);
      broadcast.close();
      await live.close();
    },
  };
}
