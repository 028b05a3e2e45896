import { Hono } from 'hono';
import { admins, everyone } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { mark, markFileNames, markPath } from '../shared/brand/mark.ts';
import { Refusal } from '../shared/errors.ts';
import { removeMark } from './removeMark.ts';
import { saveMark } from './saveMark.ts';
import { newMark } from './schema.ts';

/** The operator's mark (product R59), beside the other settings. */
export const adminMarkRoutes = new Hono<AppEnv>()
  .put(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Set the market’s mark: a PNG, JPEG or WebP of at most 600 KB, in base64',
    }),
    valid('json', newMark),
    async (c) => c.json(await saveMark(c.get('ctx'), c.req.valid('json').file)),
  )
  .delete(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Show the mark of the software again' }),
    async (c) => c.json(await removeMark(c.get('ctx'))),
  );

export const markFileRoutes = new Hono<AppEnv>().get(
  '/media/mark/:file',
  route({ who: everyone, tag: 'market', summary: 'The operator’s mark as PNG' }),
  (c) => {
    const file = markFileNames.find((name) => markPath(name) === c.req.path);
    const bytes = file && mark()?.files[file];
    if (!bytes) throw new Refusal('notFound');
    // Immutable: another mark has another address.
    return c.body(bytes, 200, {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
    });
  },
);
