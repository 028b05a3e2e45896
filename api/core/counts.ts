import { count, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Ctx } from './context.ts';

/** Above this, counting costs more than the page. */
const exactUpTo = 50_000;

/**
 * Counts a table's rows; large ones by Postgres's estimate, which vacuum keeps within a few
 * percent.
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
 * Counts a list after one page was read. A page that is not full gives the total itself and saves a
 * second index scan.
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
