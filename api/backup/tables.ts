import type { Sql, TransactionSql } from 'postgres';
import { shownPhotos } from '../check/files.ts';

export type Client = Sql | TransactionSql;
export type Table = { name: string; columns: string[] };

/** Ended sessions, and what ends with them, must not come back; scripts come with their release. */
const leftOut = ['session', 'push_subscriptions', 'rate_limit', 'site_releases'];

/** Tables with their columns, except generated ones. */
export async function tablesOf(client: Client): Promise<Table[]> {
  return [
    ...(await client<
      Table[]
    >`select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname <> all(${leftOut}) group by 1 order by 1`),
  ];
}

/** Includes uploads whose product is not submitted yet. */
export const copiedPhotos = `${shownPhotos} union select image from uploads where product_id is null
  and owner_id is not null`;
