import { expect } from 'vitest';
import { premiumCount, slotCount } from '../../api/core/slots.ts';
import type { TestApp } from './app.ts';

/** What holds of slots, queue, listings and products at any moment, whoever does what at once (product R1-R7, decision 005). */
export async function expectInvariants({ sql }: Pick<TestApp, 'sql'>): Promise<void> {
  const [state] = await sql`select
    (select array_agg(id order by id) from slots) as slots,
    (select count(*) from (select product_id from slots where product_id is not null group by 1 having count(*) > 1) as twice) as in_two_slots,
    (select count(*) from (select product_id from queue_items group by 1 having count(*) > 1) as twice) as queued_twice,
    (select count(*) from products p where p.status = 'approved' and 1 <> (select count(*) from slots where product_id = p.id) + (select count(*) from queue_items where product_id = p.id) - (select count(*) from listings where product_id = p.id and ended_at is null) + 1) as not_in_one_place,
    (select count(*) from slots s full join (select * from listings where ended_at is null and slot_id is not null) l on l.slot_id = s.id and l.product_id = s.product_id where (s.product_id is not null and l.id is null) or s.id is null) as listed_elsewhere,
    (select count(*) from products p where p.status <> 'approved' and (exists (select from slots where product_id = p.id) or exists (select from queue_items where product_id = p.id))) as placed_unapproved,
    (select count(*) from slots s join products p on p.id = s.product_id where (s.id <= ${premiumCount}) <> (p.listing_type = 'featured')) as in_wrong_slot,
    (select count(*) from queue_items q join products p on p.id = q.product_id where (q.queue_name = 'queue:featured') <> (p.listing_type = 'featured')) as in_wrong_lane,
    (select count(*) from slots where active <> (product_id is not null)) as half_empty,
    (select count(*) from slots where paused_at is not null and (remaining_duration is null or remaining_duration <= 0 or end_time < paused_at + interval '99 years')) as half_paused,
    (select count(*) from queue_items where position < -9000000000000000) as left_aside,
    (select count(*) from products p where p.removed_at is not null and (exists (select from slots where product_id = p.id) or exists (select from queue_items where product_id = p.id))) as placed_removed,
    (select count(*) from queue_items q join products p on p.id = q.product_id where q.priority <> (p.preferred_featured_slot is not null)::int or q.priority > 1 - q.band) as wrong_band`;
  expect(state).toEqual({
    slots: Array.from({ length: slotCount }, (_, n) => n + 1),
    in_two_slots: '0',
    queued_twice: '0',
    not_in_one_place: '0',
    listed_elsewhere: '0',
    placed_unapproved: '0',
    in_wrong_slot: '0',
    in_wrong_lane: '0',
    half_empty: '0',
    half_paused: '0',
    left_aside: '0',
    placed_removed: '0',
    wrong_band: '0',
  });
}
