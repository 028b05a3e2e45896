import { beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, resetMarket } from '../../support/database.ts';
import { rawLeave } from '../../support/queueEntries.ts';
import { endedRow, rawRows, refusal, rowTime, stamp, started } from '../../support/rows.ts';

/**
 * An approved product is in exactly one of queue, slot and ended; any other is in none
 * (db/migrations, `product_place`).
 */
const database = await freshDatabase();
const { sql } = database;
const { begin, product, queue, open, listing, queued, placed } = rawRows(sql);
beforeEach(() => resetMarket(database, { accounts: true }));

describe('the place of a product, judged at commit', () => {
  /** Creates a product and runs the steps in the same transaction. */
  const put =
    (
      columns: Record<string, unknown>,
      ...steps: ('queue' | 'slot' | 'listing' | 'ended' | 'shown')[]
    ) =>
    async (tx: typeof sql) => {
      const id = await product(columns, tx);
      const step = {
        queue: () => queue(id, 1, tx),
        slot: () => open(20, id, tx),
        listing: () => listing(id, {}, tx),
        ended: () => listing(id, endedRow(), tx),
        shown: () => listing(id, started(20), tx),
      };
      for (const name of steps) await step[name]();
    };
  const approved = stamp('approved');
  const cases: [string, (tx: typeof sql) => Promise<void>, string][] = [
    [
      'an approved product with an open listing in neither queue nor slot is refused',
      put(approved, 'listing'),
      'product_place',
    ],
    ['an approved product without any listing is refused', put(approved), 'product_place'],
    ['an approved product in its queue is kept', put(approved, 'queue', 'listing'), 'kept'],
    ['one in its queue without a listing is refused', put(approved, 'queue'), 'product_place'],
    ['an approved product in a slot is kept', put(approved, 'slot', 'shown'), 'kept'],
    [
      'one in a slot that its listing does not name is refused',
      put(approved, 'slot', 'listing'),
      'product_place',
    ],
    [
      'one in its queue whose listing names a slot is refused',
      put(approved, 'queue', 'shown'),
      'product_place',
    ],
    ['an approved product whose listing has ended is kept', put(approved, 'ended'), 'kept'],
    [
      'an approved product in queue and slot is refused',
      put(approved, 'queue', 'slot', 'shown'),
      'product_place',
    ],
    ['an ended product in a queue is refused', put(approved, 'queue', 'ended'), 'product_place'],
    ['an ended product in a slot is refused', put(approved, 'slot', 'ended'), 'product_place'],
    [
      'an "active" product from an old import is held to the same',
      put(stamp('active'), 'listing'),
      'product_place',
    ],
    ['a pending product in a queue is refused', put({}, 'queue', 'listing'), 'product_place'],
    ['a pending product in a slot is refused', put({}, 'slot', 'shown'), 'product_place'],
    [
      'a rejected product in a queue is refused',
      put(stamp('rejected'), 'queue', 'listing'),
      'product_place',
    ],
    ['a pending product in neither is kept', put({}, 'listing'), 'kept'],
    [
      'a pending product whose listing has ended is refused',
      put({}, 'ended'),
      'product_ended_was_approved',
    ],
    [
      'a sale of a listing that goes on is refused',
      put({ ...approved, sold_at: rowTime() }, 'queue', 'listing'),
      'product_gone_is_ended',
    ],
    [
      'a withdrawal of a listing that goes on is refused',
      put({ ...approved, withdrawn_at: rowTime() }, 'queue', 'listing'),
      'product_gone_is_ended',
    ],
    [
      'a removal of a listing that goes on is refused',
      put({ ...approved, removed_at: rowTime() }, 'queue', 'listing'),
      'product_gone_is_ended',
    ],
  ];
  for (const [name, work, outcome] of cases)
    test(name, async () => expect(await refusal(begin(work))).toBe(outcome));

  test('refuses to take a product out of its queue and put it nowhere', async () => {
    const id = await queued();
    expect(await refusal(begin((tx) => rawLeave(tx, id)))).toBe('product_place');
  });

  test('refuses to empty a slot without ending the listing', async () => {
    await placed(7);
    expect(
      await refusal(
        sql`update slots set active = false, product_id = null, start_time = null, end_time = null where id = 7`,
      ),
    ).toBe('product_place');
  });

  test('refuses to end a listing that is still in its slot', async () => {
    const id = await placed(7);
    expect(
      await refusal(
        sql`update listings set ended_at = greatest(now(), started_at, opened_at), end_reason = 'time' where product_id = ${id}`,
      ),
    ).toBe('product_place');
  });

  test('refuses to swap another product into a slot while the first stays without a place', async () => {
    await placed(7);
    const other = await queued();
    const swap = begin(async (tx) => {
      await rawLeave(tx, other);
      return tx`update slots set product_id = ${other} where id = 7`;
    });
    expect(await refusal(swap)).toBe('product_place');
  });

  test('lets a product move from queue to slot to ended within transactions', async () => {
    const id = await queued();
    const start = begin(async (tx) => {
      await rawLeave(tx as never, id);
      await tx`update listings set ${tx(started(30))} where product_id = ${id}`;
      return open(30, id, tx);
    });
    expect(await refusal(start)).toBe('kept');
    const end = begin(async (tx) => {
      await tx`update slots set active = false, product_id = null, start_time = null, end_time = null where id = 30`;
      return tx`update listings set ended_at = greatest(now(), started_at, opened_at), end_reason = 'time' where product_id = ${id}`;
    });
    expect(await refusal(end)).toBe('kept');
  });

  test('holds when two transactions place one product at the same time', async () => {
    const id = await queued();
    const [one, two] = [database.another({ max: 1 }), database.another({ max: 1 })];
    const gone = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const move = one.sql.begin(async (tx) => {
      await rawLeave(tx as never, id);
      await open(31, id, tx as never);
      opened.resolve();
      await gone.promise;
      await tx`update listings set ${tx(started(31))} where product_id = ${id} and ended_at is null`;
    });
    // This transaction still sees the queue row, and ends the listing as well.
    const end = two.sql.begin(async (tx) => {
      await opened.promise;
      await tx`update listings set ended_at = greatest(now(), started_at, opened_at), end_reason = 'time' where product_id = ${id}`;
      gone.resolve();
    });
    const outcomes = await Promise.all([refusal(move), refusal(end)]);
    expect(outcomes.filter((outcome) => outcome === 'kept').length).toBeLessThanOrEqual(1);
    const [places] =
      await sql`select (select count(*) from slots where product_id = ${id}) + (select count(*) from queue_items where product_id = ${id})
      - (select count(*) from listings where product_id = ${id} and ended_at is null) as n`;
    expect(Number(places?.n)).toBe(0);
  });
});
