import { count, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Ctx } from './context.ts';

/** Up to so many rows a count is exact. Beyond, nobody pages to the end, and counting would cost more than the page. */
const exactUpTo = 50_000;

/**
 * How many rows a table has, for the heading and the pages of a list: counted while there are few, and beyond that Postgres's own
 * estimate, which vacuum keeps within a few percent.
 */
export async function rowsOf({ db }: Pick<Ctx, 'db'>, table: PgTable): Promise<number> {
  const [known] = await db.execute<{ rows: number }>(
    sql`select reltuples::float8 as rows from pg_class where oid = ${getTableName(table)}::regclass`,
  );
  if (known && known.rows > exactUpTo) return Math.round(known.rows);
  const [counted] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${table}`,
  );
  return counted?.count ?? 0;
}

/**
 * How many rows a list has in all, asked after one page of it was read: a page that is not full is the last one and tells the number
 * itself, which for a narrow search saves the second look through the index. Otherwise the rows are counted; a whole table as
 * {@link rowsOf} does.
 */
export async function totalOf(
  ctx: Pick<Ctx, 'db'>,
  { table, where }: { table: PgTable; where: SQL | undefined },
  { shown, page, pageSize }: { shown: number; page: number; pageSize: number },
): Promise<number> {
  if (shown < pageSize && (shown > 0 || page === 1)) return (page - 1) * pageSize + shown;
  if (!where) return rowsOf(ctx, table);
  const [counted] = await ctx.db.select({ count: count() }).from(table).where(where);
  return counted?.count ?? 0;
}
