import { is } from 'drizzle-orm';
import { getTableConfig, PgTable, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { sections } from '../../api/account/export/sections.ts';
import { dataKinds, keptDays } from '../../api/shared/retention/periods.ts';
import { impersonalTables, retention } from '../../api/shared/retention/table.ts';
import { schema } from '../../db/client.ts';
import { schedule } from '../../jobs/schedule.ts';
import { dictionaries } from '../../locales/index.ts';
import { languages } from '../../locales/languages.ts';

/** Tables with a person behind a row; their keys count as personal. */
const people = ['user', 'sellers', 'chats', 'credit_accounts', 'second_factors'];
const textTypes = ['text', 'text[]', 'jsonb'];

/** Columns that can hold anything about a person: free text, JSON, and references to people. */
function personalColumns(table: PgTable): string[] {
  const { columns, foreignKeys } = getTableConfig(table);
  const references = foreignKeys
    .map((key) => key.reference())
    .filter(({ foreignTable }) => people.includes(getTableConfig(foreignTable).name))
    .flatMap((reference) => reference.columns.map(({ name }) => name));
  return columns
    .filter(
      (column) =>
        references.includes(column.name) ||
        (textTypes.includes(column.getSQLType()) && !column.enumValues?.length),
    )
    .map(({ name }) => name);
}

const tables = Object.values(schema as Record<string, unknown>).filter((table) =>
  is(table, PgTable),
) as PgTable[];

/** Personal columns without a line, and lines without their column. */
const differences = (all: readonly PgTable[]): string[] =>
  all.flatMap((table) => {
    const { name } = getTableConfig(table);
    const found = (impersonalTables as readonly string[]).includes(name)
      ? []
      : personalColumns(table);
    const lines = retention.filter((line) => line.table === name);
    const listed = lines.flatMap(({ columns }) => Object.keys(columns));
    return [
      ...found.filter((column) => !listed.includes(column)).map((c) => `no line: ${name}.${c}`),
      ...listed.filter((column) => !found.includes(column)).map((c) => `no column: ${name}.${c}`),
    ];
  });

test('every personal column of every table has its line', () => {
  expect(tables.length).toBeGreaterThan(50);
  expect(differences(tables)).toEqual([]);
});

test('a new table with a personal column is found', () => {
  const wishes = pgTable('wishes', {
    id: uuid('id').primaryKey(),
    state: text('state', { enum: ['open', 'done'] }),
    userId: uuid('user_id').references(() => schema.user.id),
    words: text('words'),
  });
  expect(differences([wishes])).toEqual(['no line: wishes.user_id', 'no line: wishes.words']);
});

test('each line names a table, a period and a job that exist, and each kind has a line', () => {
  const names = tables.map((table) => getTableConfig(table).name);
  const jobs: string[] = schedule.map(({ name }) => name);
  expect(retention.filter(({ table }) => !names.includes(table))).toEqual([]);
  expect(retention.filter(({ job }) => job && !jobs.includes(job))).toEqual([]);
  expect(retention.filter(({ period, job }) => period && period !== 'ever' && !job)).toEqual([]);
  expect(new Set(retention.map(({ table }) => table)).size).toBe(retention.length);
  expect([...new Set(retention.map(({ kind }) => kind))].sort()).toEqual([...dataKinds].sort());
  for (const days of Object.values(keptDays)) expect(days).toBeGreaterThan(0);
});

test('a download has every column that is not withheld, and no section without a line', () => {
  const missing = retention.flatMap(({ table, section: name, columns }) => {
    const section = sections.find((one) => one.name === name);
    return Object.entries(columns)
      .flatMap(([column, shown]) => (typeof shown === 'string' ? [] : [[column, shown.as]]))
      .filter(([, as]) => !section?.columns.includes(as ?? ''))
      .map(([column]) => `${table}.${column}`);
  });
  expect(missing).toEqual([]);
  const used = retention.map(({ section }) => section);
  // Figures of a product are counts without a person.
  expect(sections.map(({ name }) => name).filter((name) => !used.includes(name))).toEqual([
    'figures',
  ]);
});

test.each(languages)('the page on privacy has words for every line and kind, in %s', (language) => {
  const { lines, kinds } = dictionaries[language].legal.privacy;
  const keys = retention.flatMap(({ table, parts = {} }) => [
    table,
    ...Object.keys(parts).map((part) => `${table}_${part}`),
  ]);
  expect(Object.keys(lines).sort()).toEqual(keys.sort());
  expect(Object.keys(kinds)).toEqual([...dataKinds]);
});
