import { randomUUID } from 'node:crypto';
import type { Server } from 'bun';
import type { App } from './app.ts';
import { askerOf, refused } from './http/refused.ts';
import type { Reporter } from './ops/reporter.ts';
import type { Assets } from './pages/assets.ts';
import type { PageCache } from './pages/pageCache.ts';
import { Refusal } from './shared/errors.ts';

type Answering = Pick<App, 'fetch'>;
type Options = {
  app: Answering;
  assets?: Assets;
  pageCache?: Pick<PageCache, 'respond'>;
  hostname: string;
  port: number;
  sharePort?: boolean;
  /** How long a request may stay without an answer; a test shortens it. */
  idleSeconds?: number;
  reporter?: Reporter;
  /** Sends HSTS for a year; subdomains may not be ours. */
  strictTransport?: boolean;
  /** Undefined accepts every `Host`. */
  knows?: (host: string | null) => boolean;
};
/** Bun passes on any `Host`, and a bare path if it is unreadable. */
const addressed = /^https?:\/\/(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?\//i;

/** For monitoring a process without pages and bot. */
const operation = new Set(['/healthz', '/readyz', '/metrics']);
export const operationOf = (app: Answering): Answering => ({
  fetch(request, ...rest) {
    if (operation.has(new URL(request.url).pathname)) return app.fetch(request, ...rest);
    throw new Refusal('notFound');
  },
});

export type Serving = {
  port: number;
  /**
   * Closes each connection after its next answer, so kept-alive clients move to another process in
   * time.
   */
  leave(): void;
  stop(): Promise<void>;
};

/**
 * Serves cached pages and built files from memory, the rest through the app. Body and answer share
 * the idle timeout; only an allowed photo upload gets more (api/uploads/reception.ts).
 */
export function serve({
  app,
  assets,
  pageCache,
  hostname,
  port,
  sharePort = false,
  idleSeconds = 60,
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
  function last(response: Response): Response {
    if (leaving) response.headers.set('connection', 'close');
    if (strictTransport) response.headers.set('strict-transport-security', 'max-age=31536000');
    return response;
  }
  const server: Server<undefined> = Bun.serve({
    hostname,
    port,
    // The kernel spreads connections over processes (Linux only).
    reusePort: sharePort,
    idleTimeout: idleSeconds,
    maxRequestBodySize: 8 * 1024 * 1024,
    // Bun's own error page shows source lines.
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
    /** Waits at most ten seconds for running requests. */
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
