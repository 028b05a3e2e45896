import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { fees, markFee } from '../../../api/listings/fees.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { relist } from '../../../api/products/relist.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { approved, live, productRow, runQueue, submitted } from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, listings, auditLog } = schema;
const ofAdmin = () => market.ctx(admin);
const change = (id: string, columns: Partial<typeof products.$inferInsert>) =>
  market.db.update(products).set(columns).where(eq(products.id, id));
const listingRow = async (id: string) =>
  (await productRow(market, id)).listing as typeof listings.$inferSelect;
const listingOf = async (id: string) => (await listingRow(id)).id;
const actions = async () =>
  (await market.db.select().from(auditLog).orderBy(auditLog.id)).map((line) => line.action);
describe('a listing fee (product R31)', () => {
  const put = (id: string, body: unknown) =>
    market.call(`/api/admin/fees/${id}`, { method: 'PUT', json: body, as: admin });

  test('is marked as paid, waived and due again, with who and when, and audited', async () => {
    const { id } = await submitted(market, seller);
    const fee = await listingOf(id);
    const { feeReference: reference } = await listingRow(id);
    expect(await put(fee, { state: 'paid' })).toMatchObject({
      status: 200,
      body: { feeState: 'paid', feeMarkedAt: market.clock.now().toISOString() },
    });
    expect(await listingRow(id)).toMatchObject({
      feeState: 'paid',
      feeMarkedAt: market.clock.now(),
      feeMarkedBy: admin.userId,
      fee: 3000,
    });
    await markFee(await ofAdmin(), fee, 'waived');
    await markFee(await ofAdmin(), fee, 'due');
    expect(await listingRow(id)).toMatchObject({
      feeState: 'due',
      feeMarkedAt: null,
      feeMarkedBy: null,
      fee: 3000,
    });
    expect(await market.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
      {
        action: 'product.fee',
        subjectId: id,
        before: { feeState: 'due' },
        after: { feeState: 'paid', fee: 3000, reference },
      },
      { before: { feeState: 'paid' }, after: { feeState: 'waived' } },
      { before: { feeState: 'waived' }, after: { feeState: 'due' } },
    ]);
  });

  test('marked as it is already changes nothing', async () => {
    const fee = await listingOf((await submitted(market, seller)).id);
    await markFee(await ofAdmin(), fee, 'paid');
    market.clock.advance({ hours: 1 });
    const contexts = await Promise.all([ofAdmin(), ofAdmin()]);
    expect(await outcomes(contexts.map((ctx) => markFee(ctx, fee, 'paid')))).toEqual([
      'kept',
      'kept',
    ]);
    expect(await actions()).toEqual(['product.fee']);
  });

  test('never blocks an approval', async () => {
    const { id } = await approved(market, seller, admin);
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      listing: { feeState: 'due' },
    });
  });

  test('of a listing before stays due under its own reference when the product is listed again, and each is marked alone', async () => {
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    const first = await listingRow(id);
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    await relist(await market.ctx(seller), id);
    const second = await listingRow(id);
    expect(second).toMatchObject({ number: 2, feeState: 'due', endedAt: null });
    const due = async () => (await fees(await ofAdmin())).fees.map((fee) => fee.feeReference);
    expect(await due()).toEqual([second.feeReference, first.feeReference]);
    const mine = async () =>
      (await ownProducts(await market.ctx(seller))).products.map(
        ({ feeReference, earlierFees }) => ({ feeReference, earlierFees }),
      );
    const owed = {
      fee: 1000,
      reference: first.feeReference,
      openedAt: first.openedAt.toISOString(),
    };
    expect(await mine()).toMatchObject([
      { feeReference: second.feeReference, earlierFees: [owed] },
    ]);
    await markFee(await ofAdmin(), first.id, 'paid');
    expect(await due()).toEqual([second.feeReference]);
    expect(await mine()).toMatchObject([{ feeReference: second.feeReference, earlierFees: [] }]);
    expect(await listingRow(id)).toEqual(second);
  });

  test('that changed since it was seen is not marked over', async () => {
    const fee = await listingOf((await submitted(market, seller)).id);
    const contexts = await Promise.all([ofAdmin(), ofAdmin()]);
    const [{ feeReference: reference } = { feeReference: null }] = await market.db
      .select()
      .from(listings);
    const seen = { state: 'due' as const, reference };
    expect(
      await outcomes([
        markFee(contexts[0] as never, fee, 'paid', seen),
        markFee(contexts[1] as never, fee, 'waived', seen),
      ]),
    ).toEqual(['conflict', 'kept']);
    expect(
      await put(fee, { state: 'due', seen: { state: 'due', reference: 'another' } }),
    ).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
  });

  test('is given back only when it was paid', async () => {
    const { id } = await submitted(market, seller);
    const fee = await listingOf(id);
    await refused(markFee(await ofAdmin(), fee, 'refunded'), 'conflict');
    await markFee(await ofAdmin(), fee, 'paid');
    expect(await put(fee, { state: 'refunded' })).toMatchObject({
      status: 200,
      body: { feeState: 'refunded' },
    });
    expect((await fees(await ofAdmin(), { state: 'refunded' })).fees).toMatchObject([
      { productId: id, feeMarkedBy: 'Admin' },
    ]);
  });

  test('refuses a product without one, and what is no state', async () => {
    await refused(markFee(await ofAdmin(), randomUUID(), 'paid'), 'products.notFound');
    const fee = await listingOf((await submitted(market, seller)).id);
    for (const body of [
      {},
      { state: 'free' },
      { state: 'paid', listingFee: 1 },
      { state: 'paid', seen: { state: 'due' } },
    ])
      expect((await put(fee, body)).status, JSON.stringify(body)).toBe(400);
    await market.db.update(listings).set({ fee: null, feeState: null, feeReference: null });
    await refused(markFee(await ofAdmin(), fee, 'paid'), 'products.notFound');
  });

  test('is listed by state, newest first, a page at a time', async () => {
    const first = await submitted(market, seller);
    market.clock.advance({ minutes: 1 });
    const second = await submitted(market, seller, { listingType: 'featured' });
    const paid = await submitted(market, seller);
    await markFee(await ofAdmin(), await listingOf(paid.id), 'paid');
    const gone = await submitted(market, seller);
    await change(gone.id, { removedAt: market.clock.now() });
    const { body } = await market.call<Awaited<ReturnType<typeof fees>>>('/api/admin/fees', {
      as: admin,
    });
    expect(body.total).toBe(2);
    expect(body.fees.map((fee) => fee.productId)).toEqual([second.id, first.id]);
    expect(body.fees[0]).toMatchObject({
      listingFee: 7500,
      feeState: 'due',
      feeReference: second.feeReference,
      sellerName: seller.name,
      paymentMethod: 'mtn_momo',
    });
    expect((await fees(await ofAdmin(), { state: 'paid' })).fees).toMatchObject([
      { productId: paid.id, feeMarkedBy: 'Admin' },
    ]);
    expect(
      (await fees(await ofAdmin(), { page: 2, pageSize: 1 })).fees.map((fee) => fee.productId),
    ).toEqual([first.id]);
    expect((await market.call('/api/admin/fees?state=none', { as: admin })).status).toBe(400);
  });
});
