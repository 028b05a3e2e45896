import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, resetMarket } from '../support/database.ts';
import { rowTime } from '../support/rows.ts';

/** Places in line are sums over counted stretches (migration 0005): whatever happens to the line, they equal what counting finds. */
const database = await freshDatabase();
const { sql } = database;
beforeEach(() => resetMarket(database, { accounts: true }));

type Lane = 'queue:featured' | 'queue:regular';
/** Rows without the verbs around them: products in no state, so that nothing but the line is looked at. */
async function insert(rows: { lane: Lane; band: number; position: number }[], client = sql) {
  const items = rows.map(({ lane, band, position }) => ({ id: randomUUID(), lane, band, position }));
  await client.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into products ${tx(items.map(({ id }) => ({ id, slug: `p-${id}`, status: 'pending' })))}`;
    const values = items.map(({ id, lane, band, position }) => ({
      product_id: id,
      queue_name: lane,
      priority: 0,
      band,
      position,
      queued_at: rowTime(),
      item_data: '{}',
    }));
    await tx`insert into queue_items ${tx(values)} on conflict do nothing`;
  });
}
const quietly = (work: string) => sql.begin((tx) => tx.unsafe(`set local session_replication_role = replica; ${work}`));

/** Stretches, places and seeks against plain counting. */
async function expectExact() {
  const wrong = await sql`
    with counted as (
      select queue_name, band, level, position >> shift as stretch, count(*) as items
      from queue_items cross join (values (0, 16), (1, 22), (2, 28)) as l(level, shift) group by 1, 2, 3, 4)
    select * from counted c full join (select * from queue_stretches where items <> 0) s using (queue_name, band, level, stretch) where c.items is distinct from s.items`;
  expect([...wrong]).toEqual([]);
  const places = await sql<{ id: string; ahead: number; counted: number; seek: string | null; own: string }[]>`
    select q.id, queue_ahead(queue_name, band, position)::int as ahead, row_number() over (partition by queue_name order by band, position)::int - 1 as counted,
      (select band || ' ' || position from queue_seek(q.queue_name, queue_ahead(queue_name, band, position))) as seek, band || ' ' || position as own
    from queue_items q`;
  for (const place of places) expect([place.ahead, place.seek]).toEqual([place.counted, place.own]);
  for (const lane of ['queue:featured', 'queue:regular']) {
    const [length] = await sql<{ n: number }[]>`select count(*)::int as n from queue_items where queue_name = ${lane}`;
    expect([...(await sql`select * from queue_seek(${lane}, ${length?.n ?? 0})`)]).toEqual([]);
  }
}

const position = fc.oneof(
  fc.integer({ min: -5, max: 70_000 }),
  fc.integer({ min: -(2 ** 29), max: 2 ** 29 }),
  fc.constantFrom(0, -1, 65_535, 65_536, 2 ** 22, 2 ** 22 - 1, 2 ** 28, 2 ** 28 - 1, 2 ** 40, -(2 ** 52), Number.MIN_SAFE_INTEGER),
);
const row = fc.record({ lane: fc.constantFrom<Lane>('queue:featured', 'queue:regular'), band: fc.constantFrom(0, 1), position });

describe('a place in line', () => {
  test('is what counting finds, after any inserts, moves and removals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), fc.nat(4), fc.integer({ min: -(2 ** 23), max: 2 ** 23 }), async (rows, part, shift) => {
        await resetMarket(database, { accounts: true });
        await insert(rows);
        await expectExact();
        // Far away first, because the unique order is checked row by row; then beyond every position that was drawn.
        await quietly(`update queue_items set position = 2305843009213693952 + id where id % 5 >= ${part}`);
        await expectExact();
        await quietly(`update queue_items set band = 0, position = 4000000000000 + ${shift} + id * 100003 where position > 2000000000000000000`);
        await expectExact();
        await quietly(`delete from queue_items where id % 3 = ${part % 3}`);
        await expectExact();
      }),
      { numRuns: 25 },
    );
  });

  test('of a line as verbs leave it: thousands of items, moved, emptied from the front, and spread again', async () => {
    await insert(Array.from({ length: 3000 }, (_, n) => ({ lane: 'queue:regular' as const, band: n < 100 ? 0 : 1, position: (n + 1) * 1024 })));
    await expectExact();
    await quietly('delete from queue_items where id in (select id from queue_items order by band, position limit 700)');
    await expectExact();
    await quietly('update queue_items set item_data = item_data');
    await quietly('truncate queue_items');
    await expectExact();
    expect([...(await sql`select * from queue_stretches`)]).toEqual([]);
  });

  test('counts nothing that was rolled back', async () => {
    await insert([{ lane: 'queue:regular', band: 1, position: 1024 }]);
    await sql
      .begin(async (tx) => {
        await tx`delete from queue_items`;
        throw new Error('back');
      })
      .catch(() => {});
    await expectExact();
  });

  test('stays exact when many change the line at the same time without the lane’s lock', async () => {
    await insert(Array.from({ length: 400 }, (_, n) => ({ lane: 'queue:regular' as const, band: 1, position: (n + 1) * 1024 })));
    const pools = [1, 2, 3, 4].map(() => database.another({ max: 4 }).sql);
    let deadlocks = 0;
    await Promise.all(
      Array.from({ length: 80 }, async (_, n) => {
        const one = pools[n % 4] ?? sql;
        for (let attempt = 0; attempt < 5; attempt++) {
          try {
            await one.begin(async (tx) => {
              await tx`set local session_replication_role = replica`;
              await tx`delete from queue_items where id = (select id from queue_items where id % 80 = ${n} order by position limit 1 for update skip locked)`;
              await tx`update queue_items set position = position + 70000000 + ${n} where id = (select id from queue_items where id % 80 = ${n} order by position limit 1 for update skip locked)`;
            });
            return;
          } catch (error) {
            if ((error as { code?: string }).code !== '40P01') throw error;
            deadlocks++;
          }
        }
      }),
    );
    expect(deadlocks).toBe(0);
    expect((await sql<{ n: number }[]>`select count(*)::int as n from queue_items`)[0]?.n).toBe(320);
    await expectExact();
  });
});
