import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { synonymsOf } from './synonyms.ts';

const longestSplit = 16;
const longestRun = 3;
/** A word is never split at one of these: `maison` is not `mai son`. */
const functionWords = new Set(
  (
    'au aux ce ces dans de des du elle en est et eux il ils je la le les leur lui ma mais me mes moi mon ne nos ' +
    'notre nous ou par pas pour qu que qui sa sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous ' +
    'an and as at by for from in is it its my no not of on or our so the to we with you your'
  ).split(' '),
);

/**
 * Ways to write a word of `normalized` as several: `ps5` as `ps 5`, `wifi` as `wi fi`. Never within
 * a number.
 */
function splitsOf(word: string): string[] {
  if (!/^[a-z0-9]+$/.test(word) || word.length > longestSplit) return [];
  const parts = word.match(/[a-z]+|\d+/g) ?? [];
  if (parts.length > longestRun) return [parts.join(' ')];
  if (parts.length > 1) {
    const [first = '', second = '', third] = parts;
    return third
      ? [`${first} ${second} ${third}`, `${first}${second} ${third}`, `${first} ${second}${third}`]
      : [`${first} ${second}`];
  }
  if (word.length < 3 || /^\d/.test(word)) return [];
  return Array.from({ length: word.length - 1 }, (_, at) => [
    word.slice(0, at + 1),
    word.slice(at + 1),
  ])
    .filter((both) => !both.some((part) => functionWords.has(part)))
    .map((both) => both.join(' '));
}

/** Neighbours of a word in a search, it included, written as one: `ps 5` as `ps5`. */
function joinsAt(words: readonly string[], at: number): string[] {
  const joins: string[] = [];
  for (let length = 2; length <= longestRun; length++)
    for (let start = Math.max(0, at - length + 1); start <= at; start++)
      if (start + length <= words.length) joins.push(words.slice(start, start + length).join(''));
  return joins.filter((join) => join.length <= longestSplit);
}

/** `t shirt`: without its stop word it would match any shirt. */
const hasStopWord = (form: string): boolean => /^[a-z] /.test(form);

/**
 * Forms of each word of a search, as `search_query` in the database takes them: the word, its
 * synonyms and, after `=`, phrases that are matched as they are.
 */
export const formsOf = (words: readonly string[]): string[] =>
  words.map((word, at) =>
    [
      ...synonymsOf(word).map((form) => (hasStopWord(form) ? `=${form}` : form)),
      ...[...splitsOf(word), ...joinsAt(words, at).flatMap(synonymsOf)].map((form) => `=${form}`),
    ].join('|'),
  );

/** Words and phrases that a search found, for {@link markedIn}. */
export const marksOf = (words: readonly string[]): string[] =>
  formsOf(words).flatMap((forms) => forms.replaceAll('=', '').split('|'));

/**
 * Matches all words in English or French forms, or as beginnings of longer words, each also by its
 * synonyms, written as one with its neighbours or as several. Stop words count only where there is
 * nothing else.
 */
export const searchQuery = (words: readonly string[]): SQL =>
  sql`search_query(${sql.param(formsOf(words))}::text[])`;

/** {@link searchQuery} on a column. */
export const hasWords = (vector: AnyPgColumn, words: readonly string[]): SQL =>
  sql`${vector} @@ ${searchQuery(words)}`;
