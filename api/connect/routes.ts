import { Hono } from 'hono';
import { everyone, signedIn } from '../core/access.ts';
import { keyed } from '../credits/schema.ts';
import { verdictOn } from '../engagement/allowance.ts';
import { isCrawler } from '../engagement/record.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { paidFor } from './paid.ts';
import { publishPost } from './publish.ts';
import { feed, myPosts, readPost } from './reads.ts';
import { reportPost } from './report.ts';
import { respond } from './respond.ts';
import {
  feedQuery,
  mineQuery,
  newPost,
  newReport,
  newStatus,
  newUpdate,
  paidQuery,
  postReference,
} from './schema.ts';
import { setPostStatus } from './toggle.ts';
import { addUpdate } from './update.ts';
import { viewPost } from './view.ts';

/** Public and member routes of Connect (product §11). */
export const connectRoutes = new Hono<AppEnv>()
  .get(
    '/posts',
    route({
      who: everyone,
      tag: 'connect',
      summary: 'The feed: active posts by last update, by category and words',
    }),
    valid('query', feedQuery),
    async (c) => c.json(await feed(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/posts/mine',
    route({ who: signedIn, tag: 'connect', summary: 'One’s own posts, active or closed' }),
    valid('query', mineQuery),
    async (c) => c.json(await myPosts(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/paid',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'The posts that one’s own spends were for, by the ids that the ledger has of them',
    }),
    valid('query', paidQuery),
    async (c) => c.json(await paidFor(c.get('ctx'), c.req.valid('query').ids)),
  )
  .get(
    '/posts/:reference',
    route({
      who: everyone,
      tag: 'connect',
      summary: 'A post with its updates; for its owner with who responded',
    }),
    valid('param', postReference),
    async (c) => c.json(await readPost(c.get('ctx'), c.req.valid('param').reference)),
  )
  .post(
    '/posts',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Publish a service request, for two credits',
      status: 201,
    }),
    valid('header', keyed),
    valid('json', newPost),
    async (c) =>
      c.json(
        await publishPost(
          c.get('ctx'),
          c.req.valid('json'),
          c.req.valid('header')['idempotency-key'],
        ),
        201,
      ),
  )
  .post(
    '/posts/:reference/responses',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Respond to a post, for one credit the first time: answers the link to its owner',
    }),
    valid('param', postReference),
    valid('header', keyed),
    async (c) =>
      c.json(
        await respond(
          c.get('ctx'),
          c.req.valid('param').reference,
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/posts/:reference/updates',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Add an update to one’s own post, for two credits',
      status: 201,
    }),
    valid('param', postReference),
    valid('header', keyed),
    valid('json', newUpdate),
    async (c) =>
      c.json(
        await addUpdate(
          c.get('ctx'),
          c.req.valid('param').reference,
          c.req.valid('json'),
          c.req.valid('header')['idempotency-key'],
        ),
        201,
      ),
  )
  .put(
    '/posts/:reference/status',
    route({ who: signedIn, tag: 'connect', summary: 'Close one’s own post, or open it again' }),
    valid('param', postReference),
    valid('json', newStatus),
    async (c) =>
      c.json(
        await setPostStatus(
          c.get('ctx'),
          c.req.valid('param').reference,
          c.req.valid('json').status,
        ),
      ),
  )
  .post(
    '/posts/:reference/views',
    route({ who: everyone, tag: 'connect', summary: 'Count a look at a post' }),
    valid('param', postReference),
    async (c) => {
      const ctx = c.get('ctx');
      const { reference } = c.req.valid('param');
      // Same limits as the stalls (decision 059): a browser without cookies is a new visitor each
      // time.
      const verdict = isCrawler(ctx)
        ? 'refused'
        : verdictOn(ctx, { slotId: reference, type: 'view' });
      if (verdict === 'refused') return c.json({ counted: false });
      await ensureVisitor(c);
      return c.json(verdict === 'counts' ? await viewPost(ctx, reference) : { counted: false });
    },
  )
  .post(
    '/posts/:reference/report',
    route({ who: everyone, tag: 'connect', summary: 'Report a post; without an account too' }),
    valid('param', postReference),
    valid('json', newReport),
    async (c) => {
      await ensureVisitor(c);
      return c.json(
        await reportPost(c.get('ctx'), c.req.valid('param').reference, c.req.valid('json')),
      );
    },
  );
