import { afterAll } from 'vitest';
import { serve } from '../../api/httpServer.ts';
import { openMarket } from '../../api/market.ts';
import { loadPages } from '../../api/pageRenderer.ts';
import { loadAssets } from '../../api/pages/assets.ts';
import { type TestAppOptions, testApp } from './app.ts';
import { type Heard, send } from './rawRequest.ts';

const dist = new URL('../../site/dist/', import.meta.url);

/** Serves the product on a port, for tests of raw sockets. Call it at the top of a test file. */
export async function servedMarket(options: TestAppOptions = {}) {
  const market = await testApp(options);
  const { db, sql, services, clock } = market;
  const running = await openMarket({
    db,
    sql,
    services,
    now: clock.now,
    pages: await loadPages(dist),
  });
  const assets = await loadAssets(new URL('client/', dist).pathname);
  const server = serve({
    app: running.app,
    pageCache: running.pageCache,
    assets,
    hostname: '127.0.0.1',
    port: 0,
    reporter: services.reporter,
    strictTransport: services.env.publicUrl.startsWith('https:'),
  });
  afterAll(async () => {
    running.broadcast.close();
    await server.stop();
    await running.close();
  });
  /** Sends a raw head, given without the final empty line. */
  const raw = (head: string, body: string | Uint8Array = ''): Promise<Heard> =>
    send(
      server.port,
      Buffer.concat([Buffer.from(`${head}\r\nConnection: close\r\n\r\n`), Buffer.from(body)]),
      8000,
    );
  /** Sends a request with a valid `Host`; target and headers go out unchanged. */
  const get = (
    target: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Heard> =>
    raw(
      [
        `${method} ${target} HTTP/1.1`,
        'Host: market.test',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ].join('\r\n'),
    );
  const post = (
    target: string,
    type: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Heard> =>
    raw(
      [
        `POST ${target} HTTP/1.1`,
        'Host: market.test',
        `Content-Type: ${type}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ].join('\r\n'),
      body,
    );
  return {
    ...market,
    pageCache: running.pageCache,
    broadcast: running.broadcast,
    port: server.port,
    raw,
    get,
    post,
  };
}
