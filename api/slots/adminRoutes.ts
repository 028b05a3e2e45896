import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { repeatable } from '../shared/fields.ts';
import { adminSlots } from './admin.ts';
import { assignToSlot } from './assign.ts';
import { editSlot } from './edit.ts';
import { processQueue } from './fill.ts';
import { pauseSlot } from './pause.ts';
import { removeFromSlot } from './remove.ts';
import { resumeSlot } from './resumeSlot.ts';
import { assignment, removal, seenSlot, slotEdit, slotId } from './schema.ts';

/** Routes of the slot management (product §2 /admin/slots, §7 Admin). */
export const adminSlotRoutes = new Hono<AppEnv>()
  .post(
    '/jobs/process-queue',
    route({ who: admins, tag: 'admin', summary: 'Free ended slots and fill empty ones now' }),
    async (c) => {
      const { processedCount, availableSlots, endedCount } = await processQueue(c.get('ctx'));
      return c.json({ processedCount, availableSlots, endedCount });
    },
  )
  .get(
    '/slots',
    route({
      who: admins,
      tag: 'admin',
      summary: 'All slots by id, with product, seller and engagement',
    }),
    async (c) =>
      c.json({ slots: await adminSlots(c.get('ctx')), now: c.get('ctx').now().toISOString() }),
  )
  .put(
    '/slots/:slotId',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Edit a slot and its product; the end is now plus the chosen duration',
    }),
    valid('param', slotId),
    valid('json', slotEdit),
    async (c) =>
      c.json(
        await editSlot(c.get('ctx'), Number(c.req.valid('param').slotId), c.req.valid('json')),
      ),
  )
  .post(
    '/slots/:slotId/assign',
    route({ who: admins, tag: 'admin', summary: 'Put a waiting product into this slot' }),
    valid('param', slotId),
    valid('header', repeatable),
    valid('json', assignment),
    async (c) =>
      c.json(
        await assignToSlot(
          c.get('ctx'),
          { ...c.req.valid('json'), slotId: Number(c.req.valid('param').slotId) },
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/slots/:slotId/pause',
    route({ who: admins, tag: 'admin', summary: 'Pause a slot; its time left is kept' }),
    valid('param', slotId),
    valid('json', seenSlot),
    async (c) =>
      c.json(
        await pauseSlot(
          c.get('ctx'),
          Number(c.req.valid('param').slotId),
          c.req.valid('json').productId,
        ),
      ),
  )
  .post(
    '/slots/:slotId/resume',
    route({ who: admins, tag: 'admin', summary: 'Resume a paused slot with the time it had left' }),
    valid('param', slotId),
    valid('json', seenSlot),
    async (c) =>
      c.json(
        await resumeSlot(
          c.get('ctx'),
          Number(c.req.valid('param').slotId),
          c.req.valid('json').productId,
        ),
      ),
  )
  .post(
    '/slots/:slotId/remove',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Empty a slot: the listing ends, or waits again with the time left',
    }),
    valid('param', slotId),
    valid('json', removal),
    async (c) =>
      c.json(
        await removeFromSlot(
          c.get('ctx'),
          Number(c.req.valid('param').slotId),
          c.req.valid('json'),
        ),
      ),
  );
