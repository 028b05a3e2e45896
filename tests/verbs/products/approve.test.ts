import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { enqueue } from '../../../api/listings/enqueue.ts';
import { edit } from '../../../api/products/edit.ts';
import { incompleteProducts } from '../../../api/products/integrity/integrity.ts';
import { pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { decideEdit } from '../../../api/products/review/decideEdit.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { schema } from '../../../db/client.ts';
import { actors, signUpSeller, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  draft,
  live,
  productRow,
  queueRows,
  submitted,
  uploadPhoto,
} from '../../support/products.ts';
import { collide } from '../../support/race.ts';
import { outcomes, outcomesOf, refused } from '../../support/refusals.ts';
import { plain } from '../../support/text.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
beforeEach(() => market.reset());
const { products, auditLog } = schema;
const ofAdmin = () => market.ctx(admin);
const pools = () => [
  market.database.another({ max: 2 }).db,
  market.database.another({ max: 2 }).db,
];
const lockOf = (id: string) => `select from products where id = '${id}' for update`;

describe('an approval', () => {
  test('queues the product in its lane in the same stroke', async () => {
    const featured = await submitted(market, seller, { listingType: 'featured' });
    const standard = await submitted(market, seller);
    expect(await approve(await ofAdmin(), featured.id)).toEqual({
      id: featured.id,
      queueName: 'queue:featured',
    });
    expect(await approve(await ofAdmin(), standard.id)).toEqual({
      id: standard.id,
      queueName: 'queue:regular',
    });
    expect(await productRow(market, standard.id)).toMatchObject({
      status: 'approved',
      approvedAt: market.clock.now(),
    });
    expect((await queueRows(market)).map((row) => [row.queueName, row.productId])).toEqual([
      ['queue:featured', featured.id],
      ['queue:regular', standard.id],
    ]);
  });

  test('leaves the product pending when queueing fails', async () => {
    const { id } = await submitted(market, seller);
    await market.db.execute(
      sql`create function refuse_queue() returns trigger language plpgsql as $$ begin raise exception 'no room in the queue'; end $$`,
    );
    await market.db.execute(
      sql`create trigger refuse_queue before insert on queue_items for each row execute function refuse_queue()`,
    );
    try {
      await refused(approve(await ofAdmin(), id), 'queue.pushFailed');
    } finally {
      await market.db.execute(sql`drop trigger refuse_queue on queue_items`);
    }
    expect(await productRow(market, id)).toMatchObject({ status: 'pending', approvedAt: null });
    expect(await market.db.select().from(auditLog)).toEqual([]);
    expect((await market.mails.allTo(seller.email)).map((mail) => mail.subject)).toEqual([
      '“Samsung Galaxy A14” is waiting for review',
    ]);
  });

  test('is written in the audit log with who, before and after', async () => {
    const { id } = await submitted(market, seller);
    const ctx = await ofAdmin();
    await approve(ctx, id);
    expect(await market.db.select().from(auditLog)).toMatchObject([
      {
        action: 'product.approve',
        subjectKind: 'product',
        subjectId: id,
        actorId: admin.userId,
        actorName: 'Admin',
        before: { status: 'pending' },
        after: { status: 'approved', queueName: 'queue:regular' },
        requestId: ctx.requestId,
        at: market.clock.now(),
      },
    ]);
  });

  test('is told to the seller in the seller’s language, not the admin’s', async () => {
    const { id } = await submitted(market, otherSeller, { listingType: 'featured' });
    market.clock.advance({ minutes: 1 });
    await approve(await ofAdmin(), id);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.subject)).toBe('« Samsung Galaxy A14, comme neuf » est approuvé');
    expect(mail.text).toContain('file premium');
    expect(mail.text).toContain('http://market.test/fr/seller/dashboard');
  });

  test('of two admins at once is one approval; the other reads that it was already decided', async () => {
    const { id } = await submitted(market, seller);
    const contexts = await Promise.all(pools().map((db) => market.ctx(admin, { db })));
    const ends = await collide(
      market.sql,
      lockOf(id),
      contexts.map((ctx) => () => approve(ctx, id)),
    );
    expect(outcomesOf(ends)).toEqual(['kept', 'products.notPending']);
    expect(await queueRows(market)).toHaveLength(1);
    expect(await market.db.select().from(auditLog)).toHaveLength(1);
    expect(
      (await market.mails.allTo(seller.email)).filter((mail) =>
        mail.subject.endsWith('is approved'),
      ),
    ).toHaveLength(1);
  });

  test('against a rejection at once leaves one of both', async () => {
    const { id } = await submitted(market, seller);
    const [one, two] = await Promise.all(pools().map((db) => market.ctx(admin, { db })));
    const ends = await collide<unknown>(market.sql, lockOf(id), [
      () => approve(one as Ctx, id),
      () => reject(two as Ctx, id, 'No'),
    ]);
    expect(outcomesOf(ends)).toEqual(['kept', 'products.notPending']);
    const { status } = await productRow(market, id);
    expect(await queueRows(market)).toHaveLength(status === 'approved' ? 1 : 0);
  });

  test('refuses a product that is not there, not pending, withdrawn or removed', async () => {
    await refused(approve(await ofAdmin(), randomUUID()), 'products.notFound');
    const done = await approved(market, seller, admin);
    await refused(approve(await ofAdmin(), done.id), 'products.notPending');
    const { id } = await submitted(market, seller);
    await market.db
      .update(products)
      .set({ withdrawnAt: market.clock.now() })
      .where(eq(products.id, id));
    await refused(approve(await ofAdmin(), id), 'products.notPending');
    await market.db
      .update(products)
      .set({ removedAt: market.clock.now() })
      .where(eq(products.id, id));
    await refused(approve(await ofAdmin(), id), 'products.notFound');
  });

  test('of what lacks something is refused, and says what in the language of the admin', async () => {
    const { id } = await submitted(market, seller);
    await market.db
      .update(products)
      .set({ price: null, category: null })
      .where(eq(products.id, id));
    const answer = await market.call(`/api/admin/products/${id}/approve`, {
      method: 'POST',
      as: admin,
      language: 'fr',
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: { code: 'products.incomplete', details: { missing: ['price', 'category'] } } },
    });
    expect(plain(answer.body.error.message)).toContain('Prix, Catégorie');
    expect((await productRow(market, id)).status).toBe('pending');
    const json = { ids: [id, (await submitted(market, seller)).id], action: 'approve' };
    expect(await market.call('/api/admin/products/bulk', { json, as: admin })).toMatchObject({
      body: { results: [{ outcome: 'refused', code: 'products.incomplete' }, { outcome: 'done' }] },
    });
  });

  test('that comes too late says what was decided meanwhile', async () => {
    const message = async (id: string) =>
      (await market.call(`/api/admin/products/${id}/approve`, { method: 'POST', as: admin })).body
        .error.message;
    expect(await message((await approved(market, seller, admin)).id)).toContain(
      'has been approved in the meantime',
    );
    const { id } = await submitted(market, seller);
    await reject(await ofAdmin(), id, 'No');
    expect(await message(id)).toContain('has been rejected in the meantime');
    const taken = await submitted(market, seller);
    await withdraw(await market.ctx(seller), taken.id);
    expect(await message(taken.id)).toContain('seller has taken this product back');
  });

  test('of a suspended seller’s product is refused until the suspension is lifted', async () => {
    const person = await signUpSeller(market);
    const { id } = await submitted(market, person);
    await suspend(market, person);
    await refused(approve(await ofAdmin(), id), 'sellers.isSuspended');
    await unsuspend(market, person);
    await approve(await ofAdmin(), id);
  });
});

describe('a rejection', () => {
  test('keeps its reason, tells the seller and queues nothing', async () => {
    const { id } = await submitted(market, otherSeller);
    market.clock.advance({ minutes: 1 });
    await reject(await ofAdmin(), id, 'Photos trop sombres <&>');
    expect(await productRow(market, id)).toMatchObject({
      status: 'rejected',
      rejectedAt: market.clock.now(),
      rejectedReason: 'Photos trop sombres <&>',
    });
    expect(await queueRows(market)).toEqual([]);
    const mail = await market.mails.lastTo(otherSeller.email);
    expect(plain(mail.text)).toContain('Motif : Photos trop sombres <&>');
    expect(mail.html).toContain('Photos trop sombres &lt;&amp;&gt;');
    expect(await market.db.select().from(auditLog)).toMatchObject([
      {
        action: 'product.reject',
        after: { status: 'rejected', reason: 'Photos trop sombres <&>' },
      },
    ]);
  });

  test('refuses what is not pending', async () => {
    const { id } = await approved(market, seller, admin);
    await refused(reject(await ofAdmin(), id, 'too late'), 'products.notPending');
    await refused(reject(await ofAdmin(), randomUUID(), 'nothing'), 'products.notFound');
  });
});

describe('the review is for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(`${who} neither sees nor decides`, async () => {
      const { id } = await submitted(market, seller);
      const ctx = await market.ctx(person);
      await refused(approve(ctx, id), code);
      await refused(reject(ctx, id, 'x'), code);
      await refused(pendingProducts(ctx), code);
      expect((await productRow(market, id)).status).toBe('pending');
    });
  }
});

describe('the list of pending products', () => {
  test('shows the newest first, with number and name, a page at a time', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift((await submitted(market, seller, { name: { en: `Chair ${n}` } })).id);
      market.clock.advance({ minutes: 1 });
    }
    await approved(market, seller, admin);
    const first = await pendingProducts(await ofAdmin(), { page: 1, pageSize: 3 });
    const second = await pendingProducts(await ofAdmin(), { page: 2, pageSize: 3 });
    expect(first).toMatchObject({ total: 5, page: 1 });
    expect([...first.products, ...second.products].map((product) => product.id)).toEqual(ids);
    expect(first.products[0]).toMatchObject({
      sellerName: seller.name,
      sellerWhatsapp: seller.whatsapp,
      sellerVerified: false,
      sellerSuspended: false,
      durationSeconds: 259_200,
    });
  });

  test('leaves out what was withdrawn or removed', async () => {
    const gone = await submitted(market, seller);
    await market.db
      .update(products)
      .set({ withdrawnAt: market.clock.now() })
      .where(eq(products.id, gone.id));
    const removed = await submitted(market, seller);
    await market.db
      .update(products)
      .set({ removedAt: market.clock.now() })
      .where(eq(products.id, removed.id));
    expect(await pendingProducts(await ofAdmin())).toMatchObject({ total: 0, products: [] });
  });
});

describe('the queue', () => {
  test('keeps the order of approval within a lane', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push((await approved(market, seller, admin)).id);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual(ids);
  });

  test('lets a product that names a preferred slot in ahead of the others and behind earlier ones (product R13)', async () => {
    const plain = await approved(market, seller, admin, { listingType: 'featured' });
    const wish1 = await approved(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const wish2 = await approved(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const later = await approved(market, seller, admin, { listingType: 'featured' });
    expect((await queueRows(market)).map((row) => [row.productId, row.priority])).toEqual([
      [wish1.id, 1],
      [wish2.id, 1],
      [plain.id, 0],
      [later.id, 0],
    ]);
  });

  test('stores item_data as specified', async () => {
    const { id } = await approved(market, seller, admin, {
      listingType: 'featured',
      preferredFeaturedSlot: 3,
    });
    const [row] = await queueRows(market);
    expect(row?.itemData).toEqual({
      productId: id,
      queuedAt: market.clock.now().toISOString(),
      priority: 1,
      productName: 'Samsung Galaxy A14',
      sellerName: seller.name,
      listingType: 'featured',
    });
    expect(row?.queuedAt).toEqual(market.clock.now());
  });

  test('takes ten approvals at once on two pools one after the other', async () => {
    const waiting = [];
    for (let n = 0; n < 10; n++) waiting.push(await submitted(market, seller));
    const pools = [market.database.another({ max: 5 }), market.database.another({ max: 5 })];
    const contexts = await Promise.all(
      waiting.map((_, n) => market.ctx(admin, { db: pools[n % 2]?.db ?? market.db })),
    );
    expect(
      await outcomes(waiting.map(({ id }, n) => approve(contexts[n] ?? market.job('x'), id))),
    ).toEqual(Array(10).fill('kept'));
    const rows = await queueRows(market);
    expect(new Set(rows.map((row) => row.productId)).size).toBe(10);
    expect(new Set(rows.map((row) => row.position)).size).toBe(10);
  });

  test('refuses a product that is not there, and one that already waits', async () => {
    await refused(
      inTransaction(market.job('x'), (tx) => enqueue(tx, randomUUID(), 'approved')),
      'queue.pushFailed',
    );
    const { id } = await approved(market, seller, admin);
    await expect(
      inTransaction(market.job('x'), (tx) => enqueue(tx, id, 'approved')),
    ).rejects.toThrow();
    expect(await queueRows(market)).toHaveLength(1);
  });
});

test('a failing mail does not undo an approval: it waits in the outbox', async () => {
  const send = vi.spyOn(market.mails.mailer, 'send');
  market.mails.refuse('450 mailbox busy');
  const { id } = await approved(market, seller, admin);
  await market.mails.deliver();
  expect(send).toHaveBeenCalled();
  expect((await productRow(market, id)).status).toBe('approved');
  send.mockRestore();
});

test('the lists of the review say what can be done with each, as the verbs would', async () => {
  const person = await signUpSeller(market);
  const whole = await submitted(market, seller);
  const lacking = await submitted(market, seller);
  const held = await submitted(market, person);
  const change = await live(market, person, admin);
  const {
    durationHours: _d,
    listingType: _l,
    paymentMethod: _p,
    ...changes
  } = draft({ images: [await uploadPhoto(market, person)] });
  await edit(await market.ctx(person), change.id, changes);
  await market.db.update(products).set({ price: null }).where(eq(products.id, lacking.id));
  await suspend(market, person);
  const read = new Map(
    (await pendingProducts(await ofAdmin())).products.map((product) => [product.id, product]),
  );
  expect(read.get(whole.id)).toMatchObject({ missing: [], can: { approve: true } });
  expect(read.get(lacking.id)).toMatchObject({
    missing: ['price'],
    can: { approve: false, approveAnyway: true },
  });
  expect(read.get(held.id)).toMatchObject({
    sellerSuspended: true,
    can: { approve: false, approveAnyway: false, recheck: false },
  });
  expect((await pendingEdits(await ofAdmin())).edits).toMatchObject([
    { id: change.id, can: { approve: false } },
  ]);
  await refused(decideEdit(await ofAdmin(), change.id, 'approve'), 'sellers.isSuspended');
  await market.db.update(products).set({ price: null }).where(eq(products.id, held.id));
  const report = new Map(
    (await incompleteProducts(await ofAdmin())).products.map((product) => [product.id, product]),
  );
  expect(report.get(held.id)).toMatchObject({
    seller_suspended: true,
    can: { recheck: false, approveAnyway: false },
  });
  expect(report.get(lacking.id)).toMatchObject({
    seller_suspended: false,
    can: { recheck: true, approveAnyway: true },
  });
  await unsuspend(market, person);
  expect((await pendingEdits(await ofAdmin())).edits).toMatchObject([{ can: { approve: true } }]);
});
