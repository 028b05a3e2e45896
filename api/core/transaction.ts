import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { isTransient } from '../../db/client.ts';
import type { Ctx, Tx } from './context.ts';

const maxAttempts = 5;

/**
 * Runs a verb in a transaction; nothing else opens one. Deadlocks are retried, five attempts in
 * all; a nested call joins the outer transaction.
 */
export const inTransaction = <T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inOneStatement(ctx, () =>
    ctx.db.transaction(async (tx) => work({ ...ctx, db: tx } as Ctx as Tx)),
  );

/** Retries a single statement like {@link inTransaction}. */
export async function inOneStatement<T>(ctx: Pick<Ctx, 'db'>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !isTransient(error) || 'rollback' in ctx.db) throw error;
      // A random pause, or the loser could retake the row before the winner wakes, and deadlock
      // again.
      await pause(attempt * (10 + Math.random() * 40));
    }
  }
}

const reading =
  (mode: 'isolation level repeatable read, read only' | 'read only') =>
  <T>(ctx: Ctx, read: (tx: Tx) => Promise<T>): Promise<T> =>
    inTransaction(ctx, async (tx) => {
      await tx.db.execute(sql`set transaction ${sql.raw(mode)}`);
      return read(tx);
    });

/** Reads a consistent snapshot; Postgres refuses writes. */
export const atOneMoment = reading('isolation level repeatable read, read only');
/** Reads without a snapshot; Postgres refuses writes. */
export const readOnly = reading('read only');

/**
 * False while a backup is written, whose rows name photos (decision 052). In a transaction it keeps
 * backups from starting; the next hourly cleanup takes the rest.
 */
export async function photosMayGo({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const [row] = await db.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(hashtextextended('backup', 54)) as free`,
  );
  return row?.free ?? false;
}

/** Holds a named lock until the transaction ends, even without a row to lock. */
export async function lockNamed(tx: Tx, name: string): Promise<void> {
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 54))`);
}
