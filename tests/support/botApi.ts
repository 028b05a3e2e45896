import { afterAll } from 'vitest';

type Call = { method: string; body: Record<string, unknown> };
type Failure =
  | 'drop'
  | { status: number; description?: string; retryAfter?: number }
  | { slowMs: number };

export const token = '4242:a-token-that-only-the-tests-know';

/** Why Telegram refuses the keys below a message, if it does. */
function refusalOf({ reply_markup: given }: Call['body']): string | undefined {
  type Key = { url?: string; callback_data?: string };
  const markup = (typeof given === 'string' ? JSON.parse(given) : given) as
    | { inline_keyboard?: Key[][] }
    | undefined;
  for (const { url, callback_data: data = '' } of markup?.inline_keyboard?.flat() ?? []) {
    if (url !== undefined && !new URL(url).hostname.includes('.'))
      return `inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`;
    if (Buffer.byteLength(data) > 64) return 'BUTTON_DATA_INVALID';
  }
  return undefined;
}

/**
 * Fakes Telegram's Bot API, with updates kept until acknowledged. Call it at the top of a test
 * file.
 */
export function fakeBotApi() {
  const calls: Call[] = [];
  const updates: { update_id: number }[] = [];
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const failures: { method: string; failure: Failure }[] = [];
  let wake: (() => void) | undefined;
  let next = 1000;
  let pictures = 1;
  let sentNow = 1;

  const json = (body: unknown, status = 200) => Response.json(body, { status });
  const ok = (result: unknown) => json({ ok: true, result });

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const [, bot = '', method = '', file = ''] = new URL(request.url).pathname.split('/');
      if (bot === 'file')
        return method === `bot${token}` && files.has(file)
          ? new Response(files.get(file))
          : json({ ok: false }, 404);
      if (bot !== `bot${token}`)
        return json({ ok: false, error_code: 401, description: 'Unauthorized' }, 401);
      const form = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const body = form
        ? Object.fromEntries((await request.formData()).entries())
        : ((await request.json().catch(() => ({}))) as Record<string, unknown>);
      const at = failures.findIndex((one) => one.method === method);
      const [{ failure } = {}] = at >= 0 ? failures.splice(at, 1) : [];
      if (failure === 'drop') {
        calls.push({ method: `${method} (dropped)`, body });
        return new Response('{"ok":tr', { headers: { 'content-type': 'application/json' } });
      }
      if (failure && 'slowMs' in failure)
        await new Promise((resolve) => setTimeout(resolve, failure.slowMs));
      if (failure && 'status' in failure) {
        calls.push({ method: `${method} (${failure.status})`, body });
        const parameters = failure.retryAfter ? { retry_after: failure.retryAfter } : {};
        return json(
          {
            ok: false,
            error_code: failure.status,
            description: failure.description ?? 'failed',
            parameters,
          },
          failure.status,
        );
      }
      if (method === 'getUpdates')
        return ok(await waiting(Number(body.offset ?? 0), Number(body.timeout ?? 0)));
      const wrong = refusalOf(body);
      if (wrong) {
        calls.push({ method: `${method} (400)`, body });
        return json({ ok: false, error_code: 400, description: `Bad Request: ${wrong}` }, 400);
      }
      calls.push({ method, body });
      if (method === 'getFile')
        return ok({ file_id: body.file_id, file_unique_id: 'x', file_path: body.file_id });
      const photo =
        method === 'sendPhoto' || method === 'editMessageMedia'
          ? { photo: [{ file_id: `kept ${pictures++}`, file_unique_id: 'x' }] }
          : {};
      return ok(
        /^send|^editMessage/.test(method)
          ? {
              message_id: Number(body.message_id ?? sentNow++),
              date: Math.floor(Date.now() / 1000),
              chat: { id: 1, type: 'private' },
              ...photo,
            }
          : true,
      );
    },
  });
  afterAll(() => server.stop(true));

  async function waiting(offset: number, seconds: number) {
    while (updates[0] && updates[0].update_id < offset) updates.shift();
    if (updates.length === 0 && seconds > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    return updates.slice(0, 100);
  }

  const chatOf = (id: number) => ({ id, type: 'private', first_name: 'Somebody' });
  const deliver = <U extends object>(content: U) => {
    const update = { update_id: next++, ...content };
    updates.push(update);
    wake?.();
    return update;
  };
  const message = (id: number, text: string) => ({
    message: {
      message_id: 1,
      date: Math.floor(Date.now() / 1000),
      from: { ...chatOf(id), is_bot: false },
      chat: chatOf(id),
      text,
    },
  });

  return {
    root: `http://127.0.0.1:${server.port}`,
    calls,
    updates,
    write: (id: number, text: string) => deliver(message(id, text)),
    share: (id: number, contact: { phone_number: string; user_id?: number }) => {
      const { text: _, ...rest } = message(id, '').message;
      return deliver({ message: { ...rest, contact: { first_name: 'Somebody', ...contact } } });
    },
    photo: (id: number, ref: string, bytes: Uint8Array<ArrayBuffer>) => {
      files.set(ref, bytes);
      const { text: _, ...rest } = message(id, '').message;
      return deliver({
        message: { ...rest, photo: [{ file_id: ref, file_unique_id: ref, width: 90, height: 60 }] },
      });
    },
    press: (id: number, data: string, below = 1) =>
      deliver({
        callback_query: {
          id: 'a press',
          from: { ...chatOf(id), is_bot: false },
          chat_instance: '1',
          data,
          message: { message_id: below, date: Math.floor(Date.now() / 1000), chat: chatOf(id) },
        },
      }),
    /** The same as Telegram posts it to a webhook. */
    posted: (id: number, text: string) => ({ update_id: next++, ...message(id, text) }),
    inGroup: (text: string) =>
      deliver({
        message: {
          message_id: 1,
          date: Math.floor(Date.now() / 1000),
          chat: { id: -5, type: 'group', title: 'G' },
          text,
        },
      }),
    blockedBy: (id: number) =>
      deliver({
        my_chat_member: {
          chat: chatOf(id),
          from: chatOf(id),
          date: Math.floor(Date.now() / 1000),
          old_chat_member: { status: 'member' },
          new_chat_member: { status: 'kicked' },
        },
      }),
    fail: (method: string, failure: Failure) => failures.push({ method, failure }),
    sentTo: (id: number) =>
      calls.filter(
        ({ method, body }) =>
          method.startsWith('send') && !method.includes('(') && String(body.chat_id) === String(id),
      ),
    clear() {
      sentNow = 1;
      calls.length = 0;
      updates.length = 0;
      failures.length = 0;
    },
  };
}

/** Polls until the condition holds; the test's timeout ends it. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await new Promise((resolve) => setTimeout(resolve, 5));
}
