import { createHash, timingSafeEqual } from 'node:crypto';
import type { Update } from 'grammy/types';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../../api/core/access.ts';
import { Refusal } from '../../api/core/errors.ts';
import { type AppEnv, route, valid } from '../../api/core/http.ts';

/** What Telegram sends is read field by field where it is used; this is what every update has. */
const update = z.looseObject({ update_id: z.int() });
const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Telegram's door. It proves itself with the secret that it was told; without one there is no door. The answer says that the update is stored: whatever
 * it asks for is done after.
 */
export const telegramDoor = (telegram?: { secret: string; hear(update: Update): Promise<void> }) =>
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
