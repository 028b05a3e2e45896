import { cloudEnv, signed } from '../../tests/support/cloudMessages.ts';

const telegramSecret = 'a-secret-that-telegram-was-told';
const token = '4242:a-token-that-only-this-run-knows';

/** Fake Telegram and WhatsApp that accept every message and serve one picture under every name. */
export type Networks = {
  root: string;
  env: Record<string, string>;
  /** Messages sent to each chat, by its number. */
  heard: Map<string, number>;
  picture: Uint8Array<ArrayBuffer>;
  stop(): void;
};

export function openNetworks(): Networks {
  const heard = new Map<string, number>();
  const count = (chat: unknown) => void heard.set(String(chat), (heard.get(String(chat)) ?? 0) + 1);
  const networks = { heard, picture: new Uint8Array() };
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
        return new Response(networks.picture);
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
          file_size: networks.picture.byteLength,
          id: 'picture',
        });
      if (pathname.endsWith('/messages')) count(body.to ?? body.recipient);
      return Response.json(
        pathname.endsWith('/media') ? { id: 'picture' } : { messages: [{ id: 'wamid.1' }] },
      );
    },
  });
  const root = `http://127.0.0.1:${server.port}`;
  const env = {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: root,
    TELEGRAM_WEBHOOK: '1',
    TELEGRAM_WEBHOOK_SECRET: telegramSecret,
    ...cloudEnv(root),
  };
  return Object.assign(networks, { root, env, stop: () => void server.stop(true) });
}

let updates = 1;
/** A message to the bot as Telegram posts it; pass an earlier `id` to repeat one. */
export function telegramUpdate(chat: number, said: string | object, id = updates++) {
  const person = { id: chat, type: 'private', first_name: 'Somebody' };
  return {
    update_id: id,
    message: {
      message_id: 1,
      date: 0,
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
