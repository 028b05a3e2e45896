import { Hono } from 'hono';
import * as z from 'zod/mini';
import { everyone } from '../core/access.ts';
import { countAttempt } from '../core/limits.ts';
import { type AppEnv, route, valid } from '../http/route.ts';

const text = (max: number) => z.string().check(z.maxLength(max));
/** Uncaught error, or a performance figure beyond its threshold (product §9). */
const browserReport = z.strictObject({
  kind: z.enum(['error', 'performance']),
  message: text(500),
  stack: z.optional(text(4000)),
  page: text(500),
});

export const trackingRoutes = new Hono<AppEnv>().post(
  '/errors',
  route({
    who: everyone,
    tag: 'operation',
    summary: 'A browser reports an error or a slow page',
    status: 202,
  }),
  valid('json', browserReport),
  async (c) => {
    const ctx = c.get('ctx');
    await countAttempt(
      ctx,
      `report:address:${ctx.client.addressHash}`,
      200,
      3600,
      'tooManyRequests',
    );
    ctx.services.reporter.report({
      source: 'browser',
      ...c.req.valid('json'),
      requestId: ctx.requestId,
      extra: { browser: ctx.client.userAgent },
    });
    return c.json({ received: true }, 202);
  },
);
