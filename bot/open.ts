import { Hono } from 'hono';
import type { AppEnv } from '../api/http/route.ts';
import { createDelivery, type Post } from '../api/outbox/delivery.ts';
import { chatLeases } from '../api/outbox/leases.ts';
import { type JobHost, jobContext } from '../jobs/run.ts';
import { demoLine } from './demo/transport.ts';
import { createReceiver } from './receive.ts';
import { opensByButton } from './shown.ts';
import type { PollTimes } from './telegram/poll.ts';
import { telegramLine } from './telegram/transport.ts';
import { telegramDoor } from './telegram/webhook.ts';
import type { Line } from './transport.ts';
import { cloudLine } from './whatsapp/cloud/transport.ts';
import { cloudDoor } from './whatsapp/cloud/webhook.ts';
import { type WebOptions, webLine } from './whatsapp/web/transport.ts';
import { createWorker } from './work.ts';

export type Bot = {
  /** Routes under `/bot`. */
  doors: Hono<AppEnv>;
  /** Begins to receive and send. Connection failures are not thrown. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** What a process held that died before this start is due when its leases have ended. */
const wakeAfterLeases = (wake: () => void): void =>
  void setTimeout(wake, chatLeases.leaseMs + 500).unref();

/** The bot with the configured transports; without any, its routes refuse. */
export function openBot(host: JobHost, times?: PollTimes, web?: WebOptions): Bot {
  const ctx = jobContext(host, 'bot');
  const opening = { host, ctx, receive: createReceiver(ctx) };
  const telegram = telegramLine(opening, times);
  const cloud = cloudLine(opening);
  // In the demo, a network of its own replaces Telegram unless that is configured.
  const lines: Line[] = [telegram ?? demoLine(opening), cloud, webLine(opening, web)].filter(
    (line) => line !== undefined,
  );
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
    doors: new Hono<AppEnv>()
      .route('/', telegramDoor(telegram?.door))
      .route('/', cloudDoor(cloud?.door)),
    async start() {
      if (lines.length === 0) return;
      const { publicUrl, demo } = host.services.env;
      if (!demo && !opensByButton(publicUrl))
        ctx.services.log.warn(
          'PUBLIC_URL cannot be opened by a button in a chat: its addresses are written as text',
          { publicUrl },
        );
      const worker = createWorker(
        ctx,
        Object.fromEntries(lines.map(({ transport, fetchPhoto }) => [transport, fetchPhoto])),
      );
      undo.push(() => worker.stop());
      const woken = await host.sql.listen('chats', worker.wake, worker.wake);
      undo.push(() => woken.unlisten());
      wakeAfterLeases(worker.wake);
      for (const line of lines) undo.push(await line.start(deliver));
    },
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}
