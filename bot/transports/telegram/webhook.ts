import { createHash, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../../../api/core/access.ts';
import { type AppEnv, route, valid } from '../../../api/http/route.ts';
import { Refusal } from '../../../api/shared/errors.ts';

/** Other fields are validated where they are read. */
const update = z.looseObject({ update_id: z.int() });
const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Telegram's webhook, authenticated by its secret; refuses `notFound` without one. It answers once
 * the update is stored.
 */
export const telegramWebhook = (telegram?: {
  secret: string;
  hear(update: Update): Promise<void>;
}) =>
  new Hono<AppEnv>().post(
    '/telegram',
    route({
      who: everyone,
      proof: 'telegramSecret',
      tag: 'operation',
      summary: 'Telegram delivers what people wrote to the bot, with its secret',
    }),
    async (c, next) => {
      if (!telegram) throw new Refusal('notFound');
      if (
        !timingSafeEqual(
          digest(c.req.header('x-telegram-bot-api-secret-token') ?? ''),
          digest(telegram.secret),
        )
      )
        throw new Refusal('forbidden');
      await next();
    },
    valid('json', update),
    async (c) => {
      await telegram?.hear(c.req.valid('json') as unknown as Update);
      return c.json({ stored: true });
    },
  );
