import type { Server } from 'bun';
import { afterAll } from 'vitest';
import { cloud } from './cloudMessages.ts';

export { cloud, cloudDelivery, cloudEnv, cloudMessage } from './cloudMessages.ts';

type Call = { path: string; body: Record<string, unknown>; token: string | null };
type Failure = 'drop' | { status: number; code?: number; retryAfter?: number };

/** Fakes WhatsApp's Cloud API. Call it at the top of a test file. */
export function fakeCloudApi() {
  const calls: Call[] = [];
  const failures: Failure[] = [];
  const media = new Map<string, { bytes: Uint8Array<ArrayBuffer>; url?: string; size?: number }>();
  let next = 1;
  const server: Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url);
      const token = request.headers.get('authorization');
      const asset = /^\/kept\/(.+)$/.exec(pathname)?.[1];
      if (asset) {
        calls.push({ path: 'kept', body: {}, token });
        return new Response(media.get(asset)?.bytes);
      }
      const path = pathname.replace(/^\/v25\.0\//, '');
      if (token !== `Bearer ${cloud.token}`)
        return Response.json(
          { error: { code: 190, message: 'Invalid OAuth access token' } },
          { status: 401 },
        );
      const known = media.get(path);
      if (known && request.method === 'GET')
        return Response.json({
          url: known.url ?? `http://127.0.0.1:${server.port}/kept/${path}`,
          file_size: known.size ?? known.bytes.byteLength,
          id: path,
        });
      const form = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const body = (
        form ? Object.fromEntries((await request.formData()).entries()) : await request.json()
      ) as Record<string, unknown>;
      const failure = path.endsWith('/messages') ? failures.shift() : undefined;
      if (failure === 'drop') return new Response('{"mess', { status: 502 });
      if (failure) {
        calls.push({ path: `${path} (${failure.status})`, body, token });
        const headers = new Headers(
          failure.retryAfter === undefined ? [] : [['retry-after', String(failure.retryAfter)]],
        );
        return Response.json(
          { error: { code: failure.code ?? 1, message: 'failed' } },
          { status: failure.status, headers },
        );
      }
      const link = /"url":"(https?:[^"]+)"/.exec(JSON.stringify(body.interactive ?? ''))?.[1];
      if (link && !new URL(link).hostname.includes('.')) {
        calls.push({ path: `${path} (400)`, body, token });
        return Response.json(
          { error: { code: 131_009, message: 'Parameter value is not valid' } },
          { status: 400 },
        );
      }
      calls.push({ path, body, token });
      return Response.json(
        path.endsWith('/media')
          ? { id: `picture-${next++}` }
          : { messages: [{ id: `wamid.${next++}` }] },
      );
    },
  });
  afterAll(() => server.stop(true));

  return {
    root: `http://127.0.0.1:${server.port}`,
    calls,
    media,
    fail: (failure: Failure) => failures.push(failure),
    sentTo: (whom: string) =>
      calls
        .filter(
          ({ path, body }) =>
            path === `${cloud.phoneId}/messages` && (body.to === whom || body.recipient === whom),
        )
        .map(({ body }) => body),
    clear() {
      calls.length = 0;
      failures.length = 0;
      media.clear();
    },
  };
}
