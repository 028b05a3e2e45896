import type { Sql, TransactionSql } from 'postgres';

/**
 * Runs `work` in a snapshot, under the lock that photo deletions check, so no photo of its rows is
 * deleted meanwhile. Rejects while another backup holds the lock or after `limitMs`; Postgres then
 * ends both transactions, even those of a frozen process.
 */
export const inSnapshot = <T>(
  client: Sql,
  limitMs: number,
  work: (tx: TransactionSql) => Promise<T>,
): Promise<T> =>
  client.begin(async (lock) => {
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

export const limitStatements = (tx: TransactionSql, ms: number) =>
  tx`select set_config('statement_timeout', ${`${ms}ms`}, true)`;
