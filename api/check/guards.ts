import { sql } from 'drizzle-orm';
import { guards, steps } from '../../db/migrated.ts';
import type { Ctx } from '../core/context.ts';
import { rulesOf } from './rule.ts';

/** Missing or disabled constraints, unique indexes and triggers. */
async function missingGuards({ db }: Ctx): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select c.relname || ' ' || k.conname as id from pg_constraint k join pg_class c
      on c.oid = k.conrelid where c.relnamespace = 'public'::regnamespace and k.convalidated
    union select c.relname || ' ' || i.relname from pg_index x join pg_class c on c.oid = x.indrelid
      join pg_class i on i.oid = x.indexrelid
      where c.relnamespace = 'public'::regnamespace and x.indisunique and x.indisvalid
    union select c.relname || ' ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgenabled in ('O', 'A')`);
  const standing = new Set(rows.map(({ id }) => id));
  return [...guards()].filter((guard) => !standing.has(guard));
}

/** Only a manual repair or a restore can leave these. */
async function danglingReferences({ db }: Ctx): Promise<string[]> {
  const keys = await db.execute<{ child: string; column: string; parent: string; key: string }>(sql`
    select k.conrelid::regclass::text as child, quote_ident(a.attname) as column,
      k.confrelid::regclass::text as parent, quote_ident(b.attname) as key
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 1`);
  const found: string[] = [];
  for (const { child, column, parent, key } of keys) {
    const rows = await db.execute<{ id: string }>(
      sql.raw(
        `select distinct c.${column}::text as id from ${child} c where c.${column} is not null
          and not exists (select from ${parent} p where p.${key} = c.${column})`,
      ),
    );
    found.push(...rows.map(({ id }) => `${child}.${column} ${id}`));
  }
  return found;
}

/** Sequences that would give a number twice. */
async function sequencesBehind({ db }: Ctx): Promise<string[]> {
  const columns = await db.execute<{ name: string; column: string; sequence: string }>(sql`
    select c.oid::regclass::text as name, quote_ident(a.attname) as column,
      pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`);
  const behind: string[] = [];
  for (const { name, column, sequence } of columns) {
    const [row] = await db.execute<{ behind: boolean }>(
      sql.raw(
        `select coalesce((select max(${column}) from ${name}), 0) > (select case when is_called
          then last_value else last_value - 1 end from ${sequence}) as behind`,
      ),
    );
    if (row?.behind) behind.push(sequence);
  }
  return behind;
}

/** Missing or foreign migrations; no other rule can be evaluated before this holds. */
async function otherMigrations({ db }: Ctx): Promise<string[]> {
  const [made] = await db.execute<{ known: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`,
  );
  const rows = made?.known
    ? await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations`)
    : [];
  const [ours, applied] = [steps().map(({ hash }) => hash), new Set(rows.map(({ hash }) => hash))];
  return [
    ...ours.filter((hash) => !applied.has(hash)),
    ...[...applied].filter((hash) => !ours.includes(hash)),
  ].map((hash) => hash.slice(0, 12));
}

export const schemaRules = rulesOf('schema', { migrations: otherMigrations });
export const guardRules = rulesOf('guard', {
  guards: missingGuards,
  references: danglingReferences,
});
export const sequenceRules = rulesOf('sequence', { sequences: sequencesBehind });
