import { serve } from '../../api/httpServer.ts';
import { openMarket } from '../../api/market.ts';
import { loadPages } from '../../api/pageRenderer.ts';
import { loadAssets } from '../../api/pages/assets.ts';
import type { Pages } from '../../api/pages/pages.ts';
import { connect, type Target } from '../../db/client.ts';
import { fillingServices } from '../testbed/fill.ts';
import { withoutScripts } from './bytes.ts';

/**
 * A server process: the market as `server.ts` starts it, or a bare server that sends the same
 * bytes.
 */
export type ChildOptions =
  | { kind: 'market'; target: Target; folder: string; strip: boolean }
  | { kind: 'bare'; file: string; headers: Record<string, string> };
export type ToChild = { start: ChildOptions } | { ask: 'state' | 'drop' };
export type ChildState = { queries: number; renders: number; listeners: number };
export type FromChild = { port: number } | ChildState;

const dist = new URL('../../site/dist/', import.meta.url);

async function market({ target, folder, strip }: Extract<ChildOptions, { kind: 'market' }>) {
  let queries = 0;
  const counted: Target =
    typeof target === 'string' ? target : { ...target, debug: () => void queries++ };
  const { db, sql } = connect(counted);
  const services = fillingServices(folder);
  const built = await loadPages(dist);
  const pages: Pages = strip ? async (page) => withoutScripts(await built(page)) : built;
  const running = await openMarket({ db, sql, services, now: () => new Date(), pages });
  const assets = await loadAssets(new URL('client/', dist).pathname);
  const { port } = serve({
    app: running.app,
    pageCache: running.pageCache,
    assets,
    hostname: '127.0.0.1',
    port: 0,
  });
  return {
    port,
    drop: () => running.pageCache.drop(),
    state: (): ChildState => ({
      queries,
      renders: running.pageCache.renders,
      listeners: running.broadcast.listeners,
    }),
  };
}

/** The reference for requests per second: the same bytes and headers from memory. */
async function bare({ file, headers }: Extract<ChildOptions, { kind: 'bare' }>) {
  const body = new Uint8Array(await Bun.file(file).arrayBuffer());
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: () => new Response(body, { headers }),
  });
  return {
    port: server.port ?? 0,
    drop: () => {},
    state: (): ChildState => ({ queries: 0, renders: 0, listeners: 0 }),
  };
}

if (import.meta.main) {
  let running: Awaited<ReturnType<typeof market>> | undefined;
  const answer = (message: FromChild) => process.send?.(message);
  process.on('message', async (message: ToChild) => {
    if ('start' in message) {
      running =
        message.start.kind === 'market' ? await market(message.start) : await bare(message.start);
      answer({ port: running.port });
    } else if (running) {
      if (message.ask === 'drop') running.drop();
      answer(running.state());
    }
  });
  // Ctrl-C reaches the whole group; the bench decides when this process ends.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));
}
