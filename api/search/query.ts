import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { synonymsOf } from './synonyms.ts';

/** A word with its synonyms, as `search_query` in the database takes them. */
export const alternatives = (word: string): string => synonymsOf(word).join('|');

/**
 * Matches all words in English or French forms, or as beginnings of longer words, each also by its
 * synonyms. Stop words count only where there is nothing else.
 */
export const searchQuery = (words: readonly string[]): SQL =>
  sql`search_query(${sql.param(words.map(alternatives))}::text[])`;

/** {@link searchQuery} on a column. */
export const hasWords = (vector: AnyPgColumn, words: readonly string[]): SQL =>
  sql`${vector} @@ ${searchQuery(words)}`;
