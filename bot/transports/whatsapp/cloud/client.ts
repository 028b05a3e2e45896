import type { Env } from '../../../../api/ops/env.ts';

/** An error of the Cloud API; `code` is its own. */
export class CloudError extends Error {
  override name = 'CloudError';
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(`${status} (${code}) ${message}`);
  }
}

export type CloudClient = ReturnType<typeof cloudClient>;
export type CloudSettings = {
  token: string;
  phoneId: string;
  appSecret: string;
  verifyToken: string;
  template: string | undefined;
  apiRoot: string;
};

/** Undefined unless the environment configures the Cloud API. */
export function cloudSettings(env: Env): CloudSettings | undefined {
  const {
    WHATSAPP_CLOUD_TOKEN: token,
    WHATSAPP_CLOUD_PHONE_ID: phoneId,
    WHATSAPP_CLOUD_APP_SECRET: appSecret,
  } = env;
  const {
    WHATSAPP_CLOUD_VERIFY_TOKEN: verifyToken,
    WHATSAPP_CLOUD_TEMPLATE: template,
    WHATSAPP_CLOUD_API_ROOT: apiRoot,
  } = env;
  return token && phoneId && appSecret && verifyToken
    ? { token, phoneId, appSecret, verifyToken, template, apiRoot }
    : undefined;
}

const answerMs = 30_000;

export function cloudClient({ token, phoneId, apiRoot }: CloudSettings) {
  const root = new URL(apiRoot);
  const within = (signal?: AbortSignal) =>
    AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(answerMs)]);
  const ask = async (
    path: string,
    { signal, ...init }: RequestInit & { signal?: AbortSignal } = {},
  ): Promise<Record<string, unknown>> => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const response = await fetch(`${root.href.replace(/\/$/, '')}/${path}`, {
      ...init,
      headers,
      redirect: 'error',
      signal: within(signal),
    });
    const body = (await response.json().catch(() => ({}))) as {
      error?: { code?: number; message?: string; error_data?: { details?: string } };
    };
    if (response.ok && !body.error) return body;
    const { code = 0, message = 'no answer that can be read', error_data: data } = body.error ?? {};
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new CloudError(
      response.status,
      code,
      [message, data?.details].filter(Boolean).join(': '),
      Number.isFinite(seconds) ? seconds : undefined,
    );
  };

  return {
    /** Sends one message in the API's format. */
    async send(to: string, message: Record<string, unknown>, signal?: AbortSignal): Promise<void> {
      // The id of a person who hides their number starts with a country; in `to` it is lost silently.
      const recipient = /^\d+$/.test(to) ? { to } : { recipient: to };
      const body = JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...recipient,
        ...message,
      });
      await ask(`${phoneId}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        ...(signal ? { signal } : {}),
      });
    },
    /** Uploads a picture; the returned id is valid for thirty days. */
    async upload(jpeg: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<string> {
      const body = new FormData();
      body.set('messaging_product', 'whatsapp');
      body.set('type', 'image/jpeg');
      body.set('file', new Blob([jpeg], { type: 'image/jpeg' }), 'picture.jpg');
      const { id } = await ask(`${phoneId}/media`, {
        method: 'POST',
        body,
        ...(signal ? { signal } : {}),
      });
      if (typeof id !== 'string') throw new CloudError(200, 0, 'the picture got no id');
      return id;
    },
    /**
     * Fetches a picture; undefined if larger than `most` bytes. The request carries the token, so
     * only WhatsApp's media hosts are allowed.
     */
    async download(
      id: string,
      most: number,
      signal?: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const found = await ask(encodeURIComponent(id), signal ? { signal } : {});
      if (Number(found.file_size) > most) return undefined;
      const address = new URL(String(found.url));
      const known =
        address.protocol === 'https:' &&
        /(^|\.)(fbsbx\.com|fbcdn\.net|facebook\.com|whatsapp\.net)$/.test(address.hostname);
      if (!known && address.origin !== root.origin)
        throw new CloudError(
          200,
          0,
          `a picture is kept at ${address.hostname}, which is not WhatsApp's`,
        );
      const response = await fetch(address, {
        headers: { authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: within(signal),
      });
      if (!response.ok) throw new CloudError(response.status, 0, 'a picture could not be fetched');
      return readAtMost(response, most);
    },
  };
}

async function readAtMost(
  { body }: Response,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > most) return undefined;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
