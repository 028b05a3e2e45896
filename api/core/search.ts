import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

const mostWords = 8;

/** A text as it is searched: small letters without accents, one space between words. Both what is stored and what is asked for go through it. */
export const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words that somebody asks for, the first eight of them. */
export const searchWords = (text: string): string[] =>
  [...new Set(normalized(text).split(' '))].filter(Boolean).slice(0, mostWords);

/**
 * Whether a search vector has all of some words, in English or French forms of them, or as the beginning of one: the last word may be still being
 * typed. Little words, such as "the" and "pour", count only where there is nothing else. `search_query` is in db/migrations.
 */
export const hasWords = (vector: AnyPgColumn, words: readonly string[]): SQL =>
  sql`${vector} @@ search_query(${sql.param([...words])}::text[])`;
