import { Hono } from 'hono';
import { activeSellers, admins, moderators } from '../core/access.ts';
import { type AppEnv, route, valid } from '../http/route.ts';
import { repeatable } from '../shared/fields.ts';
import { pageQuery } from '../shared/paging.ts';
import { correct } from './correct.ts';
import { edit as editProduct } from './edit.ts';
import { adminProduct, ownProduct } from './form.ts';
import { markSold } from './markSold.ts';
import { feePayees, ownProducts, pendingEdits, pendingProducts } from './reads.ts';
import { relist } from './relist.ts';
import { relistAtEnd } from './relistAtEnd.ts';
import { decideMany } from './review/bulk.ts';
import { decide } from './review/decide.ts';
import { decideEdit } from './review/decideEdit.ts';
import {
  again,
  approval,
  bulkDecision,
  correction,
  edit,
  editDecision,
  editVerdict,
  productId,
  rejection,
  submission,
} from './schema.ts';
import { submit } from './submit.ts';
import { withdraw } from './withdraw.ts';

/** Routes of a seller's products (product §7). */
export const productRoutes = new Hono<AppEnv>()
  .post(
    '/',
    route({
      who: ['seller', 'admin'],
      tag: 'selling',
      summary: 'Submit a product: a seller’s waits for review, an admin’s is approved and queued',
      status: 201,
    }),
    valid('header', repeatable),
    valid('json', submission),
    async (c) =>
      c.json(
        await submit(c.get('ctx'), c.req.valid('json'), c.req.valid('header')['idempotency-key']),
        201,
      ),
  )
  .post(
    '/:id/withdraw',
    route({ who: activeSellers, tag: 'selling', summary: 'Take an own product back' }),
    valid('param', productId),
    async (c) => c.json(await withdraw(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/sold',
    route({ who: activeSellers, tag: 'selling', summary: 'Mark an own product as sold' }),
    valid('param', productId),
    async (c) => c.json(await markSold(c.get('ctx'), c.req.valid('param').id)),
  )
  .post(
    '/:id/relist',
    route({ who: activeSellers, tag: 'selling', summary: 'List an ended product again as it is' }),
    valid('param', productId),
    async (c) => c.json(await relist(c.get('ctx'), c.req.valid('param').id)),
  )
  .put(
    '/:id/again',
    route({
      who: activeSellers,
      tag: 'selling',
      summary: 'Have a live product listed again as soon as its time is up, or not after all',
    }),
    valid('param', productId),
    valid('json', again),
    async (c) =>
      c.json(await relistAtEnd(c.get('ctx'), c.req.valid('param').id, c.req.valid('json').wanted)),
  )
  .put(
    '/:id',
    route({
      who: activeSellers,
      tag: 'selling',
      summary: 'Change an own product; a listed one waits for review beside its old version',
    }),
    valid('param', productId),
    valid('json', edit),
    async (c) =>
      c.json(await editProduct(c.get('ctx'), c.req.valid('param').id, c.req.valid('json'))),
  )
  .get(
    '/:id/own',
    route({
      who: activeSellers,
      tag: 'selling',
      summary: 'An own product with everything that its form shows',
    }),
    valid('param', productId),
    async (c) => c.json(await ownProduct(c.get('ctx'), c.req.valid('param').id)),
  )
  .get(
    '/payees',
    route({
      who: ['seller', 'admin'],
      tag: 'selling',
      summary: 'Whom to pay a listing’s fee, by method',
    }),
    async (c) => c.json(await feePayees(c.get('ctx'))),
  )
  .get(
    '/mine',
    route({
      who: ['seller'],
      tag: 'selling',
      summary: 'The acting seller’s own products, newest first',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await ownProducts(c.get('ctx'), { page: c.req.valid('query').page })),
  );

/** Routes of the review (product §7 Admin). */
export const adminProductRoutes = new Hono<AppEnv>()
  .get(
    '/pending',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Products that wait for review, newest first',
    }),
    valid('query', pageQuery()),
    async (c) => c.json(await pendingProducts(c.get('ctx'), { page: c.req.valid('query').page })),
  )
  .post(
    '/:id/approve',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Approve a pending product and put it in its queue',
    }),
    valid('param', productId),
    valid('header', repeatable),
    valid('query', approval),
    async (c) =>
      c.json(
        await decide(
          c.get('ctx'),
          c.req.valid('param').id,
          { action: 'approve' },
          c.req.valid('query').seen,
          c.req.valid('header')['idempotency-key'],
        ),
      ),
  )
  .post(
    '/:id/edit/:decision',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Put a seller’s change on the product, or drop it',
    }),
    valid('param', editDecision),
    valid('json', editVerdict),
    async (c) => {
      const { id, decision } = c.req.valid('param');
      return c.json(await decideEdit(c.get('ctx'), id, decision, c.req.valid('json')));
    },
  )
  .post(
    '/:id/reject',
    route({ who: moderators, tag: 'admin', summary: 'Reject a pending product with a reason' }),
    valid('param', productId),
    valid('header', repeatable),
    valid('json', rejection),
    async (c) => {
      const { reason, seen } = c.req.valid('json');
      return c.json(
        await decide(
          c.get('ctx'),
          c.req.valid('param').id,
          { action: 'reject', reason },
          seen,
          c.req.valid('header')['idempotency-key'],
        ),
      );
    },
  )
  .get(
    '/edits',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Changes of listed products that wait for review, newest first',
    }),
    async (c) => c.json(await pendingEdits(c.get('ctx'))),
  )
  .get(
    '/:id',
    route({
      who: admins,
      tag: 'admin',
      summary: 'A product with everything that its form shows, and what it lacks',
    }),
    valid('param', productId),
    async (c) => c.json(await adminProduct(c.get('ctx'), c.req.valid('param').id)),
  )
  .put(
    '/:id',
    route({
      who: admins,
      tag: 'admin',
      summary:
        'Fill in what a product lacks; its duration and payment method only where none was chosen',
    }),
    valid('param', productId),
    valid('json', correction),
    async (c) => c.json(await correct(c.get('ctx'), c.req.valid('param').id, c.req.valid('json'))),
  )
  .post(
    '/bulk',
    route({
      who: moderators,
      tag: 'admin',
      summary: 'Approve or reject up to 50 pending products; answers what happened to each',
    }),
    valid('json', bulkDecision),
    async (c) => c.json({ results: await decideMany(c.get('ctx'), c.req.valid('json')) }),
  );
