import type { Ctx } from '../../../api/core/context.ts';
import { searchMarket } from '../../../api/search/market.ts';
import { suggest } from '../../../api/search/suggest.ts';
import { listings } from '../../../db/seed/listings.ts';
import { fillMarket, imageWithoutFiles } from '../../testbed/fill.ts';
import type { Result } from '../../testbed/report.ts';
import { type Crowd, openCrowd } from '../crowd.ts';
import { compareSizes } from '../sizes.ts';
import type { Bench } from '../testbed.ts';

export const large = true;
/** Listings that can be found, and products behind them that ended more than 30 days ago. */
const findables = [1600, 6000] as const;
const olds = [10_000, 1_000_000] as const;

const reads: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  words: (ctx) => searchMarket(ctx, { q: 'telephone' }),
  slip: (ctx) => searchMarket(ctx, { q: 'telefone' }),
  filters: (ctx) =>
    searchMarket(ctx, { category: 'electronics', region: 'littoral', max: '100000' }),
  'no filter': (ctx) => searchMarket(ctx, {}),
  suggestions: (ctx) => suggest(ctx, 'tel'),
};
export const names = Object.keys(reads).map((read) => `market search: ${read}`);

/** The open stalls, and ended listings with the texts of the demo, written without triggers. */
async function fill({ ctx, sql }: Crowd, findable: number, old: number): Promise<void> {
  await fillMarket(ctx, (index) => [imageWithoutFiles(ctx.now(), index)]);
  const texts = listings.map(({ name, description, category, city, region }) => ({
    name,
    description,
    category,
    city,
    region,
  }));
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into products (id, slug, status, approved_at, name, description, images,
      duration_seconds, price, city, region, region_code, category, created_at)
      select md5(n::text)::uuid, 'product-' || n, 'approved', at,
        jsonb_set(text->'name', '{en}', to_jsonb((text->'name'->>'en') || ' ' || n)),
        text->'description', '[]', 86400, 1000 + n % 200000, text->>'city', text->>'region',
        case when n % 3 = 0 then 'littoral' end, text->>'category', at
      from (select n, ${sql.json(texts)}::jsonb -> (n % ${texts.length}::int) as text,
        case when n <= ${findable} then now() - n * interval '4 minutes'
          else now() - interval '31 days' - n * interval '20 seconds' end as at
        from generate_series(1, ${findable + old}::int) as n) as made`;
    await tx`insert into listings (product_id, number, opened_at, slot_id, started_at,
      duration_seconds, ended_at, end_reason, fee, fee_state, fee_marked_at)
      select id, 1, created_at - interval '2 hours', 11, created_at - interval '1 hour', 3600,
        created_at, 'time', 1000, 'paid', now() from products where slug like 'product-%'`;
    await tx`insert into findable (product_id, seller_id, whatsapp, category, price, region,
      region_key, slot_id, premium, started_at, ended_at, sold, name_words, other_words,
      text_words, condition, changed)
      select s.*, nextval('findable_changed') from findable_source s
      where s.product_id in (select md5(n::text)::uuid from generate_series(1, ${findable}::int) n)`;
  });
  await sql`vacuum analyze`;
}

/** Searches, with few and with a million old products behind. */
export async function run(bench: Bench): Promise<Result[]> {
  const results: Result[] = [];
  for (const findable of findables) {
    const marketOf = async (old: number): Promise<Crowd> => {
      bench.say(`${findable} listings to find, ${old.toLocaleString('en')} old ones behind`);
      const crowd = await openCrowd(bench);
      await fill(crowd, findable, old);
      // Services of its own, as each process has: they keep the words that can be found.
      return { ...crowd, ctx: { ...crowd.ctx, services: { ...crowd.ctx.services } } };
    };
    const markets = [await marketOf(olds[0]), await marketOf(olds[1])] as const;
    const note = `${findable.toLocaleString('en')} to find; 1,000,000 old against 10,000`;
    const how = { prefix: 'market search: ', figure: 'p95' as const, limit: 1.2, note };
    results.push(...(await compareSizes(markets, reads, how)));
    for (const { close } of markets) await close();
  }
  return results;
}
