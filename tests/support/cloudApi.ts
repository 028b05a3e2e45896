import { createHmac } from 'node:crypto';
import type { Server } from 'bun';
import { afterAll } from 'vitest';

type Call = { path: string; body: Record<string, unknown>; token: string | null };
type Failure = 'drop' | { status: number; code?: number; retryAfter?: number };

export const cloud = {
  token: 'a-token-that-only-the-tests-know',
  phoneId: '100200300400',
  appSecret: 'an-app-secret-of-the-tests',
  verifyToken: 'a-word-that-whatsapp-was-told',
};

/** How the environment names a Cloud API at an address. */
export const cloudEnv = (root: string) => ({
  WHATSAPP_CLOUD_TOKEN: cloud.token,
  WHATSAPP_CLOUD_PHONE_ID: cloud.phoneId,
  WHATSAPP_CLOUD_APP_SECRET: cloud.appSecret,
  WHATSAPP_CLOUD_VERIFY_TOKEN: cloud.verifyToken,
  WHATSAPP_CLOUD_API_ROOT: `${root}/v25.0`,
});

/** A Cloud API of WhatsApp's on this machine: it keeps what it is sent, has media, and fails as it is told. Call it at the top of a test file. */
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
      if (token !== `Bearer ${cloud.token}`) return Response.json({ error: { code: 190, message: 'Invalid OAuth access token' } }, { status: 401 });
      const known = media.get(path);
      if (known && request.method === 'GET')
        return Response.json({ url: known.url ?? `http://127.0.0.1:${server.port}/kept/${path}`, file_size: known.size ?? known.bytes.byteLength, id: path });
      const form = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const body = (form ? Object.fromEntries((await request.formData()).entries()) : await request.json()) as Record<string, unknown>;
      const failure = path.endsWith('/messages') ? failures.shift() : undefined;
      if (failure === 'drop') return new Response('{"mess', { status: 502 });
      if (failure) {
        calls.push({ path: `${path} (${failure.status})`, body, token });
        const headers = new Headers(failure.retryAfter === undefined ? [] : [['retry-after', String(failure.retryAfter)]]);
        return Response.json({ error: { code: failure.code ?? 1, message: 'failed' } }, { status: failure.status, headers });
      }
      calls.push({ path, body, token });
      return Response.json(path.endsWith('/media') ? { id: `picture-${next++}` } : { messages: [{ id: `wamid.${next++}` }] });
    },
  });
  afterAll(() => server.stop(true));

  return {
    root: `http://127.0.0.1:${server.port}`,
    calls,
    media,
    /** The next message is refused so. */
    fail: (failure: Failure) => failures.push(failure),
    /** What was sent to somebody, in order. */
    sentTo: (whom: string) =>
      calls.filter(({ path, body }) => path === `${cloud.phoneId}/messages` && (body.to === whom || body.recipient === whom)).map(({ body }) => body),
    clear() {
      calls.length = 0;
      failures.length = 0;
      media.clear();
    },
  };
}

/** One message as WhatsApp delivers it, of a number or of an id that stands for one. */
export function cloudMessage(from: string, content: Record<string, unknown> | string, { id = `wamid.${crypto.randomUUID()}`, at = new Date() } = {}) {
  const said = typeof content === 'string' ? { type: 'text', text: { body: content } } : content;
  const sender = /^\d+$/.test(from) ? { from, from_user_id: 'CM.1' } : { from_user_id: from };
  return { id, timestamp: String(Math.floor(at.getTime() / 1000)), ...sender, ...said };
}

/** A delivery of messages, as its bytes and with its signature. */
export function cloudDelivery(
  messages: unknown[],
  { phoneId = cloud.phoneId, secret = cloud.appSecret, more = {} }: { phoneId?: string; secret?: string; more?: object } = {},
) {
  const value = { messaging_product: 'whatsapp', metadata: { display_phone_number: '15550001', phone_number_id: phoneId }, messages, ...more };
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] });
  return { body, headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` } };
}
