import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { isTransient } from '../../db/client.ts';
import type { Ctx } from './context.ts';

const maxAttempts = 5;

/**
 * Runs a verb in one transaction, the only place where one is opened. Everything it writes is kept together or not at all; a
 * deadlock that Postgres broke is tried again, five times in all. Inside another transaction it becomes part of it.
 */
export async function inTransaction<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction(async (tx) => work({ ...ctx, db: tx }));
    } catch (error) {
      if (attempt >= maxAttempts || !isTransient(error) || 'rollback' in ctx.db) throw error;
      // A loser that came back at once could take the row again before the winner has woken up, and both would meet once more.
      await pause(attempt * (10 + Math.random() * 40));
    }
  }
}

/** Takes a lock with a name until the transaction ends: whoever takes the same one waits, whether or not there is a row to lock. */
export async function lockNamed(tx: Pick<Ctx, 'db'>, name: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 54))`);
}

/** Reads what belongs together at one moment, however long that takes. */
export const atOneMoment = <T>(ctx: Ctx, read: (tx: Ctx) => Promise<T>): Promise<T> =>
  inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`set transaction isolation level repeatable read`);
    return read(tx);
  });
