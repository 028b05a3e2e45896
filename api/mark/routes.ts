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

const addressed = /^\/media\/mark\/[\da-f]{12}-([\w-]{1,20})\.png$/;

export const markFileRoutes = new Hono<AppEnv>().get(
  '/media/mark/:file',
  route({
    who: everyone,
    tag: 'market',
    summary: 'The operator’s mark as PNG; an old address redirects to the present one',
  }),
  (c) => {
    const name = addressed.exec(c.req.path)?.[1];
    const file = markFileNames.find((one) => one === name);
    if (!file) throw new Refusal('notFound');
    const path = markPath(file);
    const bytes = mark()?.files[file];
    // Mails that were sent show what it is now.
    if (!bytes || path !== c.req.path) {
      c.header('cache-control', 'no-cache');
      return c.redirect(path ?? '/icons/any-192.png', 302);
    }
    // Immutable: another mark has another address.
    return c.body(bytes, 200, {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
    });
  },
);
