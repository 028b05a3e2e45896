import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { productId } from '../products/schema.ts';
import { repeatable } from '../shared/fields.ts';
import { assignToSlot } from '../slots/assign.ts';
import { moveInQueue } from './move.ts';
import { queuePageOf, queueStats, removedProducts } from './reads.ts';
import { rebuildQueue } from './rebuild.ts';
import { removeFromQueue } from './remove.ts';
import { restoreProduct } from './restore.ts';
import { queueAssignment, queueMove, queuePage, rebuild } from './schema.ts';

/** Routes of the queue management (product §2 /admin/queue, §7 Admin). */
export const queueRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: admins, tag: 'admin', summary: 'A lane of the queue, a page at a time' }),
    valid('query', queuePage),
    async (c) => c.json(await queuePageOf(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/stats',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Wait, rate and priority items: specified and measured',
    }),
    async (c) => c.json(await queueStats(c.get('ctx'))),
  )
  .get(
    '/removed',
    route({ who: admins, tag: 'admin', summary: 'Removed products that can still be restored' }),
    async (c) => c.json({ products: await removedProducts(c.get('ctx')) }),
  )
  .post(
    '/rebuild',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Rewrite the positions of a lane; the order stays',
    }),
    valid('json', rebuild),
    async (c) => c.json(await rebuildQueue(c.get('ctx'), c.req.valid('json').queueName)),
  )
  .post(
    '/:id/assign',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Give a waiting product a slot: the chosen one, or the first inactive of its lane',
    }),
    valid('param', productId),
    valid('header', repeatable),
    valid('json', queueAssignment),
    async (c) =>
      c.json(
        await assignToSlot(
          c.get('ctx'),
          { ...c.req.valid('json'), productId: c.req.valid('param').id },
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/:id/move',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Move up, down or to the top; one that was missing is put back instead',
    }),
    valid('param', productId),
    valid('json', queueMove),
    async (c) =>
      c.json(await moveInQueue(c.get('ctx'), c.req.valid('param').id, c.req.valid('json'))),
  )
  .post(
    '/:id/remove',
    route({
      who: admins,
      tag: 'admin',
      summary: 'redis_queue_remove: take a product out and hide it; restorable for 30 days',
    }),
    valid('param', productId),
    async (c) => c.json(await removeFromQueue(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/restore',
    route({ who: admins, tag: 'admin', summary: 'Give a removed product back' }),
    valid('param', productId),
    valid('header', repeatable),
    async (c) =>
      c.json(
        await restoreProduct(
          c.get('ctx'),
          c.req.valid('param').id,
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  );
