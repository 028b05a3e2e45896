import type { TransactionSql } from 'postgres';
import { formerSteps, type Step, steps } from './migrated.ts';

/** Migrations that a database or backup has, and those it still needs (decision 068). */
export type Way = { made: Step[]; missing: Step[]; former: boolean };

/**
 * Finds a database's or backup's place in our migrations, or in those before 0.1.0. Undefined for
 * other migrations.
 * @param hashes of the applied migrations, oldest first
 */
export function wayFrom(hashes: readonly string[]): Way | undefined {
  for (const chain of [steps(), formerSteps()]) {
    if (hashes.length > chain.length || hashes.some((hash, n) => hash !== chain[n]?.hash)) continue;
    const made = chain.slice(0, hashes.length);
    const missing = chain.slice(hashes.length);
    return { made, missing, former: chain[0]?.hash !== steps()[0]?.hash };
  }
  return undefined;
}

/** Applies migrations as drizzle does, but inside the caller's transaction. */
export async function apply(tx: TransactionSql, missing: readonly Step[]): Promise<void> {
  await tx.unsafe(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key,
      hash text not null, created_at bigint)`);
  for (const { sql, ...step } of missing) {
    for (const statement of sql) await tx.unsafe(statement);
    // A table with pending deferred triggers cannot be altered by the next migration.
    await tx.unsafe('set constraints all immediate; set constraints all deferred');
    await mark(tx, step);
  }
}

/**
 * Applies the missing migrations. One before 0.1.0 gets the rest of those, and is then marked as
 * having our first.
 */
export async function bringForward(tx: TransactionSql, way: Way): Promise<void> {
  await apply(tx, way.missing);
  if (!way.former) return;
  const [first, ...later] = steps();
  await tx`delete from drizzle.__drizzle_migrations`;
  if (first) await mark(tx, first);
  await apply(tx, later);
}

const mark = (tx: TransactionSql, { hash, folderMillis }: Pick<Step, 'hash' | 'folderMillis'>) =>
  tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
