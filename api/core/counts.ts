import { getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Ctx } from './context.ts';

/** Up to so many rows a count is exact. Beyond, nobody pages to the end, and counting would cost more than the page. */
const exactUpTo = 50_000;

/**
 * How many rows a table has, for the heading and the pages of a list: counted while there are few, and beyond that Postgres's own
 * estimate, which vacuum keeps within a few percent.
 */
export async function rowsOf({ db }: Pick<Ctx, 'db'>, table: PgTable): Promise<number> {
  const [known] = await db.execute<{ rows: number }>(sql`select reltuples::float8 as rows from pg_class where oid = ${getTableName(table)}::regclass`);
  if (known && known.rows > exactUpTo) return Math.round(known.rows);
  const [counted] = await db.execute<{ count: number }>(sql`select count(*)::int as count from ${table}`);
  return counted?.count ?? 0;
}
