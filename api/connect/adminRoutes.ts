import { Hono } from 'hono';
import * as z from 'zod/mini';
import { moderators } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { repeatable } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { adminPosts, reportsOfPost } from './adminReads.ts';
import { hidePost } from './hide.ts';
import { resolvePostReports } from './resolvePostReports.ts';
import { hiding, postFilters, postReference, reportsAnswer } from './schema.ts';
import { unhidePost } from './unhidePost.ts';

const search = pageQuery({
  show: z._default(z.enum(postFilters), 'reported'),
  search: z.optional(z.string().check(z.maxLength(200))),
});

export const adminConnectRoutes = new Hono<AppEnv>()
  .get(
    '/posts',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Posts of the board: reported, active, closed or taken down',
    }),
    valid('query', search),
    async (c) => c.json(await adminPosts(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/posts/:reference/reports',
    route({ who: moderators, tag: 'admin', summary: 'What people wrote about a post' }),
    valid('param', postReference),
    async (c) => c.json(await reportsOfPost(c.get('ctx'), c.req.valid('param').reference)),
  )
  .post(
    '/posts/:reference/hide',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Take a post down, with a reason; its credits can be given back',
    }),
    valid('param', postReference),
    valid('header', repeatable),
    valid('json', hiding),
    async (c) =>
      c.json(
        await hidePost(
          c.get('ctx'),
          c.req.valid('param').reference,
          c.req.valid('json'),
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/posts/:reference/unhide',
    route({ who: moderators, tag: 'admin', summary: 'Put a post back that was taken down' }),
    valid('param', postReference),
    valid('header', repeatable),
    async (c) =>
      c.json(
        await unhidePost(
          c.get('ctx'),
          c.req.valid('param').reference,
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/posts/:reference/resolve',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Close the open reports of a post that stays',
    }),
    valid('param', postReference),
    valid('header', repeatable),
    valid('json', reportsAnswer),
    async (c) => {
      const { resolution, seen } = c.req.valid('json');
      return c.json(
        await resolvePostReports(
          c.get('ctx'),
          c.req.valid('param').reference,
          resolution,
          seen,
          c.req.valid('header')['idempotency-key'],
        ),
      );
    },
  );
