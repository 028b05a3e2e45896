import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { blockChat } from '../../../api/chats/replies.ts';
import { chatKey } from '../../../api/people/chats.ts';
import { onBranding } from '../../../locales/index.ts';
import { createChannel } from '../channel.ts';
import type { BotTransport, Opening } from '../transport.ts';
import { telegramPost } from './deliver.ts';
import { fetchPhoto } from './fetchPhoto.ts';
import { introduce } from './introduce.ts';
import { type PollTimes, startPolling } from './poll.ts';
import { readUpdate, wantedUpdates } from './update.ts';

/** Telegram, if a token is configured: one process polls, or the webhook delivers. */
export function telegramTransport({ host, ctx, receive }: Opening, times?: PollTimes) {
  const {
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: apiRoot,
    TELEGRAM_WEBHOOK: webhook,
    TELEGRAM_WEBHOOK_SECRET: secret,
    publicUrl,
  } = host.services.env;
  if (!token) return undefined;
  const { log, secret: key } = host.services;
  const api = new Api(token, { apiRoot, timeoutSeconds: 60 });
  const botId = Number(token.split(':')[0]);
  const channel = createChannel(ctx, 'telegram', webhook ? 'webhook' : 'polling');

  async function hear(update: Update): Promise<void> {
    const heard = readUpdate(botId, update);
    if (!heard) return;
    if ('blocked' in heard)
      return blockChat(ctx, {
        transport: 'telegram',
        keyHash: chatKey(key, 'telegram', heard.blocked),
      });
    await receive(heard.message);
    channel.received();
    // Only stops the button's spinner.
    if (heard.pressed) void api.answerCallbackQuery(heard.pressed).catch(() => {});
  }

  const transport: BotTransport = {
    transport: 'telegram',
    fetchPhoto: fetchPhoto({ api, apiRoot, token }),
    async start(deliver) {
      const quiet = await deliver(channel.watched(telegramPost(api)));
      channel.state('starting');
      const present = () =>
        introduce(api).catch((error) => log.warn('Telegram took no menu of the bot', { error }));
      const polling = webhook
        ? undefined
        : startPolling({
            api,
            botId,
            sql: host.sql,
            log,
            channel,
            hear,
            present,
            ...(times ? { times } : {}),
          });
      if (webhook && secret) {
        const address = `${publicUrl}/bot/telegram`;
        void api.setWebhook(address, { secret_token: secret, allowed_updates: wantedUpdates }).then(
          () => {
            channel.state('connected');
            void present();
          },
          (error) => {
            log.error('Telegram could not be told where to deliver', { address, error });
            channel.failed(error);
            channel.state('failing');
          },
        );
      }
      const stopPresenting = onBranding(() => void present());
      return async () => {
        stopPresenting();
        await polling?.stop();
        await quiet();
        await channel.stop();
      };
    },
  };
  return { ...transport, webhook: webhook && secret ? { secret, hear } : undefined };
}
