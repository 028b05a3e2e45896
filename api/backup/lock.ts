import type { Sql, TransactionSql } from 'postgres';

/**
 * Runs `work` in a snapshot of the database, under the lock that deletions of photos look for. The snapshot begins after the lock, so no photo of its rows is
 * deleted meanwhile. Rejects when another backup has the lock, and when `limitMs` is over: Postgres then ends both transactions, also those of a frozen process.
 */
export const inSnapshot = <T>(
  client: Sql,
  limitMs: number,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> =>
  client.begin(async (lock) => {
    // The lock's transaction is idle by design.
    await limited(lock, limitMs);
    const [row] = await lock<
      { taken: boolean }[]
    >`select pg_try_advisory_xact_lock(hashtextextended('backup', 54)) as taken`;
    if (!row?.taken)
      throw new Error(
        'Another backup is being written, or photos are being deleted. Try again in a minute.',
      );
    return client.begin('isolation level repeatable read read only', async (tx) => {
      await limited(tx, limitMs);
      return work(tx);
    });
  }) as Promise<T>;

const limited = (tx: TransactionSql, ms: number) =>
  tx`select set_config('idle_in_transaction_session_timeout', ${`${ms}ms`}, true)`;

/** Limits the statements that follow in this transaction. */
export const limitStatements = (tx: TransactionSql, ms: number) =>
  tx`select set_config('statement_timeout', ${`${ms}ms`}, true)`;
