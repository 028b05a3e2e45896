import { Hono } from 'hono';
import { activeSellers, everyone, signedIn } from '../core/access.ts';
import { keyed } from '../credits/schema.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { pageQuery } from '../shared/paging.ts';
import { buyCredits } from './buy.ts';
import { cancelPurchase } from './cancelPurchase.ts';
import { hearCallback } from './hearCallback.ts';
import { payFee } from './payFee.ts';
import { ownLimit, ownPurchase, ownPurchases, presentPurchase } from './reads.ts';
import { adapterName, feeForm, feeOrder, limitQuery, order, purchaseId } from './schema.ts';

/** Member routes to credit purchases (product R37, R38). */
export const purchaseRoutes = new Hono<AppEnv>()
  .get(
    '/purchases',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'One’s own purchases, newest first, with the pack and the ways to pay it',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await ownPurchases(c.get('ctx'), c.req.valid('query'))),
  )
  .post(
    '/purchases',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Buy the pack of credits, within the weekly limit',
      status: 201,
    }),
    valid('header', keyed),
    valid('json', order),
    async (c) => {
      const ctx = c.get('ctx');
      return c.json(
        presentPurchase(
          ctx,
          await buyCredits(
            ctx,
            c.req.valid('json').method,
            c.req.valid('header')['idempotency-key'],
          ),
        ),
        201,
      );
    },
  )
  .post(
    '/purchases/:id/cancel',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Take back a cash purchase that is not paid yet',
    }),
    valid('param', purchaseId),
    async (c) =>
      c.json(
        presentPurchase(c.get('ctx'), await cancelPurchase(c.get('ctx'), c.req.valid('param').id)),
      ),
  )
  .get(
    '/weekly-limit',
    route({
      who: signedIn,
      tag: 'connect',
      summary: 'Whether one may buy for so many dollars this week; for the pack unless told',
    }),
    valid('query', limitQuery),
    async (c) => c.json(await ownLimit(c.get('ctx'), c.req.valid('query').amount_usd)),
  );

/** Payments of credits and of fees. */
export const paymentRoutes = new Hono<AppEnv>()
  .post(
    '/fees',
    route({
      who: activeSellers,
      tag: 'selling',
      summary: 'Begin to pay the due fee of one’s own listing by mobile money',
      status: 201,
    }),
    valid('header', keyed),
    valid('json', feeOrder),
    async (c) => {
      const ctx = c.get('ctx');
      const key = c.req.valid('header')['idempotency-key'];
      return c.json(
        presentPurchase(ctx, await payFee(ctx, c.req.valid('json').reference, key)),
        201,
      );
    },
  )
  .get(
    '/:id',
    route({
      who: signedIn,
      tag: 'selling',
      summary: 'One’s own payment, asked about if that is due',
    }),
    valid('param', purchaseId),
    async (c) => c.json(await ownPurchase(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:adapter/callback',
    route({
      who: everyone,
      tag: 'connect',
      summary: 'A provider says that it is time to ask about a payment',
      status: 202,
    }),
    valid('param', adapterName),
    async (c) => {
      await hearCallback(
        c.get('ctx'),
        c.req.valid('param').adapter,
        await c.req.text(),
        c.req.raw.headers,
      );
      return c.json({ received: true }, 202);
    },
  );

/** The form of a listing's fee, with and without scripts; outcomes go to a page of their own. */
export const paymentForms = new Hono<AppEnv>().post(
  '/pay/fee',
  route({ who: activeSellers, tag: 'selling', summary: 'Begin to pay a listing’s fee' }),
  valid('form', feeForm),
  async (c) => {
    const ctx = c.get('ctx');
    const { reference, key } = c.req.valid('form');
    try {
      const { id } = await payFee(ctx, reference, key);
      return c.redirect(`/${ctx.language}/pay/${id}`, 303);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return c.redirect(`/${ctx.language}/seller/dashboard?said=${error.code}`, 303);
    }
  },
);
