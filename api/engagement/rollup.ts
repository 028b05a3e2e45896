import { sql } from 'drizzle-orm';
import { requireAdmin } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';

const tally = sql`count(*) filter (where type = 'view') as views, count(*) filter (where type = 'click') as clicks,
  count(*) filter (where type = 'messageTap') as message_taps, count(*) filter (where type = 'share') as shares`;

const addTo = (table: string) =>
  sql.raw(
    ['views', 'clicks', 'message_taps', 'shares']
      .map((figure) => `${figure} = ${table}.${figure} + excluded.${figure}`)
      .join(', '),
  );

/**
 * Moves fresh events into slot counters and daily figures, each exactly once. Events of an earlier
 * assignment go only into the daily figures.
 */
export async function rollUpEngagement(ctx: Ctx, { limit = 50_000 } = {}): Promise<number> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockNamed(tx, 'roll-up');
    const [row] = await tx.db.execute<{ count: number }>(sql`
      with fresh as materialized (
        select e.id, e.type, e.slot_id, e.product_id,
        to_char(e.occurred_at at time zone 'Africa/Douala', 'YYYY-MM-DD') as day,
          coalesce(s.product_id = e.product_id and e.occurred_at >= s.start_time, false) as present
        from engagement_events as e left join slots as s on s.id = e.slot_id
        where e.rolled_at is null order by e.id limit ${limit} for update of e
      ), rolled as (
        update engagement_events as e set rolled_at = ${tx.now().toISOString()}::timestamptz
        from fresh where e.id = fresh.id
      ), of_products as (
        insert into product_daily (product_id, day, views, clicks, message_taps, shares)
        select product_id, day, ${tally} from fresh group by product_id, day
        on conflict (product_id, day) do update set ${addTo('product_daily')}
      ), of_slots as (
        insert into slot_daily (day, slot_id, product_id, views, clicks, message_taps, shares)
        select day, slot_id, product_id, ${tally} from fresh where slot_id is not null group by day, slot_id, product_id
        on conflict (day, slot_id, product_id) do update set ${addTo('slot_daily')}
      ), counters as (
        update slot_engagement as c set views = c.views + n.views, clicks = c.clicks + n.clicks,
          message_taps = c.message_taps + n.message_taps, shares = c.shares + n.shares
        from (select slot_id, ${tally} from fresh where present group by slot_id) as n where c.slot_id = n.slot_id
      )
      select count(*)::int as count from fresh`);
    return row?.count ?? 0;
  });
}
