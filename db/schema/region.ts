import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { regions } from '../regions.ts';

/** Holds a column to the codes of Cameroon's regions. */
export const knownRegion = (column: AnyPgColumn): SQL =>
  sql`${column} in ${sql.raw(`(${regions.map((code) => `'${code}'`).join(', ')})`)}`;
