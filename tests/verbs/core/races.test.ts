import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { approve } from '../../../api/products/review/approve.ts';
import type { Submission } from '../../../api/products/schema.ts';
import { submit } from '../../../api/products/submit.ts';
import { withdraw } from '../../../api/products/withdraw.ts';
import { moveInQueue } from '../../../api/queue/move.ts';
import { removeFromQueue } from '../../../api/queue/remove.ts';
import { restoreProduct } from '../../../api/queue/restore.ts';
import type { Refusal } from '../../../api/shared/errors.ts';
import { assignToSlot } from '../../../api/slots/assign.ts';
import { editSlot } from '../../../api/slots/edit.ts';
import { processQueue } from '../../../api/slots/fill.ts';
import { pauseSlot } from '../../../api/slots/pause.ts';
import { removeFromSlot } from '../../../api/slots/remove.ts';
import { resumeSlot } from '../../../api/slots/resumeSlot.ts';
import { type Db, schema } from '../../../db/client.ts';
import { actors, signInAdmin } from '../../support/actors.ts';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit.ts';
import { draft, photoRow, productRow, queueRows, slotOf } from '../../support/products.ts';
import { featured, loseFromQueue, orderOf } from '../../support/queue.ts';
import { collide } from '../../support/race.ts';
import { outcomes } from '../../support/refusals.ts';

const market = await testApp();
const { seller, admin } = await actors(market);
const otherAdmin = await signInAdmin(market, { name: 'Other Admin' });
const pools = [market.db, ...[1, 2, 3].map(() => market.database.another({ max: 2 }).db)] as [
  Db,
  Db,
  Db,
  Db,
];
let asSeller: Ctx;
let one: Ctx;
let two: Ctx;
beforeAll(async () => {
  asSeller = await market.ctx(seller, { db: pools[0] });
  one = await market.ctx(admin, { db: pools[1] });
  two = await market.ctx(otherAdmin, { db: pools[2] });
});
beforeEach(() => market.reset());

async function waiting(input: Partial<Submission> = {}): Promise<string> {
  const { id } = await submit(
    asSeller,
    draft({ images: [await photoRow(market, seller)], durationHours: 48, ...input }),
  );
  await approve(one, id);
  return id;
}
async function live(slotId = 20): Promise<string> {
  const id = await waiting();
  await assignToSlot(one, { productId: id, slotId });
  return id;
}
/** Runs both verbs once both wait for the product's lock, and returns their outcomes. */
const race = async (
  productId: string,
  first: (ctx: Ctx) => Promise<unknown>,
  second: (ctx: Ctx) => Promise<unknown>,
) => {
  const settled = await collide(
    market.sql,
    `select 1 from products where id = '${productId}' for update`,
    [() => first(one), () => second(two)],
  );
  return outcomes(
    settled.map((end) =>
      end.status === 'fulfilled' ? Promise.resolve() : Promise.reject(end.reason),
    ),
  );
};
const lines = (action: string) => auditLines(market, action);
const mails = async (kind: string) =>
  market.db.select().from(schema.outbox).where(eq(schema.outbox.kind, kind));
const order = () => orderOf(market);

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
    expect(
      (await market.db.select().from(schema.slots).where(eq(schema.slots.active, true))).map(
        (slot) => slot.productId,
      ),
    ).toEqual([id]);
    expect([(await lines('slot.assign')).length, (await mails('productLive')).length]).toEqual([
      1, 1,
    ]);
  });

  test('who assign two products of both lanes to one slot: the second keeps its place', async () => {
    const [a, b] = [await waiting(), await waiting(featured)];
    const settled = await collide(market.sql, 'select 1 from slots where id = 20 for update', [
      () => assignToSlot(one, { productId: a, slotId: 20 }),
      () => assignToSlot(two, { productId: b, slotId: 20 }),
    ]);
    const reasons = settled.flatMap((end) =>
      end.status === 'rejected' ? [(end.reason as Refusal).code] : [],
    );
    expect(reasons).toEqual(['slots.taken']);
    expect((await queueRows(market)).map((row) => row.productId)).toEqual([
      (await slotOf(market, a)) ? b : a,
    ]);
  });

  test('who assign two products without naming a slot get two slots', async () => {
    const [a, b] = [await waiting(), await waiting()];
    expect(
      await outcomes([assignToSlot(one, { productId: a }), assignToSlot(two, { productId: b })]),
    ).toEqual(['kept', 'kept']);
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
    expect([(await lines('slot.remove')).length, (await mails('listingStopped')).length]).toEqual([
      1, 1,
    ]);
  });

  test('one who removes and one who queues again: it is either', async () => {
    const id = await live();
    const ends = await race(
      id,
      (ctx) => removeFromSlot(ctx, 20, { productId: id, requeue: true }),
      (ctx) => removeFromSlot(ctx, 20, { productId: id }),
    );
    expect(ends).toEqual(['kept', 'slots.empty']);
    expect((await queueRows(market)).length).toBe(
      (await productRow(market, id)).listing?.endedAt ? 0 : 1,
    );
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
    expect([(await lines('slot.pause')).length, (await lines('slot.resume')).length]).toEqual([
      1, 1,
    ]);
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
    const save = (price: number) => (ctx: Ctx) =>
      editSlot(ctx, 20, { productId: id, durationHours: 24, price, seen });
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
    // Each move locks its own row: without the lane's lock both would go before the same first
    // item.
    const settled = await collide(market.sql, 'select 1 from queue_items for update', [
      () => top(one, b),
      () => top(two, c),
    ]);
    expect(settled.map((end) => end.status)).toEqual(['fulfilled', 'fulfilled']);
    const [first, second, third] = await order();
    expect([first, second].sort()).toEqual([b, c].sort());
    expect(third).toBe(a);
  });

  test('who remove one product remove it once; who restore it, too', async () => {
    const id = await waiting();
    const remove = (ctx: Ctx) => removeFromQueue(ctx, id);
    const restore = (ctx: Ctx) => restoreProduct(ctx, id);
    expect(await race(id, remove, remove)).toEqual(['kept', 'queue.removed']);
    expect(await race(id, restore, restore)).toEqual(['kept', 'queue.notRestorable']);
    expect(await order()).toEqual([id]);
    expect([
      (await mails('productRemoved')).length,
      (await mails('productRestored')).length,
    ]).toEqual([1, 1]);
  });

  test('one who assigns and one who removes from the queue: the other reads what happened', async () => {
    const id = await waiting();
    const ends = await race(
      id,
      (ctx) => assignToSlot(ctx, { productId: id }),
      (ctx) => removeFromQueue(ctx, id),
    );
    const assigned = (await slotOf(market, id)) !== undefined;
    expect(ends).toEqual(['kept', assigned ? 'queue.alreadyAssigned' : 'queue.removed']);
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
    await loseFromQueue(market, id);
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
    expect(
      (await Promise.all(ids.map((id) => slotOf(market, id)))).map((slot) => slot?.id).sort(),
    ).toEqual([11, 12, 13]);
  });
});
