import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { everyone } from '../core/access.ts';
import { type AppEnv, route } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { readMetrics } from './reads.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Prometheus metrics, with `METRICS_TOKEN` as bearer; `notFound` when unset (decision 062). */
export const metricsRoutes = new Hono<AppEnv>().get(
  '/metrics',
  route({
    who: everyone,
    proof: 'metricsToken',
    tag: 'operation',
    summary: 'Figures for Prometheus, with the token of METRICS_TOKEN',
  }),
  async (c) => {
    const ctx = c.get('ctx');
    const token = ctx.services.env.METRICS_TOKEN;
    if (!token) throw new Refusal('notFound');
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), digest(`Bearer ${token}`)))
      throw new Refusal('forbidden');
    return c.body(await readMetrics(ctx), 200, {
      'content-type': ctx.services.metrics.registry.contentType,
      'cache-control': 'no-store',
    });
  },
);
