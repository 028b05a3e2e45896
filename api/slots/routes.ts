import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import { verdictOn } from '../engagement/allowance.ts';
import { marketInfo } from '../engagement/info.ts';
import { isCrawler, recordEvent } from '../engagement/record.ts';
import { engagementEvent } from '../engagement/schema.ts';
import { ensureVisitor } from '../http/cookies.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { gridProducts } from './plain.ts';
import { publicSlot } from './reads.ts';

const slotId = z.strictObject({ slotId: z.string().check(z.regex(/^\d{1,3}$/, 'whole')) });

/** Public routes of the market (product §7 Home and slots). */
export const slotRoutes = new Hono<AppEnv>()
  .get(
    '/slots',
    route({
      who: everyone,
      tag: 'market',
      summary: 'get_homepage_products: the slots with what the public may see',
    }),
    async (c) => {
      return c.json({
        ...(await gridProducts(c.get('ctx'))),
        now: c.get('ctx').now().toISOString(),
      });
    },
  )
  .get(
    '/slots/:slotId',
    route({ who: everyone, tag: 'market', summary: 'One slot with its product' }),
    valid('param', slotId),
    async (c) => {
      const slot = await publicSlot(c.get('ctx'), Number(c.req.valid('param').slotId));
      if (!slot?.slot_active) throw new Refusal('products.notFound');
      return c.json(slot);
    },
  )
  .get(
    '/market',
    route({
      who: everyone,
      tag: 'market',
      summary: 'The operator’s contact and, when wanted, measured figures',
    }),
    async (c) => c.json(await marketInfo(c.get('ctx'))),
  )
  .post(
    '/engagement',
    route({
      who: everyone,
      tag: 'market',
      summary: 'Record that a stall was seen, opened or shared',
      status: 202,
    }),
    valid('json', engagementEvent),
    async (c) => {
      const ctx = c.get('ctx');
      const event = c.req.valid('json');
      const verdict = isCrawler(ctx) ? 'refused' : verdictOn(ctx, event);
      if (verdict === 'refused') return c.json({ counted: false }, 202);
      const visitor = await ensureVisitor(c);
      return c.json(
        { counted: verdict === 'counts' && (await recordEvent(ctx, event, visitor)) },
        202,
      );
    },
  );
