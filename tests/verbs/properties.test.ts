import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { Refusal } from '../../api/core/errors.ts';
import { inTransaction } from '../../api/core/transaction.ts';
import { approve, reject } from '../../api/products/approve.ts';
import { relist } from '../../api/products/relist.ts';
import { submit } from '../../api/products/submit.ts';
import { markSold, withdraw } from '../../api/products/withdraw.ts';
import { enqueue } from '../../api/queue/enqueue.ts';
import { processQueue } from '../../api/slots/fill.ts';
import { type Db, postgresCode, schema } from '../../db/client.ts';
import { actors, suspend, unsuspend } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { draft } from '../support/products.ts';

/** What may happen to the market, in any order and at the same time; `which` picks a product among those there are. */
type Operation =
  | { kind: 'submit'; featured: boolean; preferred: number | undefined; hours: 24 | 48; byAdmin: boolean }
  | { kind: 'approve' | 'reject' | 'enqueueAgain' | 'withdraw' | 'markSold' | 'relist'; which: number }
  | { kind: 'processQueue' }
  | { kind: 'suspend' | 'unsuspend' };
type Batch = { advanceHours: number; operations: Operation[] };

const which = fc.nat({ max: 1000 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      featured: fc.boolean(),
      preferred: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
      hours: fc.constantFrom(24 as const, 48 as const),
      byAdmin: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('approve' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('enqueueAgain' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('withdraw' as const, 'markSold' as const, 'relist' as const, 'relist' as const), which }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'processQueue' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'suspend' as const }, { kind: 'unsuspend' as const }) },
);
const history: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({ advanceHours: fc.constantFrom(0, 0, 1, 23, 24, 49), operations: fc.array(operation, { minLength: 1, maxLength: 10 }) }),
  { minLength: 3, maxLength: 14 },
);

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const pools = [market.db, ...[1, 2, 3].map(() => market.database.another({ max: 2 }).db)];
let asSeller: Ctx;
let asAdmin: Ctx;
beforeAll(async () => {
  asSeller = await market.ctx(seller);
  asAdmin = await market.ctx(admin);
});

/** A photo without pixels: what is inside matters nowhere here. */
async function photoOf(ownerId: string): Promise<string> {
  const key = `products/x-${randomUUID()}`;
  const [row] = await market.db
    .insert(schema.uploads)
    .values({ key, ownerId, image: { key, width: 1, height: 1, widths: [1], colour: '#ffffff' }, bytes: 1, createdAt: market.clock.now() })
    .returning();
  return row?.id ?? '';
}

async function perform(op: Operation, db: Db, products: string[]): Promise<void> {
  const id = 'which' in op ? products[op.which % Math.max(1, products.length)] : undefined;
  switch (op.kind) {
    case 'submit': {
      const images = [await photoOf(op.byAdmin ? admin.userId : seller.userId)];
      const wish = op.featured && op.preferred !== undefined ? { preferredFeaturedSlot: op.preferred } : {};
      const owner = op.byAdmin ? { sellerId: otherSeller.sellerId as string } : {};
      const { id: made } = await submit(
        { ...(op.byAdmin ? asAdmin : asSeller), db },
        draft({ images, listingType: op.featured ? 'featured' : 'standard', durationHours: op.hours, ...wish, ...owner }),
      );
      products.push(made);
      return;
    }
    case 'approve':
      if (id) await approve({ ...asAdmin, db }, id);
      return;
    case 'reject':
      if (id) await reject({ ...asAdmin, db }, id, 'No');
      return;
    case 'enqueueAgain':
      if (id) await inTransaction({ ...asAdmin, db }, (tx) => enqueue(tx, id));
      return;
    case 'withdraw':
      if (id) await withdraw({ ...asSeller, db }, id);
      return;
    case 'markSold':
      if (id) await markSold({ ...asSeller, db }, id);
      return;
    case 'relist':
      if (id) await relist({ ...asSeller, db }, id);
      return;
    case 'processQueue':
      await processQueue(market.job('process-queue', db));
      return;
    case 'suspend':
      return suspend(market, otherSeller);
    case 'unsuspend':
      return unsuspend(market, otherSeller);
  }
}

/** Lifts the suspension, if there is one. */
const lift = () => unsuspend(market, otherSeller).catch((error) => expect(error).toBeInstanceOf(Refusal));

/** A refusal is an answer; so is the database's no to a second place of a product. Anything else is a bug. */
const expected = (error: unknown) => error instanceof Refusal || postgresCode(error) === '23505' || postgresCode(error) === '23514';

async function invariants(): Promise<void> {
  const [state] = await market.sql`select
    (select array_agg(id order by id) from slots) as slots,
    (select count(*) from (select product_id from slots where product_id is not null group by 1 having count(*) > 1) as twice) as in_two_slots,
    (select count(*) from (select product_id from queue_items group by 1 having count(*) > 1) as twice) as queued_twice,
    (select count(*) from products p where p.status = 'approved' and 1 <> (select count(*) from slots where product_id = p.id) + (select count(*) from queue_items where product_id = p.id) + (p.listing_ended_at is not null)::int) as not_in_one_place,
    (select count(*) from products p where p.status <> 'approved' and (exists (select from slots where product_id = p.id) or exists (select from queue_items where product_id = p.id))) as placed_unapproved,
    (select count(*) from slots s join products p on p.id = s.product_id where (s.id <= 10) <> (p.listing_type = 'featured')) as in_wrong_slot,
    (select count(*) from queue_items q join products p on p.id = q.product_id where (q.queue_name = 'queue:featured') <> (p.listing_type = 'featured')) as in_wrong_lane,
    (select count(*) from slots where active <> (product_id is not null)) as half_empty`;
  expect(state).toEqual({
    slots: Array.from({ length: 54 }, (_, n) => n + 1),
    in_two_slots: '0',
    queued_twice: '0',
    not_in_one_place: '0',
    placed_unapproved: '0',
    in_wrong_slot: '0',
    in_wrong_lane: '0',
    half_empty: '0',
  });
}

test('whatever happens at once over four connections, every product is in its one place', async () => {
  let performed = 0;
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      await market.reset();
      await lift();
      const products: string[] = [];
      for (const { advanceHours, operations } of batches) {
        market.clock.advance({ hours: advanceHours });
        const ends = await Promise.allSettled(operations.map((op, n) => perform(op, pools[n % pools.length] as Db, products)));
        for (const end of ends) if (end.status === 'rejected' && !expected(end.reason)) throw end.reason;
        performed += operations.length;
        await invariants();
      }
      // In the end everybody who waits gets a place, or there is none left.
      await lift();
      const last = await processQueue(market.job('process-queue'));
      await invariants();
      const waiting = await market.db.select().from(schema.queueItems);
      const free = await market.sql<
        { premium: number; standard: number }[]
      >`select count(*) filter (where id <= 10)::int as premium, count(*) filter (where id > 10)::int as standard from slots where not active`;
      if (waiting.some((row) => row.queueName === 'queue:featured')) expect(free[0]?.premium).toBe(0);
      if (waiting.some((row) => row.queueName === 'queue:regular')) expect(free[0]?.standard).toBe(0);
      expect(last.availableSlots).toBe((free[0]?.premium ?? 0) + (free[0]?.standard ?? 0));
    }),
    { seed: 54, numRuns: 15, endOnFailure: true },
  );
  expect(performed).toBeGreaterThan(300);
}, 60_000);

test('the order of a lane is the order of approval, with wishes ahead, whatever is approved at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), async (wishes) => {
      await market.reset();
      const made: string[] = [];
      for (const wish of wishes) {
        const images = [await photoOf(seller.userId)];
        const { id } = await submit(asSeller, draft({ images, listingType: 'featured', ...(wish ? { preferredFeaturedSlot: 5 } : {}) }));
        made.push(id);
      }
      await Promise.all(made.map((id, n) => approve({ ...asAdmin, db: pools[n % pools.length] as Db }, id)));
      const rows = await market.sql<
        { priority: number; position: string; band: number }[]
      >`select priority, position, band from queue_items order by band, position`;
      expect(rows.map((row) => row.priority)).toEqual([...wishes].map(Number).sort((a, b) => b - a));
      expect(new Set(rows.map((row) => `${row.band}:${row.position}`)).size).toBe(wishes.length);
    }),
    { seed: 54, numRuns: 10 },
  );
}, 60_000);
