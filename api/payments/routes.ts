import { Hono } from 'hono';
import { activeSellers, everyone, signedIn } from '../core/access.ts';
import { keyed } from '../credits/schema.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { Refusal } from '../shared/errors.ts';
import { phone } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { buyCredits } from './buy.ts';
import { cancelPurchase } from './cancelPurchase.ts';
import { feeForm, networkOfNumber, sealTyped } from './feeForm.ts';
import { hearCallback } from './hearCallback.ts';
import { payFee } from './payFee.ts';
import { ownLimit, ownPurchase, ownPurchases, presentPurchase } from './reads.ts';
import {
  adapterName,
  feeForm as feeFields,
  feeOrder,
  feeQuery,
  limitQuery,
  order,
  payerNumber,
  purchaseId,
} from './schema.ts';

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
      const { method, ...payer } = c.req.valid('json');
      return c.json(
        presentPurchase(
          ctx,
          await buyCredits(ctx, method, c.req.valid('header')['idempotency-key'], payer),
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
      const { reference, ...payer } = c.req.valid('json');
      return c.json(presentPurchase(ctx, await payFee(ctx, reference, key, payer)), 201);
    },
  )
  .get(
    '/fees',
    route({ who: activeSellers, tag: 'selling', summary: 'A fee of one’s own, to be paid' }),
    valid('query', feeQuery),
    async (c) => {
      const { reference, kept } = c.req.valid('query');
      return c.json(await feeForm(c.get('ctx'), reference, kept));
    },
  )
  .post(
    '/network',
    route({
      who: signedIn,
      tag: 'selling',
      summary: 'Mobile money network of a number, as its provider predicts it',
    }),
    valid('json', payerNumber),
    async (c) => c.json(await networkOfNumber(c.get('ctx'), c.req.valid('json').number)),
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
  valid('form', feeFields),
  async (c) => {
    const ctx = c.get('ctx');
    const { reference, key, phone: typed, network } = c.req.valid('form');
    const back = (said: string) => {
      const query = new URLSearchParams({ fee: reference, said });
      if (typed) query.set('kept', sealTyped(ctx, typed));
      return c.redirect(`/${ctx.language}/pay?${query}`, 303);
    };
    const number = phone.safeParse(typed);
    if (typed && !number.success) return back('payments.numberMissing');
    try {
      const payer = { phone: number.data, ...(network ? { network } : {}) };
      const { id } = await payFee(ctx, reference, key, payer);
      return c.redirect(`/${ctx.language}/pay/${id}`, 303);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return back(error.code);
    }
  },
);
