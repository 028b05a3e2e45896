import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { keyed } from '../credits/schema.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { closePurchase } from './closePurchase.ts';
import { presentPurchase, purchasesIn } from './reads.ts';
import { refundPurchase } from './refund.ts';
import { closing, purchaseId, purchaseSearch, refunding, settlement } from './schema.ts';
import { settlePurchase } from './settle.ts';

/** Admin routes to credit purchases (product R38). */
export const adminPurchaseRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Purchases of credits by state; pending unless told',
    }),
    valid('query', purchaseSearch),
    async (c) => c.json(await purchasesIn(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/:id/settle',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Complete a cash purchase under the payment’s reference; its credits are added',
    }),
    valid('param', purchaseId),
    valid('json', settlement),
    async (c) =>
      c.json(
        presentPurchase(
          c.get('ctx'),
          await settlePurchase(
            c.get('ctx'),
            c.req.valid('param').id,
            c.req.valid('json').reference,
          ),
        ),
      ),
  )
  .post(
    '/:id/refund',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Record money that was given back; its credits are taken back as far as unspent',
    }),
    valid('param', purchaseId),
    valid('header', keyed),
    valid('json', refunding),
    async (c) =>
      c.json(
        await refundPurchase(
          c.get('ctx'),
          c.req.valid('param').id,
          c.req.valid('json'),
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/:id/close',
    route({
      who: admins,
      tag: 'admin',
      summary:
        'End a pending purchase without credits, as failed or cancelled; its buyer reads the reason',
    }),
    valid('param', purchaseId),
    valid('json', closing),
    async (c) =>
      c.json(
        presentPurchase(
          c.get('ctx'),
          await closePurchase(c.get('ctx'), c.req.valid('param').id, c.req.valid('json')),
        ),
      ),
  );
