import { inArray, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { notifySellersOf } from '../people/notify.ts';
import { dayAndTime, nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { resetEngagement } from './end.ts';
import { leaveLanes } from './log.ts';
import type { Start } from './rules.ts';

/**
 * Starts listings (product §4; product R4, R9) with figures at zero and notifies sellers. The
 * caller holds the lanes and has locked the empty slots.
 */
export async function startListings(
  tx: Tx,
  starts: readonly Start[],
  reason: 'turn' | 'byHand',
): Promise<void> {
  if (starts.length === 0) return;
  const { products } = schema;
  const now = tx.now();
  const productIds = starts.map(({ productId }) => productId);
  await leaveLanes(tx, productIds, reason);
  const rows = sql.join(
    starts.map(
      ({ slotId, productId, seconds }) =>
        sql`(${slotId}::smallint, ${productId}::uuid, ${seconds}::int)`,
    ),
    sql`, `,
  );
  const start = now.toISOString();
  await tx.db.execute(sql`
    update slots set active = true, product_id = s.product_id, start_time = ${start}::timestamptz,
      end_time = ${start}::timestamptz + make_interval(secs => s.seconds), updated_at = ${start}::timestamptz
    from (values ${rows}) as s(slot_id, product_id, seconds) where slots.id = s.slot_id`);
  await resetEngagement(
    tx,
    starts.map(({ slotId }) => slotId),
  );
  await tx.db.execute(sql`
    update listings set slot_id = s.slot_id, started_at = ${start}::timestamptz, duration_seconds = s.seconds
    from (values ${rows}) as s(slot_id, product_id, seconds)
    where listings.product_id = s.product_id and ended_at is null`);
  await tx.db.update(products).set({ updatedAt: now }).where(inArray(products.id, productIds));
  const startOf = new Map(starts.map((each) => [each.productId, each]));
  await notifySellersOf(
    tx,
    productIds,
    'productLive',
    ({ id, name }, language) => {
      const { slotId, seconds } = startOf.get(id) as Start;
      return {
        product: nameIn(name, language),
        slot: slotNumber(slotId),
        end: dayAndTime(endAfter(now, seconds), language),
      };
    },
    ({ id, slug }) => `shop/${startOf.get(id)?.slotId}/${slug}`,
  );
}

export const endAfter = (now: Date, seconds: number): Date =>
  new Date(now.getTime() + seconds * 1000);
