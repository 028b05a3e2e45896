import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../api/core/context.ts';
import { Refusal } from '../../api/core/errors.ts';
import { approve } from '../../api/products/approve.ts';
import { submit } from '../../api/products/submit.ts';
import { withdraw } from '../../api/products/withdraw.ts';
import { moveInQueue } from '../../api/queue/move.ts';
import { rebuildQueue } from '../../api/queue/rebuild.ts';
import { removeFromQueue } from '../../api/queue/remove.ts';
import { restoreProduct } from '../../api/queue/restore.ts';
import { assignToSlot } from '../../api/slots/assign.ts';
import { editSlot } from '../../api/slots/edit.ts';
import { processQueue } from '../../api/slots/fill.ts';
import { pauseSlot, resumeSlot } from '../../api/slots/pause.ts';
import { removeFromSlot } from '../../api/slots/remove.ts';
import { type Db, schema } from '../../db/client.ts';
import { actors, signInAdmin } from '../support/actors.ts';
import { testApp } from '../support/app.ts';
import { draft, productRow, queueRows, slotOf } from '../support/products.ts';
import { collide } from '../support/race.ts';
import { outcomes } from '../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
const otherAdmin = await signInAdmin(market, { name: 'Other Admin' });
const pools = [market.db, ...[1, 2, 3].map(() => market.database.another({ max: 2 }).db)] as [Db, Db, Db, Db];
let asSeller: Ctx;
let one: Ctx;
let two: Ctx;
beforeAll(async () => {
  asSeller = await market.ctx(seller, { db: pools[0] });
  one = await market.ctx(admin, { db: pools[1] });
  two = await market.ctx(otherAdmin, { db: pools[2] });
});
beforeEach(() => market.reset());

type Wish = { featured?: boolean; preferred?: number | undefined };
/** A product with a photo without pixels: what is inside matters nowhere here. */
async function submitted({ featured = false, preferred }: Wish = {}): Promise<string> {
  const key = `products/x-${randomUUID()}`;
  const image = { key, width: 1, height: 1, widths: [1], colour: '#ffffff' };
  const [row] = await market.db.insert(schema.uploads).values({ key, ownerId: seller.userId, image, bytes: 1, createdAt: market.clock.now() }).returning();
  const { id } = await submit(
    asSeller,
    draft({
      images: [row?.id ?? ''],
      listingType: featured ? 'featured' : 'standard',
      durationHours: 48,
      ...(featured && preferred ? { preferredFeaturedSlot: preferred } : {}),
    }),
  );
  return id;
}
async function waiting(wish?: Wish): Promise<string> {
  const id = await submitted(wish);
  await approve(one, id);
  return id;
}
async function live(slotId = 20): Promise<string> {
  const id = await waiting();
  await assignToSlot(one, { productId: id, slotId });
  return id;
}
/** Both verbs at once, held back until both wait for the product; how they ended. */
const race = async (productId: string, first: (ctx: Ctx) => Promise<unknown>, second: (ctx: Ctx) => Promise<unknown>) => {
  const settled = await collide(market.sql, `select 1 from products where id = '${productId}' for update`, [() => first(one), () => second(two)]);
  return outcomes(settled.map((end) => (end.status === 'fulfilled' ? Promise.resolve() : Promise.reject(end.reason))));
};
const lines = async (action: string) => market.db.select().from(schema.auditLog).where(eq(schema.auditLog.action, action));
const mails = async (kind: string) => market.db.select().from(schema.outbox).where(eq(schema.outbox.kind, kind));
const order = async (queueName = 'queue:regular') => (await queueRows(market)).filter((row) => row.queueName === queueName).map((row) => row.productId);

describe('two admins at once', () => {
  test('who assign one product give it one slot', async () => {
    const id = await waiting();
    expect(
      await race(
        id,
        (ctx) => assignToSlot(ctx, { productId: id, slotId: 20 }),
        (ctx) => assignToSlot(ctx, { productId: id, slotId: 30 }),
      ),
    ).toEqual(['kept', 'queue.alreadyAssigned']);
    expect((await market.db.select().from(schema.slots).where(eq(schema.slots.active, true))).map((slot) => slot.productId)).toEqual([id]);
    expect([(await lines('slot.assign')).length, (await mails('productLive')).length]).toEqual([1, 1]);
  });

  test('who assign two products of both lanes to one slot: the second keeps its place', async () => {
    const [a, b] = [await waiting(), await waiting({ featured: true })];
    const settled = await collide(market.sql, 'select 1 from slots where id = 20 for update', [
      () => assignToSlot(one, { productId: a, slotId: 20 }),
      () => assignToSlot(two, { productId: b, slotId: 20 }),
    ]);
    const reasons = settled.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Refusal).code] : []));
    expect(reasons).toEqual(['slots.taken']);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([(await slotOf(market, a)) ? b : a]);
  });

  test('who assign two products without naming a slot get two slots', async () => {
    const [a, b] = [await waiting(), await waiting()];
    expect(await outcomes([assignToSlot(one, { productId: a }), assignToSlot(two, { productId: b })])).toEqual(['kept', 'kept']);
    expect([(await slotOf(market, a))?.id, (await slotOf(market, b))?.id].sort()).toEqual([11, 12]);
  });

  test('who remove one slot end one listing', async () => {
    const id = await live();
    expect(
      await race(
        id,
        (ctx) => removeFromSlot(ctx, 20, { productId: id }),
        (ctx) => removeFromSlot(ctx, 20, { productId: id }),
      ),
    ).toEqual(['kept', 'slots.empty']);
    expect([(await lines('slot.remove')).length, (await mails('listingStopped')).length]).toEqual([1, 1]);
  });

  test('one who removes and one who queues again: it is either', async () => {
    const id = await live();
    const ends = await race(
      id,
      (ctx) => removeFromSlot(ctx, 20, { productId: id, requeue: true }),
      (ctx) => removeFromSlot(ctx, 20, { productId: id }),
    );
    expect(ends).toEqual(['kept', 'slots.empty']);
    expect((await queueRows(market)).length).toBe((await productRow(market, id)).listingEndedAt ? 0 : 1);
  });

  test('who pause one slot pause it once, and keep the time left', async () => {
    const id = await live();
    expect(
      await race(
        id,
        (ctx) => pauseSlot(ctx, 20, id),
        (ctx) => pauseSlot(ctx, 20, id),
      ),
    ).toEqual(['kept', 'slots.paused']);
    expect((await slotOf(market, id))?.remainingDuration).toBe(72 * 3600);
    expect(
      await race(
        id,
        (ctx) => resumeSlot(ctx, 20, id),
        (ctx) => resumeSlot(ctx, 20, id),
      ),
    ).toEqual(['kept', 'slots.notPaused']);
    expect([(await lines('slot.pause')).length, (await lines('slot.resume')).length]).toEqual([1, 1]);
  });

  test('one who edits and one who removes: nothing comes back', async () => {
    const id = await live();
    const ends = await race(
      id,
      (ctx) => editSlot(ctx, 20, { productId: id, durationHours: 24 }),
      (ctx) => removeFromSlot(ctx, 20, { productId: id }),
    );
    expect(ends.filter((end) => end !== 'kept' && end !== 'slots.empty')).toEqual([]);
    expect(await slotOf(market, id)).toBeUndefined();
  });

  test('who edit what both saw: the second is told that it changed', async () => {
    const id = await live();
    market.clock.advance({ minutes: 1 });
    const seen = (await productRow(market, id)).updatedAt.toISOString();
    const save = (price: number) => (ctx: Ctx) => editSlot(ctx, 20, { productId: id, durationHours: 24, price, seen });
    expect(await race(id, save(1000), save(2000))).toEqual(['kept', 'products.changed']);
    expect(await lines('slot.edit')).toHaveLength(1);
  });

  test('who move one product past the same neighbour move it once', async () => {
    const [a, b, c] = [await waiting(), await waiting(), await waiting()];
    const up = (ctx: Ctx) => moveInQueue(ctx, c, { direction: 'up', past: b });
    expect(await race(c, up, up)).toEqual(['kept', 'queue.changed']);
    expect(await order()).toEqual([a, c, b]);
    const top = (ctx: Ctx) => moveInQueue(ctx, b, { direction: 'top' });
    expect(await race(b, top, top)).toEqual(['kept', 'queue.atTop']);
    expect(await order()).toEqual([b, a, c]);
  });

  test('who move different products of one lane move one after the other', async () => {
    const [a, b, c] = [await waiting(), await waiting(), await waiting()];
    const top = (ctx: Ctx, id: string) => moveInQueue(ctx, id, { direction: 'top' });
    // Each move's own row is held: without the lane's lock both would then put theirs before the same first one.
    const settled = await collide(market.sql, 'select 1 from queue_items for update', [() => top(one, b), () => top(two, c)]);
    expect(settled.map((end) => end.status)).toEqual(['fulfilled', 'fulfilled']);
    const [first, second, third] = await order();
    expect([first, second].sort()).toEqual([b, c].sort());
    expect(third).toBe(a);
  });

  test('who remove one product remove it once; who restore it, too', async () => {
    const id = await waiting();
    const remove = (ctx: Ctx) => removeFromQueue(ctx, id);
    const restore = (ctx: Ctx) => restoreProduct(ctx, id);
    expect(await race(id, remove, remove)).toEqual(['kept', 'queue.notFound']);
    expect(await race(id, restore, restore)).toEqual(['kept', 'queue.notRestorable']);
    expect(await order()).toEqual([id]);
    expect([(await mails('productRemoved')).length, (await mails('productRestored')).length]).toEqual([1, 1]);
  });

  test('one who assigns and one who removes from the queue: the other reads what happened', async () => {
    const id = await waiting();
    const ends = await race(
      id,
      (ctx) => assignToSlot(ctx, { productId: id }),
      (ctx) => removeFromQueue(ctx, id),
    );
    const assigned = (await slotOf(market, id)) !== undefined;
    expect(ends).toEqual(['kept', assigned ? 'queue.alreadyAssigned' : 'queue.notFound']);
    expect((await productRow(market, id)).removedAt === null).toBe(assigned);
  });

  test('a move and the seller’s withdrawal: the product is out, the others keep their order', async () => {
    const [a, b, c] = [await waiting(), await waiting(), await waiting()];
    const ends = await race(
      c,
      (ctx) => moveInQueue(ctx, c, { direction: 'top' }),
      () => withdraw({ ...asSeller, db: pools[3] }, c),
    );
    expect(ends.filter((end) => end !== 'kept' && end !== 'queue.notWaiting')).toEqual([]);
    expect(await order()).toEqual([a, b]);
  });

  test('a missing product that both move is put back once', async () => {
    const id = await waiting();
    await market.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from queue_items`;
    });
    const top = (ctx: Ctx) => moveInQueue(ctx, id, { direction: 'top' });
    expect(await race(id, top, top)).toEqual(['kept', 'queue.atTop']);
    expect(await order()).toEqual([id]);
  });

  test('an assignment and process-queue: every product has one place', async () => {
    const ids = [await waiting(), await waiting(), await waiting()];
    const ends = await outcomes([
      assignToSlot(one, { productId: ids[0] as string }),
      processQueue(market.job('process-queue', pools[2])),
      assignToSlot(two, { productId: ids[2] as string }),
      processQueue(market.job('process-queue', pools[3])),
    ]);
    expect(ends.filter((end) => end !== 'kept' && end !== 'queue.alreadyAssigned')).toEqual([]);
    expect((await Promise.all(ids.map((id) => slotOf(market, id)))).map((slot) => slot?.id).sort()).toEqual([11, 12, 13]);
  });
});

type Operation =
  | { kind: 'arrive'; featured: boolean; preferred: number | undefined }
  | { kind: 'submit'; featured: boolean }
  | { kind: 'approve' | 'withdraw' | 'up' | 'down' | 'top' | 'assign' | 'remove' | 'restore'; which: number }
  | { kind: 'pause' | 'resume' | 'edit' | 'empty' | 'requeue'; which: number }
  | { kind: 'processQueue' }
  | { kind: 'rebuild'; featured: boolean }
  | { kind: 'advance'; hours: number };

const which = fc.nat({ max: 1000 });
const moves = fc.record({ kind: fc.constantFrom('up' as const, 'down' as const, 'top' as const, 'up' as const), which });
const arrival = fc.record({
  kind: fc.constant('arrive' as const),
  featured: fc.boolean(),
  preferred: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined, freq: 2 }),
});
const arrivals = fc.array(arrival, { minLength: 8, maxLength: 8 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: arrival },
  { weight: 16, arbitrary: moves },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('submit' as const), featured: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('approve' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('assign' as const, 'assign' as const, 'remove' as const, 'restore' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'edit' as const, 'empty' as const, 'requeue' as const), which }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'processQueue' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const), featured: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.constantFrom(0, 1, 25, 49) }) },
);

const laneName = (featured: boolean) => (featured ? 'queue:featured' : 'queue:regular') as 'queue:featured' | 'queue:regular';

/** Performs an operation on a pool; answers what the verb answered, or the code of its refusal. Any other error is a bug. */
async function perform(op: Operation, db: Db, products: string[]): Promise<unknown> {
  const ctx = { ...one, db };
  const id = 'which' in op ? products[op.which % Math.max(1, products.length)] : undefined;
  try {
    switch (op.kind) {
      case 'arrive': {
        const made = await submitted(op);
        products.push(made);
        return await approve(ctx, made);
      }
      case 'submit':
        return products.push(await submitted(op));
      case 'processQueue':
        return await processQueue(market.job('process-queue', db));
      case 'rebuild':
        return await rebuildQueue(ctx, laneName(op.featured));
      case 'advance':
        return market.clock.advance({ hours: op.hours });
    }
    if (!id) return undefined;
    const slotId = (await slotOf(market, id))?.id ?? (op.which % 54) + 1;
    switch (op.kind) {
      case 'approve':
        return await approve(ctx, id);
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

async function invariants(): Promise<void> {
  const [state] = await market.sql`select
    (select count(*) from slots) as slots,
    (select count(*) from (select product_id from slots where product_id is not null group by 1 having count(*) > 1) as twice) as in_two_slots,
    (select count(*) from (select product_id from queue_items group by 1 having count(*) > 1) as twice) as queued_twice,
    (select count(*) from products p where p.status = 'approved' and 1 <> (select count(*) from slots where product_id = p.id) + (select count(*) from queue_items where product_id = p.id) + (p.listing_ended_at is not null)::int) as not_in_one_place,
    (select count(*) from products p where p.status <> 'approved' and (exists (select from slots where product_id = p.id) or exists (select from queue_items where product_id = p.id))) as placed_unapproved,
    (select count(*) from slots s join products p on p.id = s.product_id where (s.id <= 10) <> (p.listing_type = 'featured')) as in_wrong_slot,
    (select count(*) from queue_items q join products p on p.id = q.product_id where (q.queue_name = 'queue:featured') <> (p.listing_type = 'featured')) as in_wrong_lane,
    (select count(*) from slots where active <> (product_id is not null)) as half_empty,
    (select count(*) from slots where paused_at is not null and (remaining_duration is null or remaining_duration <= 0 or end_time < paused_at + interval '99 years')) as half_paused,
    (select count(*) from queue_items where position < -9000000000000000) as left_aside,
    (select count(*) from products p where p.removed_at is not null and (exists (select from slots where product_id = p.id) or exists (select from queue_items where product_id = p.id))) as placed_removed,
    (select count(*) from queue_items q join products p on p.id = q.product_id where q.priority <> (p.preferred_featured_slot is not null)::int or q.priority > 1 - q.band) as wrong_band`;
  expect(state).toEqual({
    slots: '54',
    in_two_slots: '0',
    queued_twice: '0',
    not_in_one_place: '0',
    placed_unapproved: '0',
    in_wrong_slot: '0',
    in_wrong_lane: '0',
    half_empty: '0',
    half_paused: '0',
    left_aside: '0',
    placed_removed: '0',
    wrong_band: '0',
  });
}

test('whatever admins, sellers and the job do at once over four connections, every product is in its one place', async () => {
  let performed = 0;
  const history = fc.noBias(fc.array(fc.array(operation, { minLength: 2, maxLength: 10 }), { minLength: 4, maxLength: 12, size: 'max' }));
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      await market.reset();
      const products: string[] = [];
      for (const operations of batches) {
        const ends = await Promise.allSettled(operations.map((op, n) => perform(op, pools[n % pools.length] as Db, products)));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
        performed += operations.length;
        await invariants();
      }
    }),
    { seed: 54, numRuns: 12, endOnFailure: true },
  );
  expect(performed).toBeGreaterThan(250);
}, 90_000);

/** The queue as a list: what the order rules say in words (docs/decisions/queue-order.md), and nothing else. */
class Model {
  #lanes = { 'queue:featured': [] as Item[], 'queue:regular': [] as Item[] };
  #known = new Map<string, { lane: keyof Model['order']; wish: boolean }>();

  get order() {
    return { 'queue:featured': this.#lanes['queue:featured'].map(({ id }) => id), 'queue:regular': this.#lanes['queue:regular'].map(({ id }) => id) };
  }
  #of(id: string): Item[] {
    return this.#lanes[this.#known.get(id)?.lane ?? 'queue:regular'];
  }
  know(id: string, featured: boolean, wish: boolean): void {
    this.#known.set(id, { lane: laneName(featured), wish: featured && wish });
  }
  enter(id: string): void {
    const lane = this.#of(id);
    if (!this.#known.get(id)?.wish) return void lane.push({ id, ahead: false });
    const end = lane.findIndex((item) => !item.ahead);
    lane.splice(end < 0 ? lane.length : end, 0, { id, ahead: true });
  }
  leave(id: string): void {
    const lane = this.#of(id);
    const index = lane.findIndex((item) => item.id === id);
    if (index >= 0) lane.splice(index, 1);
  }
  /** Whether it moved. */
  move(id: string, direction: 'up' | 'down' | 'top'): boolean {
    const lane = this.#of(id);
    const index = lane.findIndex((item) => item.id === id);
    const [to, from] = direction === 'up' ? [index - 1, index] : direction === 'down' ? [index, index + 1] : [0, index];
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
    fc.asyncProperty(fc.noBias(fc.tuple(arrivals, fc.array(operation, { minLength: 25, maxLength: 50, size: 'max' }))), async ([first, rest]) => {
      const operations: Operation[] = [...first, ...rest];
      await market.reset();
      const products: string[] = [];
      const model = new Model();
      for (const [n, op] of operations.entries()) {
        // A restored product's place is a matter of its own (adminqueue.test.ts).
        if (op.kind === 'restore') continue;
        // Moves mostly meet products that wait: the others are refused anyway.
        const queued = Object.values(model.order).flat();
        const among = ['up', 'down', 'top', 'assign'].includes(op.kind) && queued.length > 0 && n % 5 > 0 ? queued : products;
        const answer = await perform(op, pools[n % pools.length] as Db, among);
        const done = typeof answer === 'object';
        const id = ('which' in op ? among[op.which % Math.max(1, among.length)] : products.at(-1)) ?? '';
        if (op.kind === 'arrive' || op.kind === 'submit') model.know(id, op.featured, op.kind === 'arrive' && op.preferred !== undefined);
        if (done && (op.kind === 'arrive' || op.kind === 'approve' || op.kind === 'requeue')) model.enter(id);
        if (done && (op.kind === 'assign' || op.kind === 'remove' || op.kind === 'withdraw')) model.leave(id);
        if (op.kind === 'up' || op.kind === 'down' || op.kind === 'top') {
          expect(done).toBe(model.move(id, op.kind));
          if (done) moved++;
        }
        if (op.kind === 'processQueue') for (const { productId } of (answer as { assigned: { productId: string }[] }).assigned) model.leave(productId);
        expect({ 'queue:featured': await order('queue:featured'), 'queue:regular': await order() }).toEqual(model.order);
      }
      await invariants();
    }),
    { seed: 54, numRuns: 12, endOnFailure: true },
  );
  expect(moved).toBeGreaterThan(60);
}, 90_000);
