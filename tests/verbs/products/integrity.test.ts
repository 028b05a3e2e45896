import { randomUUID } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { fees, markFee } from '../../../api/listings/fees.ts';
import { approveAnyway } from '../../../api/products/integrity/approveAnyway.ts';
import {
  type IncompleteProduct,
  incompleteProducts,
  incomplete as reported,
} from '../../../api/products/integrity/integrity.ts';
import { recheck } from '../../../api/products/integrity/recheck.ts';
import { missingFields } from '../../../api/products/rules.ts';
import { suspendSeller } from '../../../api/sellers/suspend.ts';
import { unsuspendSeller } from '../../../api/sellers/unsuspendSeller.ts';
import { schema } from '../../../db/client.ts';
import { actors } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import {
  approved,
  live,
  productRow,
  queueRows,
  runQueue,
  slotOf,
  submitted,
} from '../../support/products.ts';
import { outcomes, refused } from '../../support/refusals.ts';

const market = await testApp();
const { member, seller, otherSeller, suspendedSeller, admin } = await actors(market);
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
async function incomplete(): Promise<string> {
  const { id } = await submitted(market, seller);
  await change(id, { price: null, category: null });
  return id;
}

describe('the report of incomplete products', () => {
  test('has the specified columns, newest first, and nothing that is complete', async () => {
    const first = await incomplete();
    market.clock.advance({ minutes: 1 });
    await submitted(market, seller);
    const second = await approved(market, otherSeller, admin);
    await change(second.id, { name: null, sellerName: null });
    const { body } = await market.call<{ total: number; products: IncompleteProduct[] }>(
      '/api/admin/integrity',
      { as: admin, language: 'fr' },
    );
    expect(body.total).toBe(2);
    expect(body.products).toEqual([
      {
        id: second.id,
        product_name: 'Produit sans nom',
        status: 'approved',
        seller_name: otherSeller.name,
        seller_suspended: false,
        missing_fields: ['name', 'seller_name'],
        can: { approve: false, approveAnyway: false, recheck: true },
        created_at: market.clock.now().toISOString(),
      },
      {
        id: first,
        product_name: 'Samsung Galaxy A14, comme neuf',
        status: 'pending',
        seller_name: seller.name,
        seller_suspended: false,
        missing_fields: ['price', 'category'],
        can: { approve: false, approveAnyway: true, recheck: true },
        created_at: (await productRow(market, first)).createdAt.toISOString(),
      },
    ]);
  });

  test('leaves out what is over', async () => {
    const removed = await incomplete();
    await change(removed, { removedAt: market.clock.now() });
    const withdrawn = await incomplete();
    await change(withdrawn, { withdrawnAt: market.clock.now() });
    const { id } = await live(market, seller, admin, { durationHours: 24 });
    market.clock.advance({ hours: 24 });
    await runQueue(market);
    await change(id, { images: [], imagesDeletedAt: market.clock.now() });
    expect(await incompleteProducts(await ofAdmin())).toMatchObject({ total: 0, products: [] });
  });

  test('comes a page at a time out of ten thousand', async () => {
    await market.sql`insert into products (slug, status, created_at)
      select 'p-' || n, 'pending', '2026-01-01'::timestamptz + n * interval '1 minute' from generate_series(1, 10000) n`;
    const page = await incompleteProducts(await ofAdmin(), { page: 200 });
    expect(page).toMatchObject({ total: 10_000, page: 200 });
    expect(page.products).toHaveLength(50);
    expect(page.products.at(-1)?.created_at).toBe('2026-01-01T00:01:00.000Z');
    expect((await market.call('/api/admin/integrity?page=0', { as: admin })).status).toBe(400);
  });

  test('lists exactly what the rule calls incomplete', async () => {
    const text = (min: number) =>
      fc.oneof(
        fc.constantFrom(
          '',
          ' ',
          '\u00a0\u2003\ufeff',
          'a',
          'ab',
          ' abc ',
          '\u200b\u200b',
          '📱',
          '📱a',
          '📱📱',
          'x'.repeat(min - 1),
          `\u3000${'x'.repeat(min)}\n`,
        ),
        fc
          .string({ unit: 'grapheme', maxLength: min + 2 })
          .map((value) => value.replaceAll('\0', '')),
      );
    const bilingual = (min: number) =>
      fc.oneof(
        fc.constant(null),
        text(min),
        fc.record({ en: text(min) }),
        fc.record({ en: fc.constant('x'.repeat(40)) }),
        fc.constant({ fr: 'Seulement' }),
      );
    const full = <T>(value: T, ...others: T[]) =>
      fc.oneof(
        { weight: 12, arbitrary: fc.constant(value) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      );
    const image = { key: 'products/x', width: 1, height: 1, widths: [320], colour: '#fff' };
    const row = fc.record({
      name: fc.oneof({ weight: 3, arbitrary: fc.constant({ en: 'Chair' }) }, bilingual(3)),
      description: fc.oneof(
        { weight: 3, arbitrary: fc.constant({ en: 'A chair with four legs' }) },
        bilingual(10),
      ),
      images: full([image], []),
      price: full<number | null>(100, null, 0, 99),
      durationSeconds: full<number | null>(86_400, null),
      category: full<'food' | null>('food', null),
      sellerName: full<string | null>('Ngo', null, '', ' \u00a0'),
      sellerWhatsapp: full<string | null>('+237699001234', null),
      sellerLocation: full<string | null>('Douala', null, ' '),
      city: full<string | null>('Douala', null, '\t'),
      paymentMethod: full<'cash' | null>('cash', null),
    });
    const rows = fc.sample(row, { numRuns: 1500, seed: 54 }).map((columns) => ({
      ...(JSON.parse(JSON.stringify(columns)) as typeof columns),
      id: randomUUID(),
    }));
    for (let n = 0; n < rows.length; n += 500)
      await market.db
        .insert(products)
        .values(
          rows
            .slice(n, n + 500)
            .map(
              (columns) =>
                ({ ...columns, slug: `p-${columns.id}` }) as typeof products.$inferInsert,
            ),
        );
    const listed = await incompleteProducts(await ofAdmin(), { pageSize: 5000 });
    const lacking = rows.filter((columns) => missingFields(columns as never).length > 0);
    expect(lacking.length).toBeGreaterThan(200);
    expect(lacking.length).toBeLessThan(1400);
    expect(listed.products.map((product) => product.id).sort()).toEqual(
      lacking.map((columns) => columns.id).sort(),
    );
    for (const product of listed.products) expect(product.missing_fields.length).toBeGreaterThan(0);
  });
});

describe('a recheck', () => {
  test('approves and queues what is complete now, as an approval does', async () => {
    const id = await incomplete();
    await change(id, { price: 5000, category: 'food' });
    expect(
      await market.call(`/api/admin/integrity/${id}/recheck`, { method: 'POST', as: admin }),
    ).toMatchObject({
      status: 200,
      body: { id, approved: true, missing_fields: [] },
    });
    expect(await productRow(market, id)).toMatchObject({
      status: 'approved',
      approvedAt: market.clock.now(),
    });
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    expect((await market.mails.allTo(seller.email)).map((mail) => mail.subject)).toContain(
      '“Samsung Galaxy A14” is approved',
    );
    expect(await actions()).toEqual(['product.approve', 'product.recheck']);
  });

  test('leaves what still lacks something, and says what', async () => {
    const id = await incomplete();
    expect(await recheck(await ofAdmin(), id)).toEqual({
      id,
      approved: false,
      missing_fields: ['price', 'category'],
    });
    expect((await productRow(market, id)).status).toBe('pending');
    expect(await queueRows(market)).toEqual([]);
    expect(await market.db.select().from(auditLog)).toMatchObject([
      {
        action: 'product.recheck',
        subjectId: id,
        before: { status: 'pending' },
        after: { status: 'pending', missing_fields: ['price', 'category'] },
      },
    ]);
  });

  test('of a listed product answers whether it is complete, and moves nothing', async () => {
    const { id } = await live(market, seller, admin);
    const slot = await slotOf(market, id);
    expect((await recheck(await ofAdmin(), id)).approved).toBe(true);
    await change(id, { price: null });
    expect((await recheck(await ofAdmin(), id)).approved).toBe(false);
    expect(await slotOf(market, id)).toEqual(slot);
  });

  test('leaves the product pending when queueing fails (product R14)', async () => {
    const { id } = await submitted(market, seller);
    await market.db.execute(
      sql`create function refuse_queue() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
    );
    await market.db.execute(
      sql`create trigger refuse_queue before insert on queue_items for each row execute function refuse_queue()`,
    );
    try {
      await expect(recheck(await ofAdmin(), id)).rejects.toThrow();
      await expect(approveAnyway(await ofAdmin(), id)).rejects.toThrow();
    } finally {
      await market.db.execute(sql`drop trigger refuse_queue on queue_items`);
      await market.db.execute(sql`drop function refuse_queue`);
    }
    expect((await productRow(market, id)).status).toBe('pending');
    expect(await actions()).toEqual([]);
  });
});

describe('Approve Anyway', () => {
  test('approves and queues with what is missing, and it can go live', async () => {
    const id = await incomplete();
    await change(id, { durationSeconds: null, name: null });
    expect(
      await market.call(`/api/admin/integrity/${id}/approve`, { method: 'POST', as: admin }),
    ).toMatchObject({
      status: 200,
      body: { approved: true, missing_fields: ['name', 'price', 'duration_seconds', 'category'] },
    });
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([id]);
    expect(
      await market.db.select().from(auditLog).where(eq(auditLog.action, 'product.approveAnyway')),
    ).toMatchObject([
      {
        subjectId: id,
        actorId: admin.userId,
        before: {
          status: 'pending',
          missing_fields: ['name', 'price', 'duration_seconds', 'category'],
        },
      },
    ]);
    await runQueue(market);
    expect((await slotOf(market, id))?.endTime).toEqual(
      new Date(market.clock.now().getTime() + 6 * 3_600_000),
    );
  });

  test('is one of two admins’ at once', async () => {
    const id = await incomplete();
    const contexts = [
      await ofAdmin(),
      await market.ctx(admin, { db: market.database.another({ max: 2 }).db }),
    ];
    expect(await outcomes(contexts.map((ctx) => approveAnyway(ctx, id)))).toEqual([
      'kept',
      'products.notPending',
    ]);
    expect(await queueRows(market)).toHaveLength(1);
  });
});

for (const [name, verb] of [
  ['a recheck', recheck],
  ['Approve Anyway', approveAnyway],
] as const) {
  describe(`${name} refuses`, () => {
    test('what is not there, removed, rejected or withdrawn', async () => {
      await refused(verb(await ofAdmin(), randomUUID()), 'products.notFound');
      const { id } = await submitted(market, seller);
      await change(id, { withdrawnAt: market.clock.now() });
      await refused(verb(await ofAdmin(), id), 'products.notPending');
      await change(id, { withdrawnAt: null, status: 'rejected', rejectedAt: market.clock.now() });
      await refused(verb(await ofAdmin(), id), 'products.notPending');
      await change(id, { removedAt: market.clock.now() });
      await refused(verb(await ofAdmin(), id), 'products.notFound');
    });

    test('what has ended', async () => {
      const { id } = await live(market, seller, admin, { durationHours: 24 });
      market.clock.advance({ hours: 24 });
      await runQueue(market);
      await refused(verb(await ofAdmin(), id), 'products.notPending');
    });

    test('a suspended seller’s product', async () => {
      const { id } = await submitted(market, otherSeller);
      await suspendSeller(await ofAdmin(), otherSeller.sellerId ?? '', 'x');
      try {
        await refused(verb(await ofAdmin(), id), 'sellers.isSuspended');
        expect((await productRow(market, id)).status).toBe('pending');
      } finally {
        await unsuspendSeller(await ofAdmin(), otherSeller.sellerId ?? '');
      }
    });
  });
}

describe('integrity and fees are for admins alone:', () => {
  for (const [who, person, code] of [
    ['a visitor', undefined, 'signInRequired'],
    ['a member', member, 'forbidden'],
    ['a seller', seller, 'forbidden'],
    ['a suspended seller', suspendedSeller, 'forbidden'],
  ] as const) {
    test(who, async () => {
      const id = await incomplete();
      const fee = await listingOf(id);
      const ctx = await market.ctx(person);
      for (const work of [
        incompleteProducts(ctx),
        recheck(ctx, id),
        approveAnyway(ctx, id),
        fees(ctx),
        markFee(ctx, fee, 'paid'),
      ])
        await refused(work, code);
      expect(await productRow(market, id)).toMatchObject({
        status: 'pending',
        listing: { feeState: 'due' },
      });
    });
  }
});

test('the report reads its own index and looks into no other product (db/migrations)', async () => {
  const { sql: text, params } = new PgDialect().sqlToQuery(reported() as SQL);
  expect(params).toEqual([]);
  const plan = await market.sql.begin(async (tx) => {
    // The table is empty here, so cheaper plans are switched off.
    await tx.unsafe(
      'set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off',
    );
    return tx.unsafe(
      `explain select id from products where ${text} order by created_at desc, id limit 50`,
    );
  });
  const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
  expect(lines).toMatch(/Scan using products_incomplete_idx/);
  expect(lines).not.toMatch(/Sort/);
  // Besides the index, only the few listings in it are filtered.
  expect(lines.match(/Filter: .*/g)?.join()).not.toMatch(/btrim|removed_at/);
});
