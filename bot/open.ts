import { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Hono } from 'hono';
import { blockChat } from '../api/chats/replies.ts';
import type { Ctx } from '../api/core/context.ts';
import { createDelivery, type Post } from '../api/core/delivery.ts';
import type { AppEnv } from '../api/core/http.ts';
import { chatKey } from '../api/people/chats.ts';
import { type JobHost, jobContext } from '../jobs/run.ts';
import { demoLine } from './demo/line.ts';
import { createReceiver } from './receive.ts';
import { telegramPost } from './telegram/deliver.ts';
import { botDoors } from './telegram/doors.ts';
import { fetchPhoto } from './telegram/fetchPhoto.ts';
import { type PollTimes, startPolling } from './telegram/poll.ts';
import { readUpdate, wantedUpdates } from './telegram/update.ts';
import { createWorker } from './work.ts';

export type Bot = {
  /** For the app, at `/bot`. */
  doors: Hono<AppEnv>;
  /** Begins to ask, to answer and to send. Returns at once; nothing that fails there reaches whoever called. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** The bot, with the transports that the environment configures; without any it is closed doors, and nothing runs. */
export function openBot(host: JobHost, times?: PollTimes): Bot {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, TELEGRAM_WEBHOOK: webhook, TELEGRAM_WEBHOOK_SECRET: secret, publicUrl } = host.services.env;
  const ctx = jobContext(host, 'bot');
  const receive = createReceiver(ctx);
  const undo: (() => Promise<unknown>)[] = [];
  if (!token) return { doors: botDoors(), ...demoAlone(host, ctx, receive) };
  const { log, secret: key } = host.services;
  const api = new Api(token, { apiRoot, timeoutSeconds: 60 });
  const botId = Number(token.split(':')[0]);

  async function hear(update: Update): Promise<void> {
    const heard = readUpdate(botId, update);
    if (!heard) return;
    if ('blocked' in heard) return blockChat(ctx, { transport: 'telegram', keyHash: chatKey(key, 'telegram', heard.blocked) });
    await receive(heard.message);
    // The button stops turning; whether it does is of no consequence.
    if (heard.pressed) void api.answerCallbackQuery(heard.pressed).catch(() => {});
  }

  return {
    doors: botDoors(webhook && secret ? { secret, hear } : undefined),
    async start() {
      const worker = createWorker(ctx, { telegram: fetchPhoto({ api, apiRoot, token }) });
      const delivery = createDelivery(ctx, telegramPost(api));
      undo.push(() => delivery.stop());
      undo.push(() => worker.stop());
      // Also when the line to the database stands, now and after every loss.
      const lines = [await host.sql.listen('chats', worker.wake, worker.wake), await host.sql.listen('outbox', delivery.wake, delivery.wake)];
      undo.push(() => Promise.all(lines.map((line) => line.unlisten())));
      if (webhook && secret) {
        const address = `${publicUrl}/bot/telegram`;
        void api
          .setWebhook(address, { secret_token: secret, allowed_updates: wantedUpdates })
          .catch((error) => log.error('Telegram could not be told where to deliver', { address, error }));
        return;
      }
      const polling = startPolling({ api, botId, sql: host.sql, log, hear, ...(times ? { times } : {}) });
      undo.push(() => polling.stop());
    },
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}

/** Where no network is configured: the demo's own, and outside of the demo nothing. */
function demoAlone(host: JobHost, ctx: Ctx, receive: ReturnType<typeof createReceiver>): Pick<Bot, 'start' | 'stop'> {
  const demo = demoLine({ ctx, receive });
  const undo: (() => Promise<unknown>)[] = [];
  async function deliver(post: Post) {
    const delivery = createDelivery(ctx, post);
    const woken = await host.sql.listen('outbox', delivery.wake, delivery.wake);
    return async () => {
      await woken.unlisten();
      await delivery.stop();
    };
  }
  return {
    async start() {
      if (!demo) return;
      const worker = createWorker(ctx, { telegram: demo.fetchPhoto });
      undo.push(() => worker.stop());
      const woken = await host.sql.listen('chats', worker.wake, worker.wake);
      undo.push(() => woken.unlisten());
      undo.push(await demo.start(deliver));
    },
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}
