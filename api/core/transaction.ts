import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { isTransient } from '../../db/client.ts';
import type { Ctx } from './context.ts';

const maxAttempts = 5;

/**
 * Runs a verb in one transaction, the only place where one is opened. Everything it writes is kept together or not at all; a
 * deadlock that Postgres broke is tried again, five times in all. Inside another transaction it becomes part of it.
 */
export const inTransaction = <T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> =>
  inOneStatement(ctx, () => ctx.db.transaction(async (tx) => work({ ...ctx, db: tx })));

/** The same for what is a transaction by itself: one statement. */
export async function inOneStatement<T>(ctx: Pick<Ctx, 'db'>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !isTransient(error) || 'rollback' in ctx.db) throw error;
      // A loser that came back at once could take the row again before the winner has woken up, and both would meet once more.
      await pause(attempt * (10 + Math.random() * 40));
    }
  }
}

const reading =
  (mode: 'isolation level repeatable read, read only' | 'read only') =>
  <T>(ctx: Ctx, read: (tx: Ctx) => Promise<T>): Promise<T> =>
    inTransaction(ctx, async (tx) => {
      await tx.db.execute(sql`set transaction ${sql.raw(mode)}`);
      return read(tx);
    });

/** Reads what belongs together as it is at one moment, however long that takes, and writes nothing: Postgres refuses to. */
export const atOneMoment = reading('isolation level repeatable read, read only');
/** Reads as things come and go, and writes nothing either. */
export const readOnly = reading('read only');

/**
 * Whether photos may be deleted now: not while a backup is written, whose rows name them (decision 052). In a transaction no backup begins before it ends. What
 * stays is taken by the next hourly cleaning.
 */
export async function photosMayGo({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const [row] = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended('backup', 54)) as free`,
  );
  return row?.free ?? false;
}

/** Takes a lock with a name until the transaction ends: whoever takes the same one waits, whether or not there is a row to lock. */
export async function lockNamed(tx: Pick<Ctx, 'db'>, name: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 54))`);
}
