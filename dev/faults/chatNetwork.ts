const secret = 'a-secret-between-two-of-us';
const token = '4242:a-token-that-only-the-storm-knows';

/** Webhook of the chat network, which repeats a message under the same id until it was stored. */
export const webhook = {
  path: '/bot/telegram',
  headers: { 'x-telegram-bot-api-secret-token': secret },
};

/** Fake chat network: takes what the bot sends and counts it by chat. */
export function openChatNetwork() {
  const heard = new Map<string, number>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const form = request.headers.get('content-type')?.startsWith('multipart/');
      const chat = form
        ? (await request.formData()).get('chat_id')
        : ((await request.json().catch(() => ({}))) as { chat_id?: string }).chat_id;
      if (chat) heard.set(String(chat), (heard.get(String(chat)) ?? 0) + 1);
      return Response.json({
        ok: true,
        result: { message_id: 1, date: 0, chat: { id: 1, type: 'private' } },
      });
    },
  });
  return {
    env: {
      TELEGRAM_BOT_TOKEN: token,
      TELEGRAM_WEBHOOK: '1',
      TELEGRAM_WEBHOOK_SECRET: secret,
      TELEGRAM_API_ROOT: `http://127.0.0.1:${server.port}`,
    },
    heard,
    stop: () => server.stop(true),
  };
}
