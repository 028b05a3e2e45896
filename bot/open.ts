import { Hono } from 'hono';
import { type JobHost, jobContext } from '../api/core/jobContext.ts';
import type { AppEnv } from '../api/http/route.ts';
import { createDelivery, type Post } from '../api/outbox/delivery.ts';
import { chatLeases } from '../api/outbox/leases.ts';
import { opensByButton } from './delivery/shown.ts';
import { createReceiver } from './messages/receive.ts';
import { createWorker } from './messages/work.ts';
import { demoTransport } from './transports/demo/transport.ts';
import type { PollTimes } from './transports/telegram/poll.ts';
import { telegramTransport } from './transports/telegram/transport.ts';
import { telegramWebhook } from './transports/telegram/webhook.ts';
import type { BotTransport } from './transports/transport.ts';
import { cloudTransport } from './transports/whatsapp/cloud/transport.ts';
import { cloudWebhook } from './transports/whatsapp/cloud/webhook.ts';
import { type WebOptions, webTransport } from './transports/whatsapp/web/transport.ts';

export type Bot = {
  /** Routes under `/bot`. */
  webhooks: Hono<AppEnv>;
  /** Begins to receive and send. Connection failures are not thrown. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Messages leased by a process that died are due again when its leases have ended. */
const wakeAfterLeases = (wake: () => void): void =>
  void setTimeout(wake, chatLeases.leaseMs + 500).unref();

/** The bot with the configured transports; without any, its routes refuse. */
export function openBot(host: JobHost, times?: PollTimes, web?: WebOptions): Bot {
  const ctx = jobContext(host, 'bot');
  const opening = { host, ctx, receive: createReceiver(ctx) };
  const telegram = telegramTransport(opening, times);
  const cloud = cloudTransport(opening);
  // In the demo, a network of its own replaces Telegram unless that is configured.
  const transports: BotTransport[] = [
    telegram ?? demoTransport(opening),
    cloud,
    webTransport(opening, web),
  ].filter((line) => line !== undefined);
  const undo: (() => Promise<unknown>)[] = [];

  /** Woken by new messages and whenever the database connection is (re)established. */
  async function deliver(post: Post) {
    const delivery = createDelivery(ctx, post);
    const woken = await host.sql.listen('outbox', delivery.wake, delivery.wake);
    wakeAfterLeases(delivery.wake);
    return async () => {
      await woken.unlisten();
      await delivery.stop();
    };
  }

  return {
    webhooks: new Hono<AppEnv>()
      .route('/', telegramWebhook(telegram?.webhook))
      .route('/', cloudWebhook(cloud?.webhook)),
    async start() {
      if (transports.length === 0) return;
      const { publicUrl, demo } = host.services.env;
      if (!demo && !opensByButton(publicUrl))
        ctx.services.log.warn(
          'PUBLIC_URL cannot be opened by a button in a chat: its addresses are written as text',
          { publicUrl },
        );
      const worker = createWorker(
        ctx,
        Object.fromEntries(transports.map(({ transport, fetchPhoto }) => [transport, fetchPhoto])),
      );
      undo.push(() => worker.stop());
      const woken = await host.sql.listen('chats', worker.wake, worker.wake);
      undo.push(() => woken.unlisten());
      wakeAfterLeases(worker.wake);
      for (const transport of transports) undo.push(await transport.start(deliver));
    },
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}
