import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { pageQuery } from '../shared/paging.ts';
import { notifySeller } from './notify.ts';
import { barredAddresses, listSellers, notificationState } from './reads.ts';
import { removeSeller } from './remove.ts';
import {
  barredAddress,
  notification,
  sellerId,
  sellerSearch,
  suspension,
  verification,
} from './schema.ts';
import { suspendSeller } from './suspend.ts';
import { unbar } from './unbar.ts';
import { unsuspendSeller } from './unsuspendSeller.ts';
import { unverifySeller } from './unverifySeller.ts';
import { verifySeller } from './verify.ts';

/** Routes of /admin/users (product §2, §7 Admin). */
export const adminSellerRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({ who: admins, tag: 'admin', summary: 'Sellers, newest first, by name or email' }),
    valid('query', sellerSearch),
    async (c) => {
      const { page, search } = c.req.valid('query');
      return c.json(await listSellers(c.get('ctx'), { page, search: search ?? '' }));
    },
  )
  .get(
    '/barred',
    route({ who: admins, tag: 'admin', summary: 'Addresses that cannot become a seller’s again' }),
    valid('query', pageQuery()),
    async (c) => c.json(await barredAddresses(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/unbar',
    route({ who: admins, tag: 'admin', summary: 'Let an address become a seller’s again' }),
    valid('json', barredAddress),
    async (c) => c.json(await unbar(c.get('ctx'), c.req.valid('json').email)),
  )
  .post(
    '/:id/suspend',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Suspend a seller with a reason; live slots are paused',
    }),
    valid('param', sellerId),
    valid('json', suspension),
    async (c) =>
      c.json(
        await suspendSeller(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').reason),
      ),
  )
  .post(
    '/:id/unsuspend',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Lift a suspension; what it paused goes on with the time left',
    }),
    valid('param', sellerId),
    async (c) => c.json(await unsuspendSeller(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/verify',
    route({
      who: admins,
      tag: 'admin',
      summary:
        'Verify the number of a seller’s profile by hand, or move its verification here from another seller',
    }),
    valid('param', sellerId),
    valid('json', verification),
    async (c) =>
      c.json(await verifySeller(c.get('ctx'), c.req.valid('param').id, c.req.valid('json'))),
  )
  .post(
    '/:id/unverify',
    route({ who: admins, tag: 'admin', summary: 'Withdraw a verification' }),
    valid('param', sellerId),
    async (c) => c.json(await unverifySeller(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/notify',
    route({
      who: admins,
      tag: 'admin',
      summary: 'send-notification: a message to a seller; answers its id in the outbox',
      status: 202,
    }),
    valid('param', sellerId),
    valid('json', notification),
    async (c) =>
      c.json(await notifySeller(c.get('ctx'), c.req.valid('param').id, c.req.valid('json')), 202),
  )
  .delete(
    '/:id',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Delete a seller with all products; the address is barred',
    }),
    valid('param', sellerId),
    async (c) => c.json(await removeSeller(c.get('ctx'), c.req.valid('param').id)),
  );

/** Routes of the messages from admins to sellers. */
export const adminNotificationRoutes = new Hono<AppEnv>().get(
  '/:id',
  route({
    who: admins,
    tag: 'admin',
    summary: 'Whether a notification has been accepted by a channel',
  }),
  valid('param', sellerId),
  async (c) => c.json(await notificationState(c.get('ctx'), c.req.valid('param').id)),
);
