import { type SQL, sql } from 'drizzle-orm';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import type { Ctx } from '../core/context.ts';
import { type Region, regions } from '../shared/places/regions.ts';
import { searchWords } from '../shared/search.ts';
import { premiumCount } from '../shared/slots.ts';
import { forgiven, wordsWithHits } from './forgive.ts';
import { marksOf, searchQuery } from './query.ts';
import { type Asked, askedIn, type Given, resultsPerPage, soonHours } from './rules.ts';
import { marketWords, visible } from './visible.ts';

export type FoundState = 'live' | 'expired' | 'waiting' | 'sold' | 'ended';
export type Found = { id: string; state: FoundState; slotId: number | null };
type Counts = Record<string, number>;
type Facets = {
  category: Counts;
  condition: Counts;
  region: Record<string, { count: number; name: string }>;
  lane: Counts;
  soon: number;
  verified: number;
};
/**
 * `near`: nothing matched, and these match without the filters, match some of the words, or are
 * simply what the market has.
 */
type Near = 'filters' | 'words' | 'market';

type Read = { total: number; facets: Facets; items: Found[] };

/**
 * Searches what visitors may find in the market: live listings first, then those that wait again or
 * ended in the last 30 days. Never refuses; `notes` names what of the request could not be used.
 */
export async function searchMarket(ctx: Ctx, given: Given) {
  const { asked, notes } = askedIn(given);
  const words = searchWords(asked.q ?? '');
  let used = words;
  let read = await readPage(ctx, asked, allOf(words));
  if (asked.region && !read.facets.region[asked.region] && !(await isRegion(ctx, asked.region))) {
    notes.push('regionUnknown');
    delete asked.region;
    read = await readPage(ctx, asked, allOf(words));
  }
  let corrected: string[] | undefined;
  if (read.total === 0 && words.length > 0) {
    corrected = await forgiven(ctx, words, marketWords(ctx.now()), (some) =>
      wordsWithHits(
        ctx,
        some,
        (query) => sql`select from ${visible(ctx.now(), sql`f.search @@ ${query}`)}`,
      ),
    );
    if (corrected) {
      used = corrected;
      read = await readPage(ctx, asked, allOf(used));
    }
  }
  const lastPage = Math.max(1, Math.ceil(read.total / resultsPerPage));
  if (asked.page > lastPage) {
    if (!notes.includes('pageBeyond')) notes.push('pageBeyond');
    asked.page = lastPage;
    read = await readPage(ctx, asked, allOf(used));
  }
  const near = read.total === 0 ? await nearMisses(ctx, asked, used) : null;
  return {
    asked,
    notes,
    words: marksOf(used),
    corrected: corrected?.join(' ') ?? null,
    total: read.total,
    pages: lastPage,
    facets: { ...read.facets, region: named(read.facets.region, ctx.language) },
    near: near?.why ?? null,
    items: near?.items ?? read.items,
  };
}

async function nearMisses(
  ctx: Ctx,
  { q, sort }: Asked,
  words: readonly string[],
): Promise<{ why: Near; items: Found[] }> {
  const without: Asked = { ...(q && { q }), sort, page: 1 };
  const tries: [Near, SQL | undefined][] = [
    ['filters', allOf(words)],
    ...(words.length > 1 ? ([['words', anyOf(words)]] as [Near, SQL][]) : []),
    ['market', undefined],
  ];
  for (const [why, query] of tries) {
    if (why === 'filters' && !query) continue;
    const { items } = await readPage(
      ctx,
      why === 'market' ? { sort: 'ending', page: 1 } : without,
      query,
    );
    if (items.length > 0) return { why, items };
  }
  return { why: 'market', items: [] };
}

const allOf = (words: readonly string[]): SQL | undefined =>
  words.length > 0 ? searchQuery(words) : undefined;
const anyOf = (words: readonly string[]): SQL =>
  sql.join(
    words.map((word) => searchQuery([word])),
    sql` || `,
  );

const isCode = (key: string): key is Region => (regions as readonly string[]).includes(key);

/** The ten regions have names in each language; others are a seller's own words. */
const named = (found: Facets['region'], language: Language): Facets['region'] => {
  const t = translator(language, 'common');
  return Object.fromEntries(
    Object.entries(found).map(([key, { count, name }]) => [
      key,
      { count, name: isCode(key) ? t(`regions.${key}`) : name },
    ]),
  );
};

async function isRegion({ db, now }: Ctx, key: string): Promise<boolean> {
  if (isCode(key)) return true;
  const [row] = await db.execute(
    sql`select 1 from ${visible(now(), sql`f.region_key = ${key}`)} limit 1`,
  );
  return row !== undefined;
}

/** Conditions of the filters on a row of `matched`, by the facet that each belongs to. */
const filtersOf = ({ category, condition, region, min, max, lane, soon, verified }: Asked) => ({
  category: category ? sql`category is not distinct from ${category}` : undefined,
  condition: condition ? sql`condition is not distinct from ${condition}` : undefined,
  region: region ? sql`region_key is not distinct from ${region}` : undefined,
  price:
    min !== undefined || max !== undefined
      ? sql`price between ${min ?? 0}::int and ${max ?? 2_147_483_647}::int`
      : undefined,
  lane: lane ? sql`premium = ${lane === 'premium'}` : undefined,
  soon: soon ? sql`soon` : undefined,
  verified: verified ? sql`verified` : undefined,
});
type Filters = ReturnType<typeof filtersOf>;

const orders: Record<Asked['sort'], SQL> = {
  match: sql`live desc, rank desc, end_time, ended_at desc nulls first`,
  ending: sql`live desc, end_time, ended_at desc nulls first`,
  newest: sql`live desc, started_at desc`,
  price: sql`live desc, price nulls last`,
};

/** State of a row of {@link visible}. */
const stateAt = (
  at: SQL,
): SQL => sql`case when s.end_time > ${at} then 'live' when s.id is not null then 'expired'
  when f.ended_at is null then 'waiting' when f.sold then 'sold' else 'ended' end`;

/** Of these products, those that visitors may find now; live ones first, the next to end on top. */
export async function foundAmong({ db, now }: Ctx, ids: readonly string[]): Promise<Found[]> {
  if (ids.length === 0) return [];
  const at = sql`${now().toISOString()}::timestamptz`;
  const rows = await db.execute<Found>(sql`
    select f.product_id as id, coalesce(s.id, f.slot_id) as "slotId", ${stateAt(at)} as state
    from ${visible(now(), sql`f.product_id = any(${sql.param([...ids])}::uuid[])`)}
    order by s.end_time > ${at} desc nulls last, s.end_time, f.ended_at desc nulls first, f.product_id`);
  return [...rows];
}

/**
 * Products that visitors may find, by the eight digits that end their slugs, in the order of the
 * codes. Two may share those: then the one in a slot, or else the latest.
 */
export async function productsOf({ db, now }: Ctx, codes: readonly string[]): Promise<string[]> {
  if (codes.length === 0) return [];
  const of = sql`f.product_id between (kept.code || '-0000-0000-0000-000000000000')::uuid
    and (kept.code || '-ffff-ffff-ffff-ffffffffffff')::uuid`;
  const rows = await db.execute<{ id: string }>(sql`
    select found.id from unnest(${sql.param([...codes])}::text[]) with ordinality as kept(code, n)
      cross join lateral (select f.product_id as id from ${visible(now(), of)}
        order by s.id is not null desc, f.started_at desc limit 1) as found
    order by kept.n`);
  return rows.map(({ id }) => id);
}

/** A page, the number of matches, and the number for each choice under the other filters. */
async function readPage({ db, now }: Ctx, asked: Asked, query: SQL | undefined): Promise<Read> {
  const filters = filtersOf(asked);
  const fits = (except?: keyof Filters): SQL =>
    sql.join(
      [
        sql`true`,
        ...Object.entries(filters).flatMap(([name, filter]) =>
          filter && name !== except ? [filter] : [],
        ),
      ],
      sql` and `,
    );
  const at = sql`${now().toISOString()}::timestamptz`;
  const [row] = await db.execute<{ read: Read }>(sql`
    with matched as materialized (
      select f.product_id, f.category, f.condition, f.region, f.region_key, f.price, f.started_at, f.ended_at,
        coalesce(s.id, f.slot_id) as slot_id, s.end_time,
        ${stateAt(at)} as state, s.id is not null and s.end_time > ${at} as live,
        s.id is not null and s.end_time > ${at} and s.end_time <= ${at} + make_interval(hours => ${soonHours}) as soon,
        coalesce(s.id <= ${premiumCount}, f.premium) as premium,
        v.verified_whatsapp is not null and v.verified_whatsapp = coalesce(f.whatsapp, v.whatsapp) as verified,
        ${query ? sql`ts_rank(f.search, ${query})` : sql`0`} as rank
      from ${visible(now(), query ? sql`f.search @@ (${query})` : undefined)}),
    page as (
      select product_id as id, slot_id as "slotId", state, row_number() over (order by ${orders[asked.sort]}, product_id) as n
      from matched where ${fits()} order by n
      limit ${resultsPerPage} offset ${(asked.page - 1) * resultsPerPage})
    select json_build_object(
      'total', (select count(*) from matched where ${fits()}),
      'items', (select coalesce(json_agg(json_build_object('id', id, 'slotId', "slotId", 'state', state)
        order by n), '[]') from page),
      'facets', json_build_object(
        'category', (select coalesce(json_object_agg(category, count), '{}') from (select category, count(*)
          from matched where ${fits('category')} and category is not null group by 1) c),
        'condition', (select coalesce(json_object_agg(condition, count), '{}') from (select condition, count(*)
          from matched where ${fits('condition')} and condition is not null group by 1) c),
        'region', (select coalesce(json_object_agg(region_key, json_build_object('count', count, 'name', name)), '{}')
          from (select region_key, count(*), mode() within group (order by region) as name
          from matched where ${fits('region')} and region_key is not null group by 1) r),
        'lane', (select json_build_object('premium', count(*) filter (where premium),
          'standard', count(*) filter (where not premium)) from matched where ${fits('lane')}),
        'soon', (select count(*) from matched where ${fits('soon')} and soon),
        'verified', (select count(*) from matched where ${fits('verified')} and verified))) as read`);
  if (!row) throw new Error('The search gave no answer');
  return row.read;
}
