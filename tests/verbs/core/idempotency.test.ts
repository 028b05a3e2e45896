import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetIdempotencyKeys, once } from '../../../api/core/idempotency.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { submit } from '../../../api/products/submit.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { draft, submitted, uploadPhoto } from '../../support/products.ts';
import { refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const products = () => market.db.select().from(schema.products);
const keys = () => market.db.select().from(schema.idempotencyKeys);

describe('the same key', () => {
  test('makes a repeated submission the same product, with the first answer', async () => {
    const images = [await uploadPhoto(market, seller)];
    const first = await submitted(market, seller, { images }, 'key-0001');
    market.clock.advance({ hours: 1 });
    const again = await submitted(market, seller, { images }, 'key-0001');
    expect(again).toEqual(first);
    expect(await products()).toHaveLength(1);
    expect(await market.mails.allTo(seller.email)).toHaveLength(1);
  });

  test('sent ten times at once over two pools makes one product, and all read the same answer', async () => {
    const images = [await uploadPhoto(market, seller)];
    const pools = [market.database.another({ max: 5 }), market.database.another({ max: 5 })];
    const contexts = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        market.ctx(seller, { db: pools[n % 2]?.db ?? market.db }),
      ),
    );
    const answers = await Promise.all(
      contexts.map((ctx) => submit(ctx, draft({ images }), 'key-0002')),
    );
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(await products()).toHaveLength(1);
  });

  test('with another request is refused and changes nothing', async () => {
    const images = [await uploadPhoto(market, seller)];
    await submitted(market, seller, { images }, 'key-0003');
    await refused(
      submitted(market, seller, { images, price: 70_000 }, 'key-0003'),
      'idempotencyMismatch',
    );
    expect(await products()).toHaveLength(1);
  });

  test('of somebody else is another key', async () => {
    await submitted(market, seller, {}, 'key-0004');
    await submitted(market, otherSeller, {}, 'key-0004');
    expect(await products()).toHaveLength(2);
  });

  test('can be used again when the first try failed', async () => {
    await refused(
      submitted(market, seller, { images: [randomUUID()] }, 'key-0005'),
      'uploads.notFound',
    );
    expect(await keys()).toEqual([]);
    await submitted(market, seller, {}, 'key-0005');
    expect(await products()).toHaveLength(1);
  });
});

test('without a key every request is a new one', async () => {
  await submitted(market, seller);
  await submitted(market, seller);
  expect(await products()).toHaveLength(2);
  expect(await keys()).toEqual([]);
});

test('a second request waits for the first and then runs itself when that one failed', async () => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const first = inTransaction(market.job('x'), (tx) =>
    once(tx, 'owner', 'key-0006', {}, async () => {
      started.resolve();
      await gate.promise;
      throw new Error('the first one failed');
    }),
  );
  await started.promise;
  const second = inTransaction(market.job('x'), (tx) =>
    once(tx, 'owner', 'key-0006', {}, async () => 'the second one ran'),
  );
  gate.resolve();
  await expect(first).rejects.toThrow('the first one failed');
  expect(await second).toBe('the second one ran');
});

test('keys are forgotten as late as drafts, after 30 days, and not before', async () => {
  await submitted(market, seller, {}, 'key-0007');
  market.clock.advance({ days: 30 });
  expect(await forgetIdempotencyKeys(market.job('forget-idempotency-keys'))).toBe(0);
  market.clock.advance({ milliseconds: 1 });
  expect(await forgetIdempotencyKeys(market.job('forget-idempotency-keys'))).toBe(1);
  expect(await keys()).toEqual([]);
});

describe('what an admin decides and sends again, because the answer was lost', () => {
  const decide = (path: string, json: object = {}, key: string = randomUUID()) =>
    market.call<object>(`/api/admin/${path}`, {
      as: admin,
      json,
      headers: { 'idempotency-key': key },
    });
  async function twice(path: string, json: object = {}) {
    const key = randomUUID();
    const [first, again] = [await decide(path, json, key), await decide(path, json, key)];
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await decide(path, json)).status).toBe(409);
  }

  test('is done and not refused: an approval, an assignment, a removed product that is restored, a rejection', async () => {
    const { id } = await submitted(market, seller);
    await twice(`products/${id}/approve`);
    await decide(`queue/${id}/remove`);
    await twice(`queue/${id}/restore`);
    await twice(`queue/${id}/assign`);
    const other = await submitted(market, seller);
    await decide(`products/${other.id}/approve`);
    await twice('slots/30/assign', { productId: other.id });
    const third = await submitted(market, seller);
    await twice(`products/${third.id}/reject`, { reason: 'The photos are not of this product' });
    const told = (await market.mails.allTo(seller.email)).filter(({ subject }) =>
      /approved|rejected|restored/i.test(subject),
    );
    expect(told).toHaveLength(4);
  });
});
