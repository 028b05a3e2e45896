import type { Sql } from 'postgres';

/** Each kind of object as sorted lines; the order of a table's columns does not count. */
const questions = {
  tables: `select concat_ws(' ', relkind, relname, relpersistence, relrowsecurity, relacl, reloptions)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')`,
  columns: `select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      a.attnotnull, 'made ' || a.attidentity::text || a.attgenerated::text, a.attstorage,
      a.attstattarget, a.attcollation, pg_get_expr(d.adbin, d.adrelid))
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid),
    convalidated, condeferrable, condeferred)
    from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: `select concat_ws(' ', pg_get_indexdef(x.indexrelid), x.indisvalid, x.indisunique)
    from pg_index x join pg_class c on c.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace`,
  functions: `select concat_ws(' ', pg_get_functiondef(p.oid), p.proacl) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  triggers: `select concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled) from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  sequences: `select concat_ws(' ', sequencename, data_type, start_value, increment_by, max_value,
    cycle, coalesce(last_value, 0)) from pg_sequences where schemaname = 'public'`,
  types: `select concat_ws(' ', typname, typtype, (select string_agg(enumlabel, ','
      order by enumsortorder) from pg_enum where enumtypid = t.oid))
    from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`,
  views: `select concat_ws(' ', viewname, definition) from pg_views where schemaname = 'public'`,
  rules: `select concat_ws(' ', c.relname, pg_get_ruledef(r.oid)) from pg_rewrite r join pg_class c
    on c.oid = r.ev_class where c.relnamespace = 'public'::regnamespace`,
  policies: `select concat_ws(' ', tablename, policyname) from pg_policies where schemaname = 'public'`,
  statistics: `select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  comments: `select concat_ws(' ', pg_describe_object(classoid, objoid, objsubid), description)
    from pg_description where objoid >= 16384 and classoid <> 'pg_extension'::regclass
      and not exists (select from pg_depend d where d.objid = objoid and d.deptype = 'e')`,
  extensions: `select extname::text from pg_extension`,
  settings: `select setconfig::text from pg_db_role_setting where setdatabase =
    (select oid from pg_database where datname = current_database())`,
  slots: `select concat_ws(' ', id, active, is_featured, reputation_score) from slots
    union all select concat_ws(' ', slot_id, views, clicks, message_taps, shares) from slot_engagement`,
} as const;

export type Catalog = Record<keyof typeof questions | 'rows', string[]>;

/** Schema and first rows of a market's database, to compare two ways of making one. */
export async function catalogOf(sql: Sql): Promise<Catalog> {
  const found: [string, string[]][] = [];
  for (const [kind, text] of Object.entries(questions)) {
    const rows = await sql.unsafe(text).values();
    found.push([kind, rows.map(([line]) => String(line)).sort()]);
  }
  const tables = await sql<{ name: string }[]>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const filled: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`select count(*)::int from ${sql(name)}`;
    if (row?.count) filled.push(`${name} ${row.count}`);
  }
  return { ...Object.fromEntries(found), rows: filled } as Catalog;
}
