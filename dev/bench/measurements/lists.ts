import { createHash } from 'node:crypto';
import { auditEntries } from '../../../api/audit/reads.ts';
import type { Ctx } from '../../../api/core/context.ts';
import { analytics } from '../../../api/engagement/reads.ts';
import { fees } from '../../../api/listings/fees.ts';
import { incompleteProducts } from '../../../api/products/integrity/integrity.ts';
import { pendingEdits, pendingProducts } from '../../../api/products/reads.ts';
import { queuePageOf, queueStats, removedProducts } from '../../../api/queue/reads.ts';
import { openReports } from '../../../api/reports/reads.ts';
import { barredAddresses, listSellers } from '../../../api/sellers/reads.ts';
import { slotCount } from '../../../api/shared/slots.ts';
import { adminSlots } from '../../../api/slots/admin.ts';
import { type Crowd, openCrowd, timed } from '../crowd.ts';
import { percentile, type Result } from '../report.ts';
import type { Bench } from '../testbed.ts';

export const large = true;
const [few, many, rounds, warming] = [10_000, 1_000_000, 200, 20];

/**
 * Part of one seller's address, as an admin pastes it. Names and addresses differ from each other,
 * as in reality.
 */
const somebody = createHash('md5').update('address777').digest('hex').slice(0, 9).toUpperCase();

const lists: Record<string, (ctx: Ctx) => Promise<unknown>> = {
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
export const names = Object.keys(lists).map((list) => `list: ${list}`);

/**
 * A market of this size after years: nearly all listings are over, and the waiting work is a day's
 * (100 under review, 40 incomplete, 200 fees due, 20 reported). One in twenty products is queued.
 */
async function fillMarket({ sql }: Crowd, size: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into sellers (id, name, email, whatsapp, location, created_at)
      select md5('s' || n)::uuid, initcap(left(md5('name' || n), 9)),
        left(md5('address' || n), 12) || '@example.test', '+237690000000', 'Douala', now() - n * interval '1 minute'
      from generate_series(1, ${size}::int) as n`;
    await tx`insert into products (id, slug, seller_id, status, approved_at, name, description,
      images, duration_seconds, price, city,
        seller_name, seller_whatsapp, seller_location, category, payment_method, created_at)
      select md5(n::text)::uuid, 'product-' || n, md5('s' || n)::uuid,
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
        case when n > 100 and n % 20 > 0 then now() - n * interval '27 minutes' end,
        case when n > 100 and n % 20 > 0 then 60 end,
        case when n > 100 and n % 20 > 0 then now() - n * interval '26 minutes' end,
        case when n > 100 and n % 20 > 0 then 'time' end, 1000,
        case when n <= 200 then 'due' else 'paid' end, case when n > 200 then now() end
      from generate_series(1, ${size}::int) as n`;
    await tx`insert into queue_items (product_id, queue_name, priority, band, position, queued_at, item_data)
      select md5(n::text)::uuid, 'queue:regular', 0, 1, n * 1024::bigint, now(), '{}'
      from generate_series(120, ${size}::int, 20) as n`;
    await tx`insert into reports (product_id, reason, visitor, created_at, resolved_at, resolution)
      select md5(n::text)::uuid, 'fraud', 'v' || n, now(),
        case when n % 50 = 0 then null else now() end, case when n % 50 = 0 then null else 'dismissed' end
      from generate_series(1, 1000) as n`;
    await tx`insert into audit_log (at, actor_kind, action, subject_kind, subject_id, request_id)
      select now() - n * interval '1 minute', 'admin', 'product.approve', 'product',
        md5(n::text)::uuid::text, 'r' from generate_series(1, ${size}::int) as n`;
    await tx`insert into slot_daily (day, slot_id, product_id, views)
      select to_char(now() - d * interval '1 day', 'YYYY-MM-DD'), s, md5(s::text)::uuid, 9
      from generate_series(0, 400) as d, generate_series(1, ${slotCount}) as s`;
  });
  await sql`vacuum analyze`;
}

/** Each admin list, p95, with ten thousand and with a million products and sellers. */
export async function run(bench: Bench): Promise<Result[]> {
  const markets: Crowd[] = [];
  for (const size of [few, many]) {
    bench.say(`a market of ${size.toLocaleString('en')} products and as many sellers`);
    const crowd = await openCrowd(bench);
    await fillMarket(crowd, size);
    markets.push(crowd);
  }
  const results: Result[] = [];
  for (const [list, read] of Object.entries(lists)) {
    const took: [number[], number[]] = [[], []];
    for (let round = -warming; round < rounds; round++) {
      for (const [index, { ctx }] of markets.entries()) {
        const spent = await timed(() => read(ctx));
        if (round >= 0) took[index as 0 | 1].push(spent);
      }
    }
    const [reference, value] = [percentile(took[0], 0.95), percentile(took[1], 0.95)];
    const ratio = value / reference;
    results.push({
      name: `list: ${list}`,
      value,
      unit: 'ms',
      reference,
      ratio,
      want: 'ratio ≤ 1.5',
      met: ratio <= 1.5,
      note: 'p95; 1,000,000 against 10,000',
    });
  }
  for (const { close } of markets) await close();
  return results;
}
