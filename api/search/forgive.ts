import { sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';
import { formsOf } from './query.ts';
import { isEveryday } from './synonyms.ts';
import { type Source, vocabularyFor } from './vocabulary.ts';

/**
 * Words that a source's texts have, in place of those that none of them has. Returns undefined if
 * no word was replaced. Call it only after a search without a hit: a word that is found is never
 * changed, nor is one of the list of everyday words (decision 070).
 */
export async function forgiven(
  ctx: Pick<Ctx, 'db' | 'services'>,
  words: readonly string[],
  source: Source,
  /** True for a word that the search itself finds, in any form. */
  isFound: (words: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string[] | undefined> {
  const found = await isFound(words);
  const missing = words.filter((word) => !found.has(word) && !isEveryday(word));
  if (missing.length === 0) return undefined;
  const vocabulary = await vocabularyFor(ctx, source);
  const meant = new Map(missing.map((word) => [word, vocabulary.nearest(word)]));
  if (![...meant.values()].some((word) => word !== undefined)) return undefined;
  return [...new Set(words.map((word) => meant.get(word) ?? word))];
}

/** Those of the words for which a table's row has a match. */
export async function wordsWithHits(
  { db }: Pick<Ctx, 'db'>,
  words: readonly string[],
  rowWith: (query: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<Set<string>> {
  // Materialized, or the query would be made again for each row that it is compared with.
  const rows = await db.execute<{ word: string }>(sql`
    with given as materialized (
      select word, search_query(array[forms]) as query
      from unnest(${sql.param([...words])}::text[], ${sql.param(formsOf(words))}::text[])
        as given(word, forms))
    select word from given where exists (${rowWith(sql`given.query`)})`);
  return new Set(rows.map(({ word }) => word));
}
