import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { enqueue } from '../../../api/listings/enqueue.ts';
import { markSold } from '../../../api/products/markSold.ts';
import { relist } from '../../../api/products/relist.ts';
import { approve } from '../../../api/products/review/approve.ts';
import { reject } from '../../../api/products/review/reject.ts';
import { submit } from '../../../api/products/submit.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { moveInQueue } from '../../../api/queue/move.ts';
import { rebuildQueue } from '../../../api/queue/rebuild.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import { verifyQueue } from '../../../api/queue/verify.ts';
import { Refusal } from '../../../api/shared/errors.ts';
import { premiumCount, slotCount } from '../../../api/shared/slots.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import { type Db, postgresCode, schema } from '../../../db/client.ts';
import { actors, suspend, unsuspend } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { expectInvariants } from '../../support/invariants.ts';
import { draft, photoRow, slotOf } from '../../support/products.ts';
import { type LaneName, orderOf } from '../../support/queue.ts';
import { rare } from '../../support/rare.ts';

const market = await testApp();
const { seller, otherSeller, admin } = await actors(market);
const pools = [market.db, ...[1, 2, 3].map(() => market.database.another({ max: 2 }).db)];
let asSeller: Ctx;
let asAdmin: Ctx;
beforeAll(async () => {
  asSeller = await market.ctx(seller);
  asAdmin = await market.ctx(admin);
});

type Arrival = {
  featured: boolean;
  preferred?: number | undefined;
  hours?: 24 | 48;
  byAdmin?: boolean;
};
/** Operations in any order and concurrently; `which` picks one of the products. */
type Operation =
  | ({ kind: 'arrive' | 'submit' } & Arrival)
  | {
      kind: 'approve' | 'withdraw' | 'up' | 'down' | 'top' | 'assign' | 'remove' | 'restore';
      which: number;
    }
  | { kind: 'pause' | 'resume' | 'edit' | 'empty' | 'requeue'; which: number }
  | { kind: 'reject' | 'enqueueAgain' | 'markSold' | 'relist'; which: number }
  | { kind: 'processQueue' | 'suspend' | 'unsuspend' }
  | { kind: 'rebuild'; featured: boolean }
  | { kind: 'advance'; hours: number };

const which = fc.nat({ max: 1000 });
const moves = fc.record({
  kind: fc.constantFrom('up' as const, 'down' as const, 'top' as const, 'up' as const),
  which,
});
const arrival = fc.record({
  kind: fc.constant('arrive' as const),
  featured: fc.boolean(),
  preferred: fc.option(fc.integer({ min: 1, max: premiumCount }), { nil: undefined, freq: 2 }),
});
const arrivals = fc.array(arrival, { minLength: 8, maxLength: 8 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: arrival },
  { weight: 16, arbitrary: moves },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('submit' as const), featured: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'assign' as const,
        'assign' as const,
        'remove' as const,
        'restore' as const,
      ),
      which,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pause' as const,
        'resume' as const,
        'edit' as const,
        'empty' as const,
        'requeue' as const,
      ),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'processQueue' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rebuild' as const), featured: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      hours: fc.constantFrom(0, 1, 25, 49),
    }),
  },
);

/** Operations that the list model below ignores. */
const anything: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 32, arbitrary: operation },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('submit' as const, 'arrive' as const),
      featured: fc.boolean(),
      preferred: fc.option(fc.integer({ min: 1, max: premiumCount }), { nil: undefined }),
      hours: fc.constantFrom(24 as const, 48 as const),
      byAdmin: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...([
          'approve',
          'approve',
          'reject',
          'enqueueAgain',
          'markSold',
          'withdraw',
          'relist',
        ] as const),
      ),
      which,
    }),
  },
  // Weighted up, because most of these are refused.
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...([
          'pause',
          'resume',
          'resume',
          'edit',
          'requeue',
          'empty',
          'remove',
          'restore',
        ] as const),
      ),
      which,
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'processQueue' as const }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom({ kind: 'suspend' as const }, { kind: 'unsuspend' as const }),
  },
);

const laneName = (featured: boolean): LaneName => (featured ? 'queue:featured' : 'queue:regular');

async function submitted(
  { featured, preferred, hours = 48, byAdmin = false }: Arrival,
  db: Db,
): Promise<string> {
  const { id } = await submit(
    { ...(byAdmin ? asAdmin : asSeller), db },
    draft({
      images: [await photoRow(market, byAdmin ? admin : seller)],
      listingType: featured ? 'featured' : 'standard',
      durationHours: hours,
      ...(featured && preferred !== undefined ? { preferredFeaturedSlot: preferred } : {}),
      ...(byAdmin ? { sellerId: otherSeller.sellerId as string } : {}),
    }),
  );
  return id;
}

/** Returns the verb's result or the code of its refusal. Any other error is a bug. */
async function perform(op: Operation, db: Db, products: string[]): Promise<unknown> {
  const ctx = { ...asAdmin, db };
  const id = 'which' in op ? products[op.which % Math.max(1, products.length)] : undefined;
  try {
    switch (op.kind) {
      case 'arrive': {
        const made = await submitted(op, db);
        products.push(made);
        return await approve(ctx, made);
      }
      case 'submit':
        return products.push(await submitted(op, db));
      case 'processQueue':
        return await processQueue(market.job('process-queue', db));
      case 'rebuild':
        return await rebuildQueue(ctx, laneName(op.featured));
      case 'suspend':
        return await suspend(market, otherSeller);
      case 'unsuspend':
        return await unsuspend(market, otherSeller);
      case 'advance':
        return market.clock.advance({ hours: op.hours });
    }
    if (!id) return undefined;
    const slotId = (await slotOf(market, id))?.id ?? (op.which % slotCount) + 1;
    switch (op.kind) {
      case 'approve':
        return await approve(ctx, id);
      case 'reject':
        return await reject(ctx, id, 'No');
      case 'enqueueAgain':
        return await enqueuedAgain(ctx, id);
      case 'markSold':
        return await markSold({ ...asSeller, db }, id);
      case 'relist':
        return await relist({ ...asSeller, db }, id);
      case 'withdraw':
        return await withdraw({ ...asSeller, db }, id);
      case 'up':
      case 'down':
      case 'top':
        return await moveInQueue(ctx, id, { direction: op.kind });
      case 'assign':
        return await assignToSlot(ctx, { productId: id });
      case 'remove':
        return await removeFromQueue(ctx, id);
      case 'restore':
        return await restoreProduct(ctx, id);
      case 'pause':
        return await pauseSlot(ctx, slotId, id);
      case 'resume':
        return await resumeSlot(ctx, slotId, id);
      case 'edit':
        return await editSlot(ctx, slotId, { productId: id, durationHours: 24 });
      default:
        return await removeFromSlot(ctx, slotId, { productId: id, requeue: op.kind === 'requeue' });
    }
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** The database's refusal of a second place is an expected result too. */
async function enqueuedAgain(ctx: Ctx, id: string): Promise<unknown> {
  return inTransaction(ctx, (tx) => enqueue(tx, id, 'synced')).catch((error) => {
    const code = postgresCode(error);
    if (code === '23505' || code === '23514') return code;
    throw error;
  });
}

test('whatever happens at once over four connections, every product is in its one place', async () => {
  let performed = 0;
  const history = fc.noBias(
    fc.array(fc.array(anything, { minLength: 2, maxLength: 10 }), {
      minLength: 4,
      maxLength: 14,
      size: 'max',
    }),
  );
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      await market.reset();
      await unsuspend(market, otherSeller);
      const products: string[] = [];
      for (const operations of batches) {
        const ends = await Promise.allSettled(
          operations.map((op, n) => perform(op, pools[n % pools.length] as Db, products)),
        );
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
        performed += operations.length;
        await expectInvariants(market);
      }
      // Replaying the log gives the actual order, whatever ran concurrently (decision 056).
      expect((await verifyQueue(market.job('verify-queue'))).faults).toEqual([]);
      // At the end every waiting product gets a slot, or none is free.
      await unsuspend(market, otherSeller);
      const last = await processQueue(market.job('process-queue'));
      await expectInvariants(market);
      const waiting = await market.db.select().from(schema.queueItems);
      const free = await market.sql<
        { premium: number; standard: number }[]
      >`select count(*) filter (where id <= ${premiumCount})::int as premium, count(*) filter (where id > ${premiumCount})::int as standard from slots where not active`;
      if (waiting.some((row) => row.queueName === 'queue:featured'))
        expect(free[0]?.premium).toBe(0);
      if (waiting.some((row) => row.queueName === 'queue:regular'))
        expect(free[0]?.standard).toBe(0);
      expect(last.availableSlots).toBe((free[0]?.premium ?? 0) + (free[0]?.standard ?? 0));
    }),
    { seed: 54, numRuns: rare ? 22 : 5, endOnFailure: true },
  );
  expect(performed).toBeGreaterThan(rare ? 600 : 120);
}, 240_000);

/** The queue as a plain list, by the order rules alone (decision 056). */
class Model {
  #lanes = { 'queue:featured': [] as Item[], 'queue:regular': [] as Item[] };
  #known = new Map<string, { lane: keyof Model['order']; preferred: boolean }>();

  get order() {
    return {
      'queue:featured': this.#lanes['queue:featured'].map(({ id }) => id),
      'queue:regular': this.#lanes['queue:regular'].map(({ id }) => id),
    };
  }
  #of(id: string): Item[] {
    return this.#lanes[this.#known.get(id)?.lane ?? 'queue:regular'];
  }
  know(id: string, featured: boolean, preferred: boolean): void {
    this.#known.set(id, { lane: laneName(featured), preferred: featured && preferred });
  }
  enter(id: string): void {
    const lane = this.#of(id);
    if (!this.#known.get(id)?.preferred) return void lane.push({ id, ahead: false });
    const end = lane.findIndex((item) => !item.ahead);
    lane.splice(end < 0 ? lane.length : end, 0, { id, ahead: true });
  }
  leave(id: string): void {
    const lane = this.#of(id);
    const index = lane.findIndex((item) => item.id === id);
    if (index >= 0) lane.splice(index, 1);
  }
  /** Returns true if the item moved. */
  move(id: string, direction: 'up' | 'down' | 'top'): boolean {
    const lane = this.#of(id);
    const index = lane.findIndex((item) => item.id === id);
    const [to, from] =
      direction === 'up'
        ? [index - 1, index]
        : direction === 'down'
          ? [index, index + 1]
          : [0, index];
    const item = lane[from];
    const passed = lane[to];
    if (index < 0 || !item || !passed || to === from) return false;
    lane.splice(from, 1);
    lane.splice(to, 0, { ...item, ahead: direction === 'top' || item.ahead || passed.ahead });
    return true;
  }
}
type Item = { id: string; ahead: boolean };

test('one after the other, the queue is in the order of a simple list', async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.noBias(
        fc.tuple(arrivals, fc.array(operation, { minLength: 25, maxLength: 50, size: 'max' })),
      ),
      async ([first, rest]) => {
        const operations: Operation[] = [...first, ...rest];
        await market.reset();
        const products: string[] = [];
        const model = new Model();
        for (const [n, op] of operations.entries()) {
          // A restored product's place is tested in restore.test.ts.
          if (op.kind === 'restore') continue;
          // Moves mostly pick waiting products: the others are refused anyway.
          const queued = Object.values(model.order).flat();
          const among =
            ['up', 'down', 'top', 'assign'].includes(op.kind) && queued.length > 0 && n % 5 > 0
              ? queued
              : products;
          const answer = await perform(op, pools[n % pools.length] as Db, among);
          const done = typeof answer === 'object';
          const id =
            ('which' in op ? among[op.which % Math.max(1, among.length)] : products.at(-1)) ?? '';
          if (op.kind === 'arrive' || op.kind === 'submit')
            model.know(id, op.featured, op.kind === 'arrive' && op.preferred !== undefined);
          if (done && (op.kind === 'arrive' || op.kind === 'approve' || op.kind === 'requeue'))
            model.enter(id);
          if (done && (op.kind === 'assign' || op.kind === 'remove' || op.kind === 'withdraw'))
            model.leave(id);
          if (op.kind === 'up' || op.kind === 'down' || op.kind === 'top') {
            expect(done).toBe(model.move(id, op.kind));
            if (done) moved++;
          }
          if (op.kind === 'processQueue')
            for (const { productId } of (answer as { assigned: { productId: string }[] }).assigned)
              model.leave(productId);
          expect({
            'queue:featured': await orderOf(market, 'queue:featured'),
            'queue:regular': await orderOf(market),
          }).toEqual(model.order);
        }
        await expectInvariants(market);
      },
    ),
    { seed: 54, numRuns: rare ? 12 : 5, endOnFailure: true },
  );
  expect(moved).toBeGreaterThan(rare ? 60 : 20);
}, 240_000);

test('the order of a lane is the order of approval, with preferences ahead, whatever is approved at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }),
      async (preferring) => {
        await market.reset();
        const made: string[] = [];
        for (const prefers of preferring) {
          const images = [await photoRow(market, seller)];
          const { id } = await submit(
            asSeller,
            draft({
              images,
              listingType: 'featured',
              ...(prefers ? { preferredFeaturedSlot: 5 } : {}),
            }),
          );
          made.push(id);
        }
        await Promise.all(
          made.map((id, n) => approve({ ...asAdmin, db: pools[n % pools.length] as Db }, id)),
        );
        const rows = await market.sql<
          { priority: number; position: string; band: number }[]
        >`select priority, position, band from queue_items order by band, position`;
        expect(rows.map((row) => row.priority)).toEqual(
          [...preferring].map(Number).sort((a, b) => b - a),
        );
        expect(new Set(rows.map((row) => `${row.band}:${row.position}`)).size).toBe(
          preferring.length,
        );
      },
    ),
    { seed: 54, numRuns: rare ? 10 : 4 },
  );
}, 240_000);
