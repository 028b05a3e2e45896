import { feed } from '../../../api/connect/reads.ts';
import type { Actor, Ctx } from '../../../api/core/context.ts';
import { ownProducts } from '../../../api/products/reads.ts';
import { homepageProducts, publicSlot } from '../../../api/slots/reads.ts';
import { fillConnect } from '../connectPosts.ts';
import { type Crowd, openCrowd, timed } from '../crowd.ts';
import { fillMarket, imageWithoutFiles } from '../fill.ts';
import { median, type Result, ratioAtMost } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const large = true;
/** Factors 1, 100 and 10,000 on a young market. */
const sizes = [100, 10_000, 1_000_000] as const;
const [rounds, warming, own, waiting] = [300, 30, 20, 20];

/** The seller whose dashboard is read: {@link own} products, one of them waiting, at any size. */
const owner = {
  kind: 'seller',
  userId: 'owner',
  sessionId: null,
  name: 'Seller',
  email: 'owner@example.test',
  agreedTo: null,
  seller: {
    id: '00000054-0000-4000-8000-000000000054',
    name: 'Seller',
    whatsapp: '+237690000000',
    location: 'Douala',
    businessName: null,
    verifiedWhatsapp: null,
    verifiedBy: null,
    suspended: false,
    suspendedReason: null,
    suspendedAt: null,
    leavingAt: null,
  },
} satisfies Actor;

const reads: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  home: (ctx) => homepageProducts(ctx),
  product: (ctx) => publicSlot(ctx, 11),
  'seller dashboard': (ctx) => ownProducts({ ...ctx, actor: owner }),
  feed: (ctx) => feed(ctx, {}),
};
export const names = Object.keys(reads).map((read) => `growth: ${read}`);

/**
 * 54 open stalls, a queue of {@link waiting}, and behind them products, sellers and posts, each
 * with three days of figures, an event, an ended listing and an audited decision.
 */
async function fill({ ctx, sql }: Crowd, size: number): Promise<void> {
  await fillMarket(ctx, (index) => [imageWithoutFiles(ctx.now(), index)]);
  const sellerId = owner.seller.id;
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into sellers (id, name, email, whatsapp, location)
      values (${sellerId}, 'Seller', 'owner@example.test', '+237690000000', 'Douala')`;
    await tx`insert into sellers (id, name, email, whatsapp, location, created_at)
      select md5('s' || n)::uuid, 'Seller ' || n, 'growth' || n || '@example.test',
        '+237690000000', 'Douala', now() - n * interval '1 minute'
      from generate_series(${own + 1}::int, ${size}::int) as n`;
    await tx`insert into products (id, slug, seller_id, status, approved_at, name, description,
      images, duration_seconds, price, city, created_at)
      select md5(n::text)::uuid, 'product-' || n,
        case when n <= ${own} then ${sellerId}::uuid else md5('s' || n)::uuid end, 'approved',
        now() - n * interval '28 minutes',
        jsonb_build_object('en', 'Product ' || n), jsonb_build_object('en', 'Bought in March, with its box.'),
        '[{"key":"products/x","width":9,"height":9,"widths":[9],"colour":"#ffffff"}]'::jsonb,
        86400, 5000, 'Douala', now() - n * interval '1 minute'
      from generate_series(1, ${size}::int) as n`;
    await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
      select md5(n::text)::uuid, 'queue:regular', 0, 1, n * 1024::bigint, now(), '{}'
      from generate_series(${own}::int, ${own + waiting - 1}::int) as n`;
    await tx`insert into listings (product_id, number, opened_at, started_at, duration_seconds,
      ended_at, end_reason, fee, fee_state, fee_marked_at)
      select md5(n::text)::uuid, 1, now() - n * interval '28 minutes',
        case when not waits then now() - n * interval '27 minutes' end, case when not waits then 60 end,
        case when not waits then now() - n * interval '26 minutes' end,
        case when not waits then 'time' end, 1000, 'paid', now()
      from (select n, n between ${own} and ${own + waiting - 1} as waits
      from generate_series(1, ${size}::int) as n) as made`;
    await tx`insert into product_daily (product_id, day, views)
      select md5(n::text)::uuid, to_char(now() - d * interval '1 day', 'YYYY-MM-DD'), 9
      from generate_series(1, ${size}::int) as n, generate_series(0, 2) as d`;
    await tx`insert into engagement_events (type, slot_id, product_id, visitor, occurred_at, rolled_at)
      select 'view', 1 + n % 54, md5(n::text)::uuid, 'v' || n, now() - n * interval '1 second',
        now() from generate_series(1, ${size}::int) as n`;
    await tx`insert into audit_log (at, actor_kind, action, subject_kind, subject_id, request_id)
      select now() - n * interval '1 minute', 'admin', 'product.approve', 'product',
        md5(n::text)::uuid::text, 'r' from generate_series(1, ${size}::int) as n`;
  });
  await fillConnect({ sql }, size);
}

/**
 * The most frequent reads, median, in markets of a hundred, ten thousand and a million products, in
 * turns.
 */
export async function run(bench: Bench): Promise<Result[]> {
  const markets: Crowd[] = [];
  for (const size of sizes) {
    bench.say(`a market of ${size.toLocaleString('en')} products, sellers, posts and events`);
    const crowd = await openCrowd(bench);
    await fill(crowd, size);
    markets.push(crowd);
  }
  const results: Result[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const took = markets.map((): number[] => []);
    for (let round = -warming; round < rounds; round++) {
      for (const [index, { ctx }] of markets.entries()) {
        const spent = await timed(() => read(ctx));
        if (round >= 0) took[index]?.push(spent);
      }
    }
    const [once = Number.NaN, hundred = Number.NaN, tenThousand = Number.NaN] = took.map(median);
    const ratio = tenThousand / once;
    const note = `p50; 1,000,000 against 100 (10,000: ${(hundred / once).toFixed(2)})`;
    results.push({
      name: `growth: ${name}`,
      value: tenThousand,
      unit: 'ms',
      reference: once,
      ratio,
      ...ratioAtMost(1.2)(ratio),
      note,
    });
  }
  for (const { close } of markets) await close();
  return results;
}
