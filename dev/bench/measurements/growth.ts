import { createHash } from 'node:crypto';
import { auditEntries } from '../../../api/audit/reads.ts';
import type { Actor, Ctx } from '../../../api/core/context.ts';
import { analytics } from '../../../api/engagement/reads.ts';
import { fees } from '../../../api/listings/fees.ts';
import { incompleteProducts } from '../../../api/products/integrity/integrity.ts';
import { ownProducts, pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { queuePageOf, queueStats, removedProducts } from '../../../api/queue/reads.ts';
import { openReports } from '../../../api/reports/reads.ts';
import { barredAddresses, listSellers } from '../../../api/sellers/reads.ts';
import { slotCount } from '../../../api/shared/slots.ts';
import { adminSlots } from '../../../api/slots/admin.ts';
import { homepageProducts, publicSlot } from '../../../api/slots/reads.ts';
import { fillMarket, imageWithoutFiles } from '../../testbed/fill.ts';
import type { Result } from '../../testbed/report.ts';
import { type Crowd, openCrowd } from '../crowd.ts';
import { compareSizes } from '../sizes.ts';
import type { Bench } from '../testbed.ts';

export const large = true;
const [few, many] = [10_000, 1_000_000];
/** The seller whose dashboard is read has twenty products, one of them waiting, at any size. */
const own = 20;
const sellerId = '00000054-0000-4000-8000-000000000054';
const owner = {
  kind: 'seller',
  userId: 'owner',
  sessionId: null,
  name: 'Seller',
  email: 'owner@example.test',
  agreedTo: null,
  seller: {
    ...{ id: sellerId, name: 'Seller', whatsapp: '+237690000000', location: 'Douala' },
    ...{ businessName: null, verifiedWhatsapp: null, verifiedBy: null, leavingAt: null },
    ...{ suspended: false, suspendedReason: null, suspendedAt: null },
  },
} satisfies Actor;

/**
 * Part of one seller's address, as an admin pastes it. Names and addresses differ from each other,
 * as in reality.
 */
const somebody = createHash('md5').update('address777').digest('hex').slice(0, 9).toUpperCase();

type Reads = Record<string, (ctx: Ctx) => Promise<unknown>>;
const visits: Reads = {
  home: (ctx) => homepageProducts(ctx),
  product: (ctx) => publicSlot(ctx, 11),
  'seller dashboard': (ctx) => ownProducts({ ...ctx, actor: owner }),
};
const lists: Reads = {
  pending: (ctx) => pendingProducts(ctx),
  edits: (ctx) => pendingEdits(ctx),
  integrity: (ctx) => incompleteProducts(ctx),
  fees: (ctx) => fees(ctx),
  queue: (ctx) => queuePageOf(ctx, { queueName: 'queue:regular' }),
  'queue stats': (ctx) => queueStats(ctx),
  removed: (ctx) => removedProducts(ctx),
  slots: (ctx) => adminSlots(ctx),
  sellers: (ctx) => listSellers(ctx),
  'seller search': (ctx) => listSellers(ctx, { search: somebody }),
  barred: (ctx) => barredAddresses(ctx),
  reports: (ctx) => openReports(ctx),
  audit: (ctx) => auditEntries(ctx),
  analytics: (ctx) => analytics(ctx, '90d'),
};
export const names = [
  ...Object.keys(visits).map((read) => `growth: ${read}`),
  ...Object.keys(lists).map((list) => `list: ${list}`),
];

/**
 * A market of this size after years: 54 open stalls, nearly all other listings over, and a day's
 * waiting work (100 under review, 40 incomplete, 200 fees due, 20 reported). One in twenty products
 * is queued; each has three days of figures, an event and an audited decision, and there are as many
 * sellers.
 */
async function marketOf(bench: Bench, size: number): Promise<Crowd> {
  bench.say(`a market of ${size.toLocaleString('en')} products, sellers and events`);
  const crowd = await openCrowd(bench);
  const { ctx, sql } = crowd;
  await fillMarket(ctx, (index) => [imageWithoutFiles(ctx.now(), index)]);
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into sellers (id, name, email, whatsapp, location)
      values (${sellerId}, 'Seller', 'owner@example.test', '+237690000000', 'Douala')`;
    await tx`insert into sellers (id, name, email, whatsapp, location, created_at)
      select md5('s' || n)::uuid, initcap(left(md5('name' || n), 9)),
        left(md5('address' || n), 12) || '@example.test', '+237690000000', 'Douala', now() - n * interval '1 minute'
      from generate_series(1, ${size}::int) as n`;
    await tx`insert into products (id, slug, seller_id, status, approved_at, name, description,
      images, duration_seconds, price, city,
        seller_name, seller_whatsapp, seller_location, category, payment_method, created_at)
      select md5(n::text)::uuid, 'product-' || n,
        case when n between 101 and ${100 + own} then ${sellerId}::uuid else md5('s' || n)::uuid end,
        case when n <= 100 then 'pending' else 'approved' end,
        case when n > 100 then now() - n * interval '28 minutes' end,
        jsonb_build_object('en', 'Product ' || n), jsonb_build_object('en', 'Bought in March, with its box.'),
        case when n <= 40 then '[]'::jsonb else
        '[{"key":"products/x","width":9,"height":9,"widths":[9],"colour":"#ffffff"}]'::jsonb end,
        86400, 5000, 'Douala', 'Seller ' || n, '+237690000000', 'Douala, Littoral', 'food', 'cash',
        now() - n * interval '1 minute'
      from generate_series(1, ${size}::int) as n`;
    await tx`insert into listings (product_id, number, opened_at, started_at, duration_seconds,
      ended_at, end_reason, fee, fee_state, fee_marked_at)
      select md5(n::text)::uuid, 1, now() - n * interval '28 minutes',
        case when over then now() - n * interval '27 minutes' end, case when over then 60 end,
        case when over then now() - n * interval '26 minutes' end, case when over then 'time' end,
        1000, case when n <= 200 then 'due' else 'paid' end, case when n > 200 then now() end
      from (select n, n > 100 and n % 20 > 0 as over from generate_series(1, ${size}::int) as n) as made`;
    await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
      select md5(n::text)::uuid, 'queue:regular', 0, 1, n * 1024::bigint, now(), '{}'
      from generate_series(120, ${size}::int, 20) as n`;
    await tx`insert into reports (product_id, reason, visitor, created_at, resolved_at, resolution)
      select md5(n::text)::uuid, 'fraud', 'v' || n, now(),
        case when n % 50 = 0 then null else now() end, case when n % 50 = 0 then null else 'dismissed' end
      from generate_series(1, 1000) as n`;
    await tx`insert into product_daily (product_id, day, views)
      select md5(n::text)::uuid, to_char(now() - d * interval '1 day', 'YYYY-MM-DD'), 9
      from generate_series(1, ${size}::int) as n, generate_series(0, 2) as d`;
    await tx`insert into engagement_events (type, slot_id, product_id, visitor, occurred_at, rolled_at)
      select 'view', 1 + n % 54, md5(n::text)::uuid, 'v' || n, now() - n * interval '1 second',
        now() from generate_series(1, ${size}::int) as n`;
    await tx`insert into audit_log (at, actor_kind, action, subject_kind, subject_id, request_id)
      select now() - n * interval '1 minute', 'admin', 'product.approve', 'product',
        md5(n::text)::uuid::text, 'r' from generate_series(1, ${size}::int) as n`;
    await tx`insert into slot_daily (day, slot_id, product_id, views)
      select to_char(now() - d * interval '1 day', 'YYYY-MM-DD'), s, md5(s::text)::uuid, 9
      from generate_series(0, 400) as d, generate_series(1, ${slotCount}) as s`;
  });
  await sql`vacuum analyze`;
  return crowd;
}

/** The most frequent reads, and every admin list, with ten thousand products and with a million. */
export async function run(bench: Bench): Promise<Result[]> {
  const markets = [await marketOf(bench, few), await marketOf(bench, many)] as const;
  const note = '1,000,000 against 10,000';
  const results = [
    ...(await compareSizes(markets, visits, {
      ...{ prefix: 'growth: ', figure: 'p50', limit: 1.2, note },
    })),
    ...(await compareSizes(markets, lists, {
      ...{ prefix: 'list: ', figure: 'p95', limit: 1.5, note },
    })),
  ];
  for (const { close } of markets) await close();
  return results;
}
