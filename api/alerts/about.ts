import { type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../core/context.ts';
import { formsOf } from '../search/query.ts';
import { queryOf } from '../search/rules.ts';
import { Refusal } from '../shared/errors.ts';
import { searchWords } from '../shared/search.ts';
import { premiumCount } from '../shared/slots.ts';
import { findShop } from '../shops/find.ts';
import { askedOf, type Wanted } from './rules.ts';

/** Columns of an alert that say what it is about; `forms` are those of its words. */
export type About = ReturnType<typeof searchOf> & { sellerId: string | null };

/** Reads what an alert is about. Refuses `alerts.empty`, `sellers.shopNotFound`. */
export async function aboutOf(ctx: Ctx, { search, shop }: Wanted): Promise<About> {
  if (shop) return { ...searchOf(''), sellerId: await sellerOf(ctx, shop) };
  const about = searchOf(search);
  if (about.query === '' || (about.forms && !(await saysMore(ctx, about.forms))))
    throw new Refusal('alerts.empty');
  return { ...about, sellerId: null };
}

async function sellerOf(ctx: Ctx, slug: string): Promise<string> {
  const found = await findShop(ctx, slug);
  if (found?.kind === 'moved') return sellerOf(ctx, found.slug);
  if (!found) throw new Refusal('sellers.shopNotFound');
  return found.seller.id;
}

function searchOf(search: string) {
  const asked = askedOf(search);
  const { q, category, condition, region, min, max, lane, verified } = asked;
  return {
    query: queryOf(asked),
    forms: q ? formsOf(searchWords(q)) : null,
    category: category ?? null,
    condition: condition ?? null,
    regionKey: region ?? null,
    min: min ?? null,
    max: max ?? null,
    premium: lane ? lane === 'premium' : null,
    verified: verified ?? null,
  };
}

export const wordsOf = (forms: readonly string[]): SQL<string> =>
  sql<string>`search_query(${sql.param([...forms])}::text[])`;

/** False for words of which a search makes nothing: they would fit every listing. */
async function saysMore({ db }: Ctx, forms: readonly string[]): Promise<boolean> {
  const [row] = await db.execute(sql`select where ${wordsOf(forms)} is not null`);
  return row !== undefined;
}

/**
 * Conditions of an alert `a` on a live listing, as the market's search has them: `findable` f, its
 * slot s and its seller v.
 */
export const fits = sql`(a.seller_id is null or a.seller_id = f.seller_id)
  and (a.words is null or f.search @@ a.words)
  and (a.category is null or a.category = f.category)
  and (a.condition is null or a.condition = f.condition)
  and (a.region_key is null or a.region_key = f.region_key)
  and (a.min is null or f.price >= a.min) and (a.max is null or f.price <= a.max)
  and (a.premium is null or a.premium = (s.id <= ${premiumCount}))
  and (a.verified is not true or v.verified_whatsapp = coalesce(f.whatsapp, v.whatsapp))
  and v.suspended is not true and v.leaving_at is null`;
