import type { Sql, TransactionSql } from 'postgres';
import { shownPhotos } from '../check/files.ts';

export type Client = Sql | TransactionSql;
export type Table = { name: string; columns: string[] };

/** Left out: a session that was ended must not come back, and what was counted of attempts is of a minute that is over. */
const leftOut = ['session', 'rate_limit'];

/** Every table of the market that is copied, with the columns that are written (what Postgres computes, it computes again). */
export async function tablesOf(client: Client): Promise<Table[]> {
  return [
    ...(await client<
      Table[]
    >`select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${leftOut}) group by 1 order by 1`),
  ];
}

/** The photos that a copy has: what is shown, and what somebody has uploaded for a product that they are still writing. */
export const copiedPhotos = `${shownPhotos} union select image from uploads where product_id is null and owner_id is not null`;
