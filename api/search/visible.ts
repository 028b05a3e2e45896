import { type SQL, sql } from 'drizzle-orm';
import { endedDays } from './rules.ts';
import type { Source } from './vocabulary.ts';

/** Bound of what has ended and can still be found. */
const endedSince = (now: Date): SQL =>
  sql`${new Date(now.getTime() - endedDays * 86_400_000).toISOString()}::timestamptz`;

/**
 * Rows of `findable` (f) that visitors may find now, with their slot (s) and seller (v). Slots and
 * sellers are joined, so that a pause, a suspension or a request to leave counts at once.
 */
export const visible = (now: Date, also: SQL = sql`true`): SQL => sql`findable f
  left join slots s on s.product_id = f.product_id left join sellers v on v.id = f.seller_id
  where (v.id is null or (not v.suspended and v.leaving_at is null))
    and (s.id is null or s.paused_at is null)
    and (f.ended_at is null or f.ended_at > ${endedSince(now)}) and ${also}`;

/** The words of everything that can be found now. */
export const marketWords = (now: Date): Source => ({
  name: 'market',
  version: sql`(select count(*) || '.' || coalesce(sum(hashtextextended(f.product_id::text, f.changed)), 0)
    from ${visible(now)})`,
  texts: sql`select f.name_words || ' ' || f.other_words || ' ' || f.text_words as words from ${visible(now)}`,
});
