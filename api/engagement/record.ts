import { sql } from 'drizzle-orm';
import { type Db, postgresCode } from '../../db/client.ts';
import { type Ctx, visitorKey } from '../core/context.ts';
import { inTransaction, lockNamed } from '../core/transaction.ts';
import type { EngagementEvent } from './schema.ts';

const viewWindowMs = 30 * 60_000;
const crawler = /bot|crawl|spider|slurp|preview|fetch|monitor|facebookexternalhit|whatsapp\//i;

/** Whether a browser's name is a crawler's: they count as nothing (product R9). Who writes in a chat has no browser, and is somebody. */
export const isCrawler = ({ via, client: { userAgent } }: Pick<Ctx, 'via' | 'client'>): boolean =>
  via === 'web' && (userAgent === '' || crawler.test(userAgent));

type Waiting = {
  event: EngagementEvent;
  visitor: string;
  at: Date;
  counted: (yes: boolean) => void;
  failed: (error: unknown) => void;
};
type Line = { waiting: Waiting[]; writing: boolean };

/** What waits to be written, for each pool: while one batch is on its way, the next one gathers. Nothing waits longer than a batch. */
const lines = new WeakMap<Db, Line>();
const largestBatch = 500;
/** Events that may wait while the database is slow or away: ten batches, a few megabytes with their requests. */
const longestLine = 5000;

/**
 * Records that a stall was seen, opened or shared (product §7, product R9). A view counts once per visitor and product in 30
 * minutes. Unknown pairs of slot and product, and crawlers, are dropped silently: it answers whether the event was counted. Events
 * that come together are written together, and each is kept when its answer comes (decision 016). Where too many wait
 * already, one more is not counted (decision 025).
 * @param visitor whom it counts for: on the web the cookie, since a stored page knows no account
 */
export async function recordEvent(
  ctx: Ctx,
  event: EngagementEvent,
  visitor = visitorKey(ctx),
): Promise<boolean> {
  if (isCrawler(ctx)) return false;
  const line = lines.get(ctx.db) ?? { waiting: [], writing: false };
  lines.set(ctx.db, line);
  if (line.waiting.length >= longestLine) return false;
  const answer = new Promise<boolean>((counted, failed) =>
    line.waiting.push({ event, visitor, at: ctx.now(), counted, failed }),
  );
  if (!line.writing) void writeAll(ctx, line);
  return answer;
}

async function writeAll(ctx: Ctx, line: Line): Promise<void> {
  line.writing = true;
  while (line.waiting.length > 0) {
    // Whoever comes in the same turn of the event loop goes along, or one event would travel alone ahead of every crowd.
    await new Promise((turned) => setImmediate(turned));
    const batch = line.waiting.splice(0, largestBatch);
    try {
      const counted = await writeBatch(ctx, batch);
      for (const [n, { counted: tell }] of batch.entries()) tell(counted.has(n));
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
  line.writing = false;
}

/** Writes a batch; a product that was deleted between the look and the insert is not there in the second look. */
async function writeBatch(ctx: Ctx, batch: readonly Waiting[]): Promise<Set<number>> {
  try {
    return await insertBatch(ctx, batch);
  } catch (error) {
    if (postgresCode(error) !== foreignKeyViolation) throw error;
    return insertBatch(ctx, batch);
  }
}
const foreignKeyViolation = '23503';

/** The numbers of the events that count. */
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
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(n int, type text, slot_id smallint, product text, visitor text, at timestamptz)
        -- A stall may know no more than the digits that its product's id begins with; within one slot they tell it.
        join slots on slots.id = given.slot_id and starts_with(slots.product_id::text, lower(given.product))
      ), counted as (
        select * from present where type <> 'view' or (nth = 1 and not exists (
          select 1 from engagement_events as e where e.visitor = present.visitor and e.product_id = present.product_id and e.type = 'view'
            and e.occurred_at > present.at - make_interval(secs => ${viewWindowMs / 1000})))
      ), written as (
        insert into engagement_events (type, slot_id, product_id, visitor, occurred_at)
        select type, slot_id, product_id, visitor, at from counted order by n
      )
      select n from counted`);
  const rows = views
    ? await inTransaction(ctx, async ({ db }) => {
        // Another process may be writing a view of the same visitor: whoever comes second must see it. Both are sent at once.
        const locked = lockNamed({ db }, 'engagement:views');
        const [, inserted] = await Promise.all([locked, insert(db)]);
        return inserted;
      })
    : await insert(ctx.db);
  return new Set(rows.map(({ n }) => n));
}
