import { existsSync, statSync } from 'node:fs';
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { apiClient } from '../site/src/lib/api.ts';
import { pageHeader, type SentLocals } from './protocol.ts';

const publicFolder = new URL('../site/public', import.meta.url).pathname;
/** Paths that Vite answers itself. */
const ofVite = /^\/(?:@|__|src\/|node_modules\/|\.astro\/|adapter\/)/;

/** Astro's server answers these; the API all others, asking Astro for its pages. */
export function isAsset(address: string): boolean {
  const { pathname } = new URL(address, 'http://localhost');
  if (ofVite.test(pathname)) return true;
  const file = `${publicFolder}${pathname}`;
  return pathname !== '/' && existsSync(file) && statSync(file).isFile();
}

/** Undefined unless the request carries the shared secret. */
export function takeLocals(request: IncomingMessage, word: string): App.Locals | undefined {
  const header = request.headers[pageHeader];
  delete request.headers[pageHeader];
  if (typeof header !== 'string' || !header.startsWith(`${word} `)) return undefined;
  const { back, now, ...plain } = JSON.parse(
    Buffer.from(header.slice(word.length + 1), 'base64url').toString(),
  ) as SentLocals;
  return {
    ...plain,
    now: new Date(now),
    api: apiClient({ fetch, origin: back }),
    report(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      fetch(`${back}/report`, { method: 'POST', body: text }).catch(() => console.error(text));
    },
  };
}

/** Streams both ways. */
export function passOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { url: path, method, headers, socket } = request;
  const address = socket.remoteAddress ?? 'unknown';
  const onward = ask(
    { host: '127.0.0.1', port, path, method, headers: { ...headers, 'x-forwarded-for': address } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  );
  onward.on('error', () =>
    response.headersSent ? response.destroy() : sayAway(request, response),
  );
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

export function sayAway(request: IncomingMessage, response: ServerResponse): void {
  const text =
    'The API is away. The terminal of “bun run dev” says why; it starts again when a file changes.';
  const html = request.method === 'GET' && request.headers.accept?.includes('text/html');
  response.writeHead(503, {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
    'retry-after': '1',
    ...(html ? { refresh: '1' } : {}),
  });
  response.end(
    html
      ? `<!doctype html><html lang="en"><meta charset="utf-8"><title>The API is away</title><h1>${text}</h1></html>`
      : JSON.stringify({ error: { code: 'unexpected', message: text } }),
  );
}
