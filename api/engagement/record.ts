import { and, eq, gt, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { dayKey } from '../core/format.ts';
import { inTransaction } from '../core/transaction.ts';
import { refersTo } from '../products/reference.ts';
import type { EngagementEvent } from './schema.ts';

const viewWindowMs = 30 * 60_000;
const crawler = /bot|crawl|spider|slurp|preview|fetch|monitor|facebookexternalhit|whatsapp\//i;

/** Whether a browser's name is a crawler's: they count as nothing (decision 9). */
export const isCrawler = (userAgent: string): boolean => userAgent === '' || crawler.test(userAgent);

/**
 * Records that a stall was seen, opened or shared (marketplace §7, decision 9). A view counts once per visitor and product in 30
 * minutes. Unknown pairs of slot and product, and crawlers, are dropped silently: it answers whether the event was counted.
 */
export async function recordEvent(ctx: Ctx, event: EngagementEvent, visitor: string): Promise<boolean> {
  if (isCrawler(ctx.client.userAgent)) return false;
  return inTransaction(ctx, async (tx) => {
    const { slots, products, engagementEvents: e } = schema;
    const [slot] = await tx.db
      .select({ productId: products.id })
      .from(slots)
      .innerJoin(products, eq(products.id, slots.productId))
      .where(and(eq(slots.id, event.slotId), refersTo(event.productId)))
      .for('key share', { of: products });
    if (!slot) return false;
    const { productId } = slot;
    const now = tx.now();
    if (event.type === 'view') {
      await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`view:${visitor}:${productId}`}, 54))`);
      const [seen] = await tx.db
        .select({ id: e.id })
        .from(e)
        .where(and(eq(e.visitor, visitor), eq(e.productId, productId), eq(e.type, 'view'), gt(e.occurredAt, new Date(now.getTime() - viewWindowMs))))
        .limit(1);
      if (seen) return false;
    }
    await tx.db.insert(e).values({ ...event, productId, visitor, occurredAt: now });
    return true;
  });
}

/**
 * Moves fresh events into the slot's counters and the product's daily figures. Each event is counted once whatever runs at the
 * same time; an event of an assignment that is over goes to the product's history alone. Returns how many were counted.
 */
export async function rollUpEngagement(ctx: Ctx, { limit = 5000 } = {}): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('roll-up', 54))`);
    const { engagementEvents: e, slots } = schema;
    const fresh = await tx.db
      .select({
        id: e.id,
        type: e.type,
        slotId: e.slotId,
        productId: e.productId,
        occurredAt: e.occurredAt,
        present: sql<boolean>`coalesce(${slots.productId} = ${e.productId} and ${e.occurredAt} >= ${slots.startTime}, false)`,
      })
      .from(e)
      .leftJoin(slots, eq(slots.id, e.slotId))
      .where(sql`${e.rolledAt} is null`)
      .orderBy(e.id)
      .limit(limit)
      .for('update', { of: e });
    if (fresh.length === 0) return 0;
    const bySlot = new Map<number, Tally>();
    const byDay = new Map<string, Tally>();
    for (const event of fresh) {
      add(byDay, `${event.productId} ${dayKey(event.occurredAt)}`, event.type);
      if (event.present && event.slotId !== null) add(bySlot, event.slotId, event.type);
    }
    const days = sql.join(
      [...byDay].map(([key, t]) => sql`(${key.slice(0, 36)}::uuid, ${key.slice(37)}, ${t.view}::int, ${t.click}::int, ${t.messageTap}::int, ${t.share}::int)`),
      sql`, `,
    );
    await tx.db.execute(sql`
      insert into product_daily (product_id, day, views, clicks, message_taps, shares) values ${days}
      on conflict (product_id, day) do update set views = product_daily.views + excluded.views, clicks = product_daily.clicks + excluded.clicks,
        message_taps = product_daily.message_taps + excluded.message_taps, shares = product_daily.shares + excluded.shares`);
    if (bySlot.size > 0) {
      const rows = sql.join(
        [...bySlot].map(([id, t]) => sql`(${id}::smallint, ${t.view}::int, ${t.click}::int, ${t.messageTap}::int, ${t.share}::int)`),
        sql`, `,
      );
      await tx.db.execute(sql`
        update slot_engagement as s set views = s.views + n.views, clicks = s.clicks + n.clicks, message_taps = s.message_taps + n.taps, shares = s.shares + n.shares
        from (values ${rows}) as n(slot_id, views, clicks, taps, shares) where s.slot_id = n.slot_id`);
    }
    await tx.db.execute(
      sql`update engagement_events set rolled_at = ${tx.now().toISOString()}::timestamptz where id in (${sql.join(
        fresh.map((event) => sql`${event.id}`),
        sql`, `,
      )})`,
    );
    return fresh.length;
  });
}

type Tally = { view: number; click: number; messageTap: number; share: number };
function add<K>(tallies: Map<K, Tally>, key: K, type: keyof Tally): void {
  const tally = tallies.get(key) ?? { view: 0, click: 0, messageTap: 0, share: 0 };
  tally[type]++;
  tallies.set(key, tally);
}
