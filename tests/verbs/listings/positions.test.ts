import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { positionsOf } from '../../../api/listings/positions.ts';
import { waitingByLane } from '../../../api/queue/reads.ts';
import { testApp } from '../../support/app.ts';
import { resetMarket } from '../../support/database.ts';
import { rowTime } from '../../support/rows.ts';

/** A place is the number of items ahead in the lane, without suspended sellers' (decision 056). */
const { database, job } = await testApp();
const { sql } = database;
beforeEach(() => resetMarket(database, { accounts: true }));

type Lane = 'queue:featured' | 'queue:regular';
type Waiting = { id: string; lane: Lane; band: number; position: number; suspended: boolean };

/** Raw rows: the products have no state, so that only the queue matters. */
async function insert(items: Waiting[]): Promise<void> {
  const sellers = [false, true].map((suspended) => ({ id: randomUUID(), suspended }));
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const { id, suspended } of sellers) {
      const since = suspended ? rowTime() : null;
      const row = {
        id,
        name: 'A seller',
        email: `${id}@example.org`,
        suspended,
        suspended_reason: suspended ? 'a reason' : null,
        suspended_at: since,
      };
      await tx`insert into sellers ${tx(row)}`;
    }
    const sellerOf = (suspended: boolean) =>
      sellers.find((seller) => seller.suspended === suspended)?.id ?? null;
    await tx`insert into products ${tx(items.map(({ id, suspended }) => ({ id, slug: `p-${id}`, status: 'pending', seller_id: sellerOf(suspended) })))}`;
    const rows = items.map(({ id, lane, band, position }) => ({
      product_id: id,
      queue_name: lane,
      priority: 0,
      band,
      position,
      queued_at: rowTime(),
      item_data: '{}',
    }));
    await tx`insert into queue_items ${tx(rows)}`;
  });
}

const isAhead = (one: Waiting, other: Waiting) =>
  one.lane === other.lane &&
  (one.band < other.band || (one.band === other.band && one.position < other.position));

const spot = fc.record({
  lane: fc.constantFrom<Lane>('queue:featured', 'queue:regular'),
  band: fc.constantFrom(0, 1),
  position: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(-(2 ** 52), 2 ** 40)),
  suspended: fc.boolean(),
});

describe('a place in line', () => {
  test('is one more than those ahead who are not passed over, whatever the line looks like', async () => {
    const spots = fc.uniqueArray(spot, {
      minLength: 1,
      maxLength: 40,
      selector: ({ lane, band, position }) => `${lane} ${band} ${position}`,
    });
    await fc.assert(
      fc.asyncProperty(spots, async (drawn) => {
        await resetMarket(database, { accounts: true });
        const items = drawn.map((each) => ({ id: randomUUID(), ...each }));
        await insert(items);
        const places = await positionsOf(
          job('test'),
          items.map(({ id }) => id),
        );
        for (const item of items) {
          const ahead = items.filter((other) => isAhead(other, item) && !other.suspended).length;
          expect(places.get(item.id)).toMatchObject({ queueName: item.lane, position: ahead + 1 });
        }
        const waiting = await waitingByLane(job('test'));
        for (const lane of ['queue:featured', 'queue:regular'] as const)
          expect(waiting[lane]).toBe(items.filter((item) => item.lane === lane).length);
      }),
      { numRuns: 25 },
    );
  });
});
