import { type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';
import { type Vocabulary, vocabularyOf } from './slips.ts';
import { knownWords } from './synonyms.ts';

/** Texts whose words make up a vocabulary, and a cheap value that changes when they do. */
export type Source = { name: string; version: SQL; texts: SQL };

type Kept = { version: string; vocabulary: Promise<Vocabulary> };
const kept = new WeakMap<object, Map<string, Kept>>();

/**
 * Words of a source, kept by this process until the source changes. Requests that need it at the
 * same time share one reading.
 */
export async function vocabularyFor(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  { name, version, texts }: Source,
): Promise<Vocabulary> {
  const [row] = await db.execute<{ version: string }>(sql`select ${version}::text as version`);
  const current = row?.version ?? '';
  const mine = kept.get(services) ?? new Map<string, Kept>();
  kept.set(services, mine);
  const known = mine.get(name);
  if (known?.version === current) return known.vocabulary;
  const vocabulary = read({ db }, texts);
  mine.set(name, { version: current, vocabulary });
  vocabulary.catch(() => mine.delete(name));
  return vocabulary;
}

async function read({ db }: Pick<Ctx, 'db'>, texts: SQL): Promise<Vocabulary> {
  const rows = await db.execute<{ words: string }>(texts);
  const counts = new Map<string, number>();
  for (const { words } of rows)
    for (const word of new Set(words.split(' '))) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, named] of knownWords)
    if (!counts.has(word) && named.some((one) => counts.has(one))) counts.set(word, 0);
  return vocabularyOf(counts);
}
