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

/** The app with live updates from one LISTEN. */
export async function openMarket(
  options: Omit<AppOptions, 'broadcast' | 'connectBroadcast' | 'adminBroadcast'> & { sql: Sql },
): Promise<RunningMarket> {
  await loadBranding(options);
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
  // A page that was rendered meanwhile may still have the old one.
  const rebrand = () =>
    loadBranding(options).then(
      () => pageCache.drop(),
      (error) => options.services.log.error('The branding could not be read', { error }),
    );
  live.subscribe(({ kind, id }) => {
    if (kind === 'settings' && isBranding(id)) void rebrand();
  });
  live.onResume(() => void rebrand());
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
      broadcast.close();
      await live.close();
    },
  };
}
