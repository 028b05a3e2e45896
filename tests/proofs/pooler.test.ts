import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../db/client.ts';
import { refuseSharedConnections, requireWayAround } from '../../db/pooler.ts';
import { connectActs } from '../../dev/faults/acts.ts';
import { storm } from '../../dev/faults/storm.ts';
import { openPooler, type Pooler } from '../../dev/ops/pgbouncer.ts';
import { type Machines, openMachines } from '../../dev/testbed/machines.ts';
import { urlOf } from '../../dev/testbed/server.ts';
import { freshDatabase } from '../support/database.ts';

const database = await freshDatabase();
const another = await freshDatabase();
const direct = urlOf(database.target);
let pooler: Pooler;

describe('PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    pooler = await openPooler(database.target);
  });
  afterAll(() => pooler?.stop());

  test('is told apart from Postgres itself, and refused alone', async () => {
    await refuseSharedConnections(direct);
    await expect(refuseSharedConnections(pooler.url)).rejects.toThrow(
      'Set DATABASE_DIRECT_URL as well',
    );
  });

  test('needs a direct address of the same database, which is no pooler itself', async () => {
    expect(await requireWayAround(pooler.url, direct)).toEqual({ limited: true });
    await expect(requireWayAround(pooler.url, pooler.url)).rejects.toThrow(
      'to the address of Postgres itself',
    );
    await expect(requireWayAround(pooler.url, urlOf(another.target))).rejects.toThrow(
      'both must lead to the same database',
    );
    expect(await requireWayAround(direct, direct)).toEqual({ limited: false });
  });

  test('carries statements that have parameters, whichever connection they come upon', async () => {
    const pool = connect(pooler.url, {
      max: 10,
      statementSeconds: 5,
      idleTransactionSeconds: 5,
      direct,
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const [row] = await pool.db.transaction((tx) =>
          tx.execute<{ sum: number }>(`select ${n} + (select count(*)::int from slots) as sum`),
        );
        return row?.sum;
      }),
    );
    await pool.close();
    expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => n + 54));
  });

  test('carries the market: processes are killed behind it, and nothing is lost', async () => {
    const machines: Machines = await openMachines(direct, { pooler: pooler.url });
    try {
      const { violations, lost, kills, acknowledged } = await storm(machines, {
        acts: connectActs,
        seed: 55,
        seconds: 20,
        kills: { server: 1 },
        writers: 8,
      });
      expect([violations, lost, kills.server]).toEqual([[], [], 1]);
      expect(acknowledged).toBeGreaterThan(10);
    } finally {
      await machines.stop();
    }
  }, 120_000);
});
