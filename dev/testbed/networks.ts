import { cloudEnv, signed } from '../../tests/support/cloudMessages.ts';

export const telegramSecret = 'a-secret-that-telegram-was-told';
const token = '4242:a-token-that-only-this-run-knows';

/** Fake Telegram and WhatsApp that accept every message, and have no pictures. */
export type Networks = {
  root: string;
  /** Settings of Telegram, and of both. */
  telegram: Record<string, string>;
  env: Record<string, string>;
  /** Messages sent to each chat, by its number. */
  heard: Map<string, number>;
  /** Settles with the next message sent. */
  sent(): Promise<void>;
  stop(): void;
};

export function openNetworks(): Networks {
  const heard = new Map<string, number>();
  let next = Promise.withResolvers<void>();
  const count = (chat: unknown) => {
    heard.set(String(chat), (heard.get(String(chat)) ?? 0) + 1);
    next.resolve();
    next = Promise.withResolvers();
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, origin } = new URL(request.url);
      const form = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
      const body = (
        form
          ? Object.fromEntries((await request.formData()).entries())
          : await request.json().catch(() => ({}))
      ) as Record<string, unknown>;
      if (pathname.startsWith('/file/') || pathname.startsWith('/kept/'))
        return new Response(new Uint8Array());
      if (pathname.startsWith('/bot')) {
        if (pathname.endsWith('/getFile'))
          return Response.json({
            ok: true,
            result: { file_id: body.file_id, file_unique_id: 'x', file_path: 'picture' },
          });
        if (/\/send/.test(pathname)) count(body.chat_id);
        return Response.json({
          ok: true,
          result: { message_id: 1, date: 0, chat: { id: 1, type: 'private' } },
        });
      }
      if (request.method === 'GET')
        return Response.json({
          url: `${origin}/kept/picture`,
          file_size: 0,
          id: 'picture',
        });
      if (pathname.endsWith('/messages')) count(body.to ?? body.recipient);
      return Response.json(
        pathname.endsWith('/media') ? { id: 'picture' } : { messages: [{ id: 'wamid.1' }] },
      );
    },
  });
  const root = `http://127.0.0.1:${server.port}`;
  const telegram = {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: root,
    TELEGRAM_WEBHOOK: '1',
    TELEGRAM_WEBHOOK_SECRET: telegramSecret,
  };
  return {
    root,
    telegram,
    env: { ...telegram, ...cloudEnv(root) },
    heard,
    sent: () => next.promise,
    stop: () => void server.stop(true),
  };
}

let updates = 1;
/** A message to the bot as Telegram posts it; pass an earlier `id` to repeat one. */
export function telegramUpdate(chat: number, said: string | object, id = updates++) {
  const person = { id: chat, type: 'private', first_name: 'Somebody' };
  return {
    update_id: id,
    message: {
      message_id: 1,
      // Of now: what was written before a question is no answer to it.
      date: Math.floor(Date.now() / 1000),
      chat: person,
      from: person,
      ...(typeof said === 'string' ? { text: said } : said),
    },
  };
}

/** Requests that deliver to the bot's webhooks. */
export const toTelegram = (update: object, secret = telegramSecret) => ({
  path: '/bot/telegram',
  headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
  body: JSON.stringify(update),
});
export const toWhatsapp = (body: string) => ({
  path: '/bot/whatsapp',
  headers: signed(body),
  body,
});
