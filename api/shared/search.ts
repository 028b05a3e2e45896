import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

const mostWords = 8;

/**
 * Lower case without accents, words separated by one space; applied to stored and searched text.
 */
export const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const searchWords = (text: string): string[] =>
  [...new Set(normalized(text).split(' '))].filter(isReadable).slice(0, mostWords);

/**
 * Postgres knows fewer letters than JavaScript: a word of nothing but rare ones would be an empty
 * query, which is a syntax error there.
 */
const isReadable = (word: string): boolean =>
  /(?=[\p{L}\p{Nd}])[\u0030-\u024f\u0370-\u06ff\u0904-\u0939\u3040-\u30ff\u4e00-\u9fea\uac00-\ud7a3]/u.test(
    word,
  );

/**
 * Matches all words in English or French forms, or as prefixes while the last is typed. Stop words
 * count only alone. `search_query` is in db/migrations.
 */
export const hasWords = (vector: AnyPgColumn, words: readonly string[]): SQL =>
  sql`${vector} @@ search_query(${sql.param([...words])}::text[])`;
