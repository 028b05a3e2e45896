import type { Server } from 'bun';
import type { App } from './app.ts';
import type { Assets } from './assets.ts';
import type { Hot } from './hot.ts';

export type Serving = { port: number; stop(): Promise<void> };

/**
 * Serves an app over HTTP on one port: stored pages and built files from memory first, everything else through the app. A request has the
 * idle timeout for its body and its answer; only a photo of somebody who may send one is given more (api/uploads/reception.ts).
 */
export function serve({ app, assets, hot, hostname, port }: { app: App; assets?: Assets; hot?: Hot; hostname: string; port: number }): Serving {
  const server: Server<undefined> = Bun.serve({
    hostname,
    port,
    idleTimeout: 60,
    maxRequestBodySize: 8 * 1024 * 1024,
    fetch(request, self) {
      const kept = hot?.respond(request, () => self.requestIP(request)?.address);
      if (kept) return kept;
      const { pathname } = new URL(request.url);
      const asset = assets?.(request, pathname);
      if (asset) return asset;
      const address = self.requestIP(request)?.address;
      return app.fetch(request, { ...(address ? { address } : {}), hold: (seconds) => self.timeout(request, seconds) });
    },
  });
  return {
    port: server.port ?? port,
    /** Takes no new requests and waits for those under way, ten seconds at most. */
    async stop() {
      const drained = server.stop(false);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, 10_000);
      });
      await Promise.race([drained, limit]);
      clearTimeout(timer);
      await server.stop(true);
    },
  };
}
