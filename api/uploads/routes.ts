import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod/mini';
import { Refusal } from '../core/errors.ts';
import { type AppEnv, route, valid } from '../core/http.ts';
import { photoLimits } from './images.ts';
import { discardPhoto, receivePhoto } from './receive.ts';

const uploadId = z.strictObject({ id: z.uuid() });
const fileName = z.object({ 'x-file-name': z._default(z.string().check(z.maxLength(600)), 'photo') });

/** A header carries ASCII only: the form encodes the name, and a broken encoding is no reason to refuse a photo. */
function readable(name: string): string {
  try {
    return decodeURIComponent(name).slice(0, 120);
  } catch {
    return name.slice(0, 120);
  }
}

/** The doors for photos: one a request, as the body, so that each can be sent again alone over a bad line. */
export const uploadRoutes = new Hono<AppEnv>()
  .post(
    '/',
    route({ who: ['seller', 'admin'], tag: 'selling', summary: 'Send one photo (JPEG, PNG or WebP, at most 5 MB) as the request’s body', status: 201 }),
    valid('header', fileName),
    bodyLimit({
      maxSize: photoLimits.bytes,
      onError: (c) => {
        throw new Refusal('uploads.tooBig', { name: readable(c.req.header('x-file-name') ?? 'photo'), max: 5 });
      },
    }),
    async (c) => {
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      return c.json(await receivePhoto(c.get('ctx'), bytes, readable(c.req.valid('header')['x-file-name'])), 201);
    },
  )
  .delete(
    '/:id',
    route({ who: ['seller', 'admin'], tag: 'selling', summary: 'Take back a photo that no product uses yet' }),
    valid('param', uploadId),
    async (c) => {
      await discardPhoto(c.get('ctx'), c.req.valid('param').id);
      return c.json({ discarded: true });
    },
  );
