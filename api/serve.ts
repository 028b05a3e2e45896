import { randomUUID } from 'node:crypto';
import type { Server } from 'bun';
import type { App } from './app.ts';
import type { Assets } from './assets.ts';
import { Refusal } from './core/errors.ts';
import { askerOf, refused } from './core/refused.ts';
import type { Reporter } from './core/reporter.ts';
import type { PageCache } from './pageCache.ts';

type Answering = Pick<App, 'fetch'>;
type Options = {
  app: Answering;
  assets?: Assets;
  pageCache?: PageCache;
  hostname: string;
  port: number;
  sharePort?: boolean;
  reporter?: Reporter;
  /** The market's address is `https:`: browsers shall ask for nothing else for a year. Its subdomains are not the market's to promise for. */
  strictTransport?: boolean;
  /** Which `Host` headers are answered at all; left out, each is. */
  knows?: (host: string | null) => boolean;
};
/** A whole address with a host that can be one. Bun hands over whatever `Host` says, and a bare path when it cannot be read at all. */
const addressed = /^https?:\/\/(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?\//i;

/** What a process without pages and doors still answers: whoever watches over it. */
const operation = new Set(['/healthz', '/readyz', '/metrics']);
export const operationOf = (app: Answering): Answering => ({
  fetch(request, ...rest) {
    if (operation.has(new URL(request.url).pathname)) return app.fetch(request, ...rest);
    throw new Refusal('notFound');
  },
});

export type Serving = {
  port: number;
  /** From now on each answer is the last on its connection, so that whoever keeps connections open finds another process in time. */
  leave(): void;
  stop(): Promise<void>;
};

/**
 * Serves an app over HTTP on one port: stored pages and built files from memory first, everything else through the app. A request has the
 * idle timeout for its body and its answer; only a photo of somebody who may send one is given more (api/uploads/reception.ts).
 */
export function serve({
  app,
  assets,
  pageCache,
  hostname,
  port,
  sharePort = false,
  reporter,
  strictTransport = false,
  knows,
}: Options): Serving {
  function respond(request: Request, self: Server<undefined>): Response | Promise<Response> {
    if (knows?.(request.headers.get('host')) === false) throw new Refusal('wrongHost');
    if (!addressed.test(request.url)) throw new Refusal('malformedAddress');
    const kept = pageCache?.respond(request, () => self.requestIP(request)?.address);
    if (kept) return kept;
    if (!URL.canParse(request.url)) throw new Refusal('malformedAddress');
    const { pathname } = new URL(request.url);
    const asset = assets?.(request, pathname);
    if (asset) return asset;
    const address = self.requestIP(request)?.address;
    return app.fetch(request, {
      ...(address ? { address } : {}),
      hold: (seconds) => self.timeout(request, seconds),
    });
  }
  function failed(request: Request, error: unknown): Response {
    const asker = askerOf(request, randomUUID());
    if (error instanceof Refusal) return refused(error, asker);
    const message = error instanceof Error ? error.message : String(error);
    reporter?.report({
      source: 'server',
      kind: 'error',
      message,
      requestId: asker.requestId,
      page: `${request.method} ${asker.path}`,
      extra: { error },
    });
    return refused(new Refusal('unexpected'), asker);
  }
  let leaving = false;
  /** Headers of every answer. */
  function last(response: Response): Response {
    if (leaving) response.headers.set('connection', 'close');
    if (strictTransport) response.headers.set('strict-transport-security', 'max-age=31536000');
    return response;
  }
  const server: Server<undefined> = Bun.serve({
    hostname,
    port,
    // The kernel gives each new connection to one of those that listen (Linux alone).
    reusePort: sharePort,
    idleTimeout: 60,
    maxRequestBodySize: 8 * 1024 * 1024,
    // Bun's own page for errors shows source lines.
    development: false,
    fetch(request, self) {
      try {
        const answer = respond(request, self);
        return answer instanceof Promise
          ? answer.catch((error) => failed(request, error)).then(last)
          : last(answer);
      } catch (error) {
        return last(failed(request, error));
      }
    },
    error: () => last(new Response(null, { status: 500 })),
  });
  return {
    port: server.port ?? port,
    leave() {
      leaving = true;
    },
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
