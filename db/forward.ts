import type { TransactionSql } from 'postgres';
import { type Step, steps } from './migrated.ts';

/** Migrations that a database or backup has, and those it still needs (decision 002). */
export type Way = { made: Step[]; missing: Step[] };

/**
 * Finds a database's or backup's place in our migrations. Undefined for other migrations.
 * @param hashes of the applied migrations, oldest first
 */
export function wayFrom(hashes: readonly string[]): Way | undefined {
  const chain = steps();
  if (hashes.length > chain.length || hashes.some((hash, n) => hash !== chain[n]?.hash))
    return undefined;
  return { made: chain.slice(0, hashes.length), missing: chain.slice(hashes.length) };
}

/** Applies migrations as drizzle does, but inside the caller's transaction. */
export async function apply(tx: TransactionSql, missing: readonly Step[]): Promise<void> {
  await tx.unsafe(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key,
      hash text not null, created_at bigint)`);
  for (const { sql, hash, folderMillis } of missing) {
    for (const statement of sql) await tx.unsafe(statement);
    // A table with pending deferred triggers cannot be altered by the next migration.
    await tx.unsafe('set constraints all immediate; set constraints all deferred');
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
      values (${hash}, ${folderMillis})`;
  }
}
