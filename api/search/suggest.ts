import { type SQL, sql } from 'drizzle-orm';
import type { Bilingual } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { retrySeconds } from '../core/limits.ts';
import { Refusal } from '../shared/errors.ts';
import { normalized, searchWords } from '../shared/search.ts';
import { inLanguage } from '../shared/text.ts';
import { forgiven, wordsWithHits } from './forgive.ts';
import { formsOf } from './query.ts';
import { cleanSearch, fewestLetters } from './rules.ts';
import { marketWords, visible } from './visible.ts';

const mostSuggestions = 6;
/** Read for each suggestion shown, since listings may share a name. */
const readPerShown = 4;

/** Names of listings that begin with or contain what is being typed. Refuses `tooManyRequests`. */
export async function suggest(ctx: Ctx, typed: string): Promise<{ suggestions: string[] }> {
  requirePace(ctx);
  const q = cleanSearch(typed);
  const words = searchWords(q);
  if (normalized(q).length < fewestLetters || words.length === 0) return { suggestions: [] };
  const found = await named(ctx, words);
  if (found.length > 0) return { suggestions: found };
  const meant = await forgiven(ctx, words, marketWords(ctx.now()), (some) =>
    wordsWithHits(
      ctx,
      some,
      (query) => sql`select from ${visible(ctx.now(), sql`f.search @@ ${query}`)}`,
    ),
  );
  return { suggestions: meant ? await named(ctx, meant) : [] };
}

/** Visitors with a cookie have a pace of their own; those of one address without share a larger. */
function requirePace({ client, services, now }: Ctx): void {
  const wait = client.visitor
    ? services.load.take('suggestVisitor', client.visitor, now())
    : services.load.take('suggestAddress', client.addressHash, now());
  if (wait > 0) throw new Refusal('tooManyRequests', {}, [], { retryAfter: retrySeconds(wait) });
}

async function named({ db, now, language }: Ctx, words: readonly string[]): Promise<string[]> {
  const rows = await db.execute<{ name: Bilingual | null }>(sql`
    select p.name from (select f.product_id, s.end_time > ${now().toISOString()}::timestamptz as live,
        ts_rank(f.search, ${inNames(words)}) as rank
      from ${visible(now(), sql`f.search @@ (${inNames(words)})`)}
      order by live desc nulls last, rank desc, f.started_at desc
      limit ${mostSuggestions * readPerShown}) as found
    join products p on p.id = found.product_id
    order by found.live desc nulls last, found.rank desc`);
  const names = new Map<string, string>();
  for (const { name } of rows) {
    const text = inLanguage(name, language)?.trim();
    if (text && !names.has(normalized(text))) names.set(normalized(text), text);
  }
  return [...names.values()].slice(0, mostSuggestions);
}

/** All words, in any of their forms, as beginnings of words of a name: lexemes of weight A. */
const inNames = (words: readonly string[]): SQL =>
  sql.join(
    formsOf(words).map(
      (forms) =>
        sql`(${sql.join(
          forms
            .replaceAll('=', '')
            .split('|')
            .map((one) => sql`to_tsquery('simple', quote_literal(${one}::text) || ':*A')`),
          sql` || `,
        )})`,
    ),
    sql` && `,
  );
