import { Hono } from 'hono';
import { admins } from '../core/access.ts';
import { keyed } from '../credits/schema.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { askAgain } from './askAgain.ts';
import { closePurchase } from './closePurchase.ts';
import { journalCsv, journalDays, monthOf } from './journal.ts';
import { presentPurchase, purchasesIn } from './reads.ts';
import { comparable, reconcile } from './reconcile.ts';
import { refundPurchase } from './refund.ts';
import { refundByProvider } from './refundByProvider.ts';
import {
  closing,
  comparison,
  journalMonth,
  purchaseId,
  purchaseSearch,
  refunding,
  refundOrder,
  settlement,
} from './schema.ts';
import { settlePurchase } from './settle.ts';

/** Admin routes to payments of credits and fees (product R38). */
export const adminPurchaseRoutes = new Hono<AppEnv>()
  .get(
    '/',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Payments of credits and fees by state; pending unless told',
    }),
    valid('query', purchaseSearch),
    async (c) => c.json(await purchasesIn(c.get('ctx'), c.req.valid('query'))),
  )
  .get(
    '/journal',
    route({
      who: admins,
      tag: 'admin',
      summary: 'What was paid and given back in a month, by day and method',
    }),
    valid('query', journalMonth),
    async (c) => {
      const ctx = c.get('ctx');
      const days = await journalDays(ctx, c.req.valid('query').month);
      return c.json({ days, compares: comparable(ctx) !== undefined });
    },
  )
  .get(
    '/journal.csv',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Payments and refunds of a month as CSV, a line for each',
    }),
    valid('query', journalMonth),
    async (c) => {
      const ctx = c.get('ctx');
      const { month = monthOf(ctx.now()) } = c.req.valid('query');
      return c.body(await journalCsv(ctx, month), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="marche54-payments-${month}.csv"`,
      });
    },
  )
  .post(
    '/reconcile',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Compare a day with the list of the provider; changes nothing',
    }),
    valid('json', comparison),
    async (c) => c.json(await reconcile(c.get('ctx'), c.req.valid('json'))),
  )
  .post(
    '/:id/ask',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Ask the provider about a purchase now, also about one that failed or expired',
    }),
    valid('param', purchaseId),
    async (c) =>
      c.json(presentPurchase(c.get('ctx'), await askAgain(c.get('ctx'), c.req.valid('param').id))),
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
    '/:id/refund-order',
    route({
      who: admins,
      tag: 'admin',
      summary: 'Order the provider to give money back; its credits are taken back once it has',
    }),
    valid('param', purchaseId),
    valid('header', keyed),
    valid('json', refundOrder),
    async (c) =>
      c.json(
        await refundByProvider(
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
