import { is, View } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as schema from './schema/index.ts';

export const migrationsFolder = new URL('./migrations', import.meta.url).pathname;

/** Migrations of this version, oldest first. */
export const steps = () => readMigrationFiles({ migrationsFolder });

export type Step = ReturnType<typeof steps>[number];

/** Views of the schema. */
export const views = Object.values(schema as Record<string, unknown>).filter(
  (entry): entry is View => is(entry, View),
);
export const tables = Object.values(schema as Record<string, unknown>).filter(
  (entry): entry is PgTable => is(entry, PgTable),
);

/** Constraints, unique indexes, foreign keys and triggers a database of this version must have. */
export function guards(): Set<string> {
  const names = new Set<string>();
  for (const table of tables) {
    const { name, checks, indexes, foreignKeys, columns } = getTableConfig(table);
    const unique = indexes.flatMap(({ config }) =>
      config.unique && config.name ? [config.name] : [],
    );
    const columnsOwn = columns.flatMap((column) =>
      column.isUnique && column.uniqueName ? [column.uniqueName] : [],
    );
    for (const guard of [
      ...checks.map((check) => check.name),
      ...unique,
      ...columnsOwn,
      ...foreignKeys.map((key) => key.getName()),
    ])
      names.add(`${name} ${guard.slice(0, 63)}`);
  }
  for (const text of steps().flatMap(({ sql }) => sql))
    for (const [, verb, trigger, table] of text.matchAll(
      /\b(CREATE|DROP)\s+(?:CONSTRAINT\s+)?TRIGGER\s+(?:IF EXISTS\s+)?"?(\w+)"?(?:\s[^;]*?)?\sON\s+"?(\w+)"?/g,
    ))
      if (verb === 'CREATE') names.add(`${table} ${trigger}`);
      else names.delete(`${table} ${trigger}`);
  return names;
}
