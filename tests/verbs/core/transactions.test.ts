import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../api/core/context.ts';
import { inTransaction } from '../../../api/core/transaction.ts';
import { type Db, guardTransactions, schema, TransactionLost } from '../../../db/client.ts';
import { freshDatabase } from '../../support/database.ts';

// Part of the test: an error thrown outside a promise (postgres.js writing to a closed socket)
// fails the run.
const database = await freshDatabase();
const { db } = database;

/** A table without constraints: any row left afterwards has leaked. */
const write = (to: Db, name: string) => to.insert(schema.secrets).values({ name, value: 'x' });
const written = async () =>
  (await database.sql<{ name: string }[]>`select name from secrets order by name`).map(
    (row) => row.name,
  );
afterEach(() => database.sql`delete from secrets`);

const pidOf = async (tx: Db): Promise<number> => {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row?.pid ?? 0;
};
/** Ends a backend from outside and waits until it is gone. */
const kill = (pid: number) => database.sql`select pg_terminate_backend(${pid}, 5000)`;

/** The chain of causes of an error, drizzle's wrappers included. */
function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
const lost = (error: unknown) => causes(error).some((cause) => cause instanceof TransactionLost);
const connectionGone = (error: unknown) =>
  causes(error).some((cause) => (cause as { code?: string }).code === 'CONNECTION_CLOSED');
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'kept',
    (error) => error,
  );

describe('a transaction whose backend is ended in the middle', () => {
  test('keeps nothing and refuses every further query of its callback', async () => {
    const after: unknown[] = [];
    const begun: Promise<unknown> = db.transaction(async (tx) => {
      await write(tx, 'before');
      await kill(await pidOf(tx));
      await outcomeOf(begun);
      for (let n = 0; n < 5; n++) after.push(await outcomeOf(write(tx, `after ${n}`)));
      return 'done';
    });
    expect(connectionGone(await outcomeOf(begun))).toBe(true);
    await expect.poll(() => after.length).toBe(5);
    expect(after.every(lost)).toBe(true);
    expect(await written()).toEqual([]);
  });

  test('leaks nothing when the callback does not notice and goes straight on', async () => {
    const begun = db.transaction(async (tx) => {
      await write(tx, 'before');
      await kill(await pidOf(tx));
      await write(tx, 'after');
    });
    expect(await outcomeOf(begun)).toBeInstanceOf(Error);
    expect(await written()).toEqual([]);
  });

  test('leaks nothing when the callback swallows the failed query and writes again at once', async () => {
    const after: unknown[] = [];
    const begun = db.transaction(async (tx) => {
      await write(tx, 'before');
      await outcomeOf(tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`) as never);
      after.push(await outcomeOf(write(tx, 'after 1')), await outcomeOf(write(tx, 'after 2')));
    });
    expect(await outcomeOf(begun)).toBeInstanceOf(Error);
    await expect.poll(() => after.length).toBe(2);
    expect(after.every(lost)).toBe(true);
    expect(await written()).toEqual([]);
  });

  test('does not end the process when its callback ends normally although the connection is gone', async () => {
    const begun = db.transaction(async (tx) => {
      await kill(await pidOf(tx));
      return 'nothing noticed';
    });
    expect(await outcomeOf(begun)).toBeInstanceOf(Error);
    // One turn of the event loop: an error outside a promise would surface now.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await db.execute(sql`select 1 as one`)).toHaveLength(1);
  });

  test('refuses the queries of a nested transaction too, and tells the outer one', async () => {
    const after: unknown[] = [];
    let heard: unknown;
    const begun: Promise<unknown> = db.transaction(async (outer) => {
      await write(outer, 'outer before');
      const nested = outer.transaction(async (inner) => {
        await write(inner, 'inner before');
        await kill(await pidOf(inner));
        await outcomeOf(begun);
        after.push(await outcomeOf(write(inner, 'inner after')));
      });
      heard = await outcomeOf(nested);
      after.push(await outcomeOf(write(outer, 'outer after')));
      after.push(await outcomeOf(outer.transaction((inner) => write(inner, 'a second savepoint'))));
    });
    expect(connectionGone(await outcomeOf(begun))).toBe(true);
    await expect.poll(() => after.length).toBe(3);
    expect(after.every(lost)).toBe(true);
    expect(lost(heard)).toBe(true);
    expect(await written()).toEqual([]);
  });

  test('leaves the pool usable', async () => {
    await outcomeOf(db.transaction(async (tx) => void (await kill(await pidOf(tx)))));
    await db.transaction((tx) => write(tx, 'the next one'));
    expect(await written()).toEqual(['the next one']);
  });

  test('is not tried again by a verb: a lost connection is no deadlock', async () => {
    let tries = 0;
    const verb = inTransaction({ db } as Ctx, async (tx) => {
      tries++;
      await write(tx.db, 'before');
      await kill(await pidOf(tx.db));
      await write(tx.db, 'after');
    });
    expect(await outcomeOf(verb)).toBeInstanceOf(Error);
    expect(tries).toBe(1);
    expect(await written()).toEqual([]);
  });
});

describe('an orphaned callback', () => {
  const pools: Sql[] = [];
  afterAll(() => Promise.all(pools.map((pool) => pool.end({ timeout: 1 }))));

  /**
   * With one connection, the query in between reopens it and the orphaned callback writes outside
   * any transaction.
   */
  async function orphanedWrite(wrap: (client: Sql) => Sql): Promise<string[]> {
    const client = postgres({ ...(database.target as object), max: 1, onnotice: () => {} });
    pools.push(client);
    const one = drizzle(wrap(client), { schema }) as unknown as Db;
    const written1 = Promise.withResolvers<unknown>();
    const begun: Promise<unknown> = one.transaction(async (tx) => {
      await write(tx, 'before');
      await kill(await pidOf(tx));
      await outcomeOf(begun);
      await one.execute(sql`select 1`);
      written1.resolve(await outcomeOf(write(tx, 'orphan')));
    });
    await outcomeOf(begun);
    await written1.promise;
    return written();
  }

  test('writes nothing through the mended driver (patches/), which knows that its connection is another one', async () => {
    expect(await orphanedWrite((client) => client)).toEqual([]);
  });

  test('writes nothing through the guard', async () => {
    expect(await orphanedWrite(guardTransactions)).toEqual([]);
  });

  test('that goes straight on after a query that failed is refused, and does not end the process', async () => {
    const begun = database.sql.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await Promise.allSettled([
        tx`select pg_sleep(60)`,
        database.sql`select pg_terminate_backend(${row?.pid ?? 0}, 5000)`,
      ]);
      for (let n = 0; n < 3; n++)
        await tx`insert into secrets (name, value) values (${`straight ${n}`}, 'x')`.catch(
          () => {},
        );
      return 'done';
    });
    expect(connectionGone(await outcomeOf(begun))).toBe(true);
    expect(await written()).toEqual([]);
  });
});

describe('a transaction that ends as it should', () => {
  test('answers what its callback answers and keeps what it wrote', async () => {
    const answer = await db.transaction(async (tx) => {
      await write(tx, 'kept');
      return 54;
    });
    expect(answer).toBe(54);
    expect(await written()).toEqual(['kept']);
  });

  test('throws what its callback throws and keeps nothing', async () => {
    const reason = new Error('changed my mind');
    expect(
      await outcomeOf(
        db.transaction(async (tx) => {
          await write(tx, 'not kept');
          throw reason;
        }),
      ),
    ).toBe(reason);
    expect(await written()).toEqual([]);
  });

  test('undoes a failed savepoint alone', async () => {
    await db.transaction(async (tx) => {
      await write(tx, 'outer');
      await outcomeOf(
        tx.transaction(async (inner) => {
          await write(inner, 'inner');
          throw new Error('only the inner one');
        }),
      );
      await write(tx, 'outer again');
    });
    expect(await written()).toEqual(['outer', 'outer again']);
  });

  test('refuses a query that comes after its commit', async () => {
    let kept: Db | undefined;
    await db.transaction(async (tx) => {
      kept = tx;
    });
    expect(lost(await outcomeOf(write(kept as Db, 'too late')))).toBe(true);
    expect(await written()).toEqual([]);
  });
});

describe('a verb’s transaction', () => {
  test('is run again when Postgres broke a deadlock, and then kept', async () => {
    const meet = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
    await write(db, 'a');
    await write(db, 'b');
    const touch = (tx: Ctx, name: string) =>
      tx.db.execute(sql`update secrets set value = value || 'x' where name = ${name}`);
    let tries = 0;
    const cross = (
      from: string,
      to: string,
      mine: PromiseWithResolvers<void>,
      theirs: PromiseWithResolvers<void>,
    ) =>
      inTransaction({ db } as Ctx, async (tx) => {
        tries++;
        await touch(tx, from);
        mine.resolve();
        await theirs.promise;
        await touch(tx, to);
      });
    await Promise.all([
      cross('a', 'b', meet.first, meet.second),
      cross('b', 'a', meet.second, meet.first),
    ]);
    expect(tries).toBeGreaterThanOrEqual(3);
    expect((await database.sql`select value from secrets`).map((row) => row.value)).toEqual([
      'xxx',
      'xxx',
    ]);
  });

  test('becomes part of the one around it', async () => {
    const ctx = { db } as Ctx;
    await outcomeOf(
      inTransaction(ctx, async (outer) => {
        await inTransaction(outer, (inner) => write(inner.db, 'inner') as never);
        throw new Error('the outer one fails');
      }),
    );
    expect(await written()).toEqual([]);
  });
});
