import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';

type Options = {
  sql: Sql;
  name: string;
  /** Milliseconds between attempts to take the lock. */
  lockMs: number;
  signal: AbortSignal;
  /** `held` throws once the database connection, and with it the lock, is gone. */
  work(held: () => Promise<boolean>): Promise<void>;
  failed(error: unknown): void;
};

/**
 * Runs work in one process at a time, by an advisory lock on a reserved connection; others wait.
 */
export async function inOneProcess({
  sql,
  name,
  lockMs,
  signal,
  work,
  failed,
}: Options): Promise<void> {
  while (!signal.aborted) {
    try {
      const line = await sql.reserve();
      try {
        const [lock] = await line<
          { taken: boolean }[]
        >`select pg_try_advisory_lock(hashtextextended(${`bot:${name}`}, 54)) as taken`;
        if (lock?.taken) {
          await work(async () => (await line`select 1`).length === 1);
          await line`select pg_advisory_unlock(hashtextextended(${`bot:${name}`}, 54))`;
        }
      } finally {
        line.release();
      }
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    await pause(lockMs, undefined, { signal }).catch(() => {});
  }
}
