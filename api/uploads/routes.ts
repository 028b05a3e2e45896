import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { discardPhoto } from './discardPhoto.ts';
import { receivePhoto } from './receive.ts';

const uploadId = z.strictObject({ id: z.uuid() });
const fileName = z.object({
  'x-file-name': z._default(z.string().check(z.maxLength(600)), 'photo'),
});

/** The form encodes names because headers are ASCII; a broken encoding must not refuse a photo. */
function readable(name: string): string {
  try {
    return decodeURIComponent(name).slice(0, 120);
  } catch {
    return name.slice(0, 120);
  }
}

/** Seconds until a retry makes sense. */
const retryAfter: Record<string, number> = {
  'uploads.busy': 15,
  'uploads.tooManyAtOnce': 30,
  'uploads.tooOften': 900,
};

/** Photo uploads: one per request, so each can be retried alone on a bad connection. */
export const uploadRoutes = new Hono<AppEnv>()
  .post(
    '/',
    route({
      who: ['seller', 'admin'],
      tag: 'selling',
      summary: 'Send one photo (JPEG, PNG or WebP, at most 5 MB) as the request’s body',
      status: 201,
    }),
    valid('header', fileName),
    async (c) => {
      const name = readable(c.req.valid('header')['x-file-name']);
      const ctx = c.get('ctx');
      const line = {
        body: c.req.raw.body,
        declared: Number(c.req.header('content-length')) || undefined,
        hold: c.env?.hold ?? (() => {}),
      };
      try {
        return c.json(
          await ctx.services.reception.receive(ctx, name, line, (bytes) =>
            receivePhoto(ctx, bytes, name),
          ),
          201,
        );
      } catch (error) {
        const wait = error instanceof Refusal ? retryAfter[error.code] : undefined;
        if (wait) c.header('retry-after', String(wait));
        throw error;
      }
    },
  )
  .delete(
    '/:id',
    route({
      who: ['seller', 'admin'],
      tag: 'selling',
      summary: 'Take back a photo that no product uses yet',
    }),
    valid('param', uploadId),
    async (c) => {
      await discardPhoto(c.get('ctx'), c.req.valid('param').id);
      return c.json({ discarded: true });
    },
  );
