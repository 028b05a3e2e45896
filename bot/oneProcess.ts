import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';

type Options = {
  sql: Sql;
  /** What one process alone may do. */
  name: string;
  /** In milliseconds: before it is asked again whether another process still does. */
  lockMs: number;
  signal: AbortSignal;
  /** Works until it is over or the right is: `held` asks, and throws when the line to the database is gone. */
  work(held: () => Promise<boolean>): Promise<void>;
  failed(error: unknown): void;
};

/** Does some work in one process at a time: a lock in the database, on a connection of its own, keeps the others waiting until that process ends. */
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
          // The lock goes with its line; so does the right to work.
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
