import { sql } from 'drizzle-orm';
import { type Db, postgresCode } from '../../db/client.ts';
import { openToEveryone } from '../core/access.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import type { EngagementEvent } from './schema.ts';

const viewWindowMs = 30 * 60_000;
const crawler = /bot|crawl|spider|slurp|preview|fetch|monitor|facebookexternalhit|whatsapp\//i;

/**
 * True for a crawler, whose events do not count (product R9). Chats have no user agent and count.
 */
export const isCrawler = ({ via, client: { userAgent } }: Pick<Ctx, 'via' | 'client'>): boolean =>
  via === 'web' && (userAgent === '' || crawler.test(userAgent));

type Waiting = {
  event: EngagementEvent;
  visitor: string;
  at: Date;
  counted: (yes: boolean) => void;
  failed: (error: unknown) => void;
};
type Queue = { waiting: Waiting[]; writing: boolean };

const queues = new WeakMap<Db, Queue>();
const largestBatch = 500;
/** Limit of waiting events while the database is slow: a few megabytes. */
const maxQueued = 5000;

/**
 * Records a view, click or share (product §7, product R9), a view once per visitor and product in
 * 30 minutes. False for crawlers, unknown pairs of slot and product, and events beyond the waiting
 * limit (decision 059). Written in batches, but saved when the promise resolves (decision 016).
 * @param visitor on the web the cookie, since cached pages know no account
 */
export async function recordEvent(
  ctx: Ctx,
  event: EngagementEvent,
  visitor = visitorKey(ctx),
): Promise<boolean> {
  openToEveryone(ctx);
  if (isCrawler(ctx)) return false;
  const queue = queues.get(ctx.db) ?? { waiting: [], writing: false };
  queues.set(ctx.db, queue);
  if (queue.waiting.length >= maxQueued) return false;
  const answer = new Promise<boolean>((counted, failed) =>
    queue.waiting.push({ event, visitor, at: ctx.now(), counted, failed }),
  );
  if (!queue.writing) void writeAll(ctx, queue);
  return answer;
}

async function writeAll(ctx: Ctx, queue: Queue): Promise<void> {
  queue.writing = true;
  while (queue.waiting.length > 0) {
    // Waits a turn of the event loop, or one event would go alone ahead of every crowd.
    await new Promise((turned) => setImmediate(turned));
    const batch = queue.waiting.splice(0, largestBatch);
    try {
      const counted = await writeBatch(ctx, batch);
      for (const [n, { counted: tell }] of batch.entries()) tell(counted.has(n));
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
  queue.writing = false;
}

/** Retries once if a product was deleted before the insert. */
async function writeBatch(ctx: Ctx, batch: readonly Waiting[]): Promise<Set<number>> {
  try {
    return await insertBatch(ctx, batch);
  } catch (error) {
    if (postgresCode(error) !== foreignKeyViolation) throw error;
    return insertBatch(ctx, batch);
  }
}
const foreignKeyViolation = '23503';

async function insertBatch(ctx: Ctx, batch: readonly Waiting[]): Promise<Set<number>> {
  const views = batch.some(({ event }) => event.type === 'view');
  const given = batch.map(({ event, visitor, at }, n) => ({
    n,
    type: event.type,
    slot_id: event.slotId,
    product: event.productId,
    visitor,
    at,
  }));
  const insert = (db: Db) =>
    db.execute<{ n: number }>(sql`
      with present as (
        select n, type, slots.id as slot_id, slots.product_id, visitor, at,
          row_number() over (partition by given.type, given.visitor, slots.product_id order by n) as nth
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given(n int, type text, slot_id smallint, product text, visitor text, at timestamptz)
        -- A stall may know no more than the digits that its product's id begins with; within one slot they tell it.
        join slots on slots.id = given.slot_id and starts_with(slots.product_id::text, lower(given.product))
      ), counted as (
        select * from present where type <> 'view' or (nth = 1 and not exists (
          select 1 from engagement_events as e where e.visitor = present.visitor
          and e.product_id = present.product_id and e.type = 'view'
            and e.occurred_at > present.at - make_interval(secs => ${viewWindowMs / 1000})))
      ), written as (
        insert into engagement_events (type, slot_id, product_id, visitor, occurred_at)
        select type, slot_id, product_id, visitor, at from counted order by n
      )
      select n from counted`);
  const rows = views
    ? await inTransaction(ctx, async (tx) => {
        // Serializes views, so that another process's view of the same visitor is seen. Lock and
        // insert are sent together.
        const locked = lockNamed(tx, 'engagement:views');
        const [, inserted] = await Promise.all([locked, insert(tx.db)]);
        return inserted;
      })
    : await insert(ctx.db);
  return new Set(rows.map(({ n }) => n));
}
