import { sql } from 'drizzle-orm';
import type { schema } from '../../db/client.ts';
import type { Language } from '../../locales/languages.ts';
import type { Tx } from '../core/context.ts';
import { notifySellersOf } from '../people/notify.ts';
import { dayAndTime, durationIn, nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';

type Share = (typeof schema.outages.$inferSelect)['shares'][number];
type Given = Share & { endTime: Date | null };

/** Listings live between two moments, with their seconds of it. The caller holds the lanes. */
export async function liveIn(tx: Tx, from: Date, until: Date): Promise<Share[]> {
  const [begin, end] = [from.toISOString(), until.toISOString()];
  const rows = await tx.db.execute<Share>(sql`
    select id as "slotId", product_id as "productId",
      round(extract(epoch from ${end}::timestamptz - greatest(start_time, ${begin}::timestamptz)))::int as seconds
    from slots where active and paused_at is null and end_time > ${begin}::timestamptz
    and start_time < ${end}::timestamptz order by id for update`);
  return rows
    .filter(({ seconds }) => seconds > 0)
    .map(({ slotId, productId, seconds }) => ({ slotId, productId, seconds }));
}

/**
 * Gives time to listings still in their slot and notifies their sellers (decision 055). Returns the
 * shares given; the caller holds the lanes.
 */
export async function giveBack(tx: Tx, shares: readonly Share[]): Promise<Share[]> {
  const given: Given[] = [];
  for (const share of shares) {
    const { slotId, productId, seconds } = share;
    const [row] = await tx.db.execute<{ end: string | null }>(sql`
      update slots set updated_at = ${tx.now().toISOString()}::timestamptz,
        end_time = case when paused_at is null then end_time + make_interval(secs => ${seconds}::int) else end_time end,
        remaining_duration = case when paused_at is null then remaining_duration
        else coalesce(remaining_duration, 0) + ${seconds}::int end
      where id = ${slotId} and product_id = ${productId}
      returning case when paused_at is null then end_time end as "end"`);
    if (row) given.push({ ...share, endTime: row.end === null ? null : new Date(row.end) });
  }
  const of = new Map(given.map((share) => [share.productId, share]));
  const told = (id: string, language: Language) => {
    const { slotId, seconds, endTime } = of.get(id) as Given;
    return {
      slot: slotNumber(slotId),
      duration: durationIn(seconds, language),
      ...(endTime ? { end: dayAndTime(endTime, language) } : {}),
    };
  };
  await notifySellersOf(
    tx,
    [...of.keys()],
    'outageGivenBack',
    ({ id, name }, language) => ({ product: nameIn(name, language), ...told(id, language) }),
    'seller/dashboard',
  );
  return given.map(({ endTime: _, ...share }) => share);
}
