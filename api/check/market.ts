import { walkQueue } from '../queue/verify.ts';
import { slotCount } from '../shared/slots.ts';
import { rulesOf } from './rule.ts';

const numbers = `generate_series(1, ${slotCount}) as n`;
const approved = `p.status in ('approved', 'active')`;
/** Clocks of two processes may differ this much. */
const slack = `interval '1 minute'`;
const openListings = `(select count(*) from listings l where l.product_id = p.id and l.ended_at is null)`;
const places = `((select count(*) from slots s where s.product_id = p.id)
  + (select count(*) from queue_items q where q.product_id = p.id))`;

/**
 * An approved product is in exactly one place, and every place names it (product R1, R2, R13;
 * decision 031).
 */
export const placeRules = rulesOf('place', {
  slots: `select n as id from ${numbers} where not exists (select from slots where id = n)
    union all select id from slots where id not between 1 and ${slotCount}`,
  slotCounters: `select n as id from ${numbers} where not exists (select from slot_engagement where slot_id = n)`,
  orphanedSlot: `select s.id from slots s left join products p on p.id = s.product_id
    where s.active <> (s.product_id is not null) or s.active <> (s.start_time is not null)
      or s.active <> (s.end_time is not null) or s.end_time <= s.start_time
      or (s.product_id is not null and (p.id is null or not (${approved}) or p.removed_at is not null
        or not exists (select from listings l where l.product_id = p.id and l.slot_id = s.id and l.ended_at is null)))`,
  twoSlots: `select product_id as id from slots where product_id is not null group by product_id having count(*) > 1`,
  queuedTwice: `select product_id as id from queue_items group by product_id having count(*) > 1`,
  inOnePlace: `select p.id from products p where ${approved}
    and (${places} <> ${openListings} or not exists (select from listings l where l.product_id = p.id))`,
  unapproved: `select p.id from products p where not (${approved}) and ${places} > 0`,
  goneButListed: `select p.id from products p where (p.sold_at is not null
    or p.withdrawn_at is not null or p.removed_at is not null)
    and (${places} > 0 or (${approved} and ${openListings} > 0))`,
  endedUnapproved: `select p.id from products p where not (${approved}) and ${openListings} = 0
    and exists (select from listings l where l.product_id = p.id)`,
  slotListing: `select coalesce(s.id, l.slot_id) as id from slots s
    full join (select * from listings where ended_at is null and slot_id is not null) l
    on l.slot_id = s.id and l.product_id = s.product_id left join products p on p.id = s.product_id
    where (s.product_id is not null and (l.id is null or p.id is null)) or s.id is null`,
});

export const queueRules = rulesOf('queue', {
  queueLane: `select q.product_id as id from queue_items q join products p on p.id = q.product_id
    where (q.queue_name = 'queue:featured') <> (p.listing_type = 'featured')`,
  queueBand: `select q.product_id as id from queue_items q join products p on p.id = q.product_id
    where q.priority <> (p.preferred_featured_slot is not null)::int or q.priority > 1 - q.band`,
  queueOrder: `select product_id as id from queue_items where position < -9000000000000000
    union select a.product_id from queue_items a join queue_items b on b.id <> a.id
      and (b.queue_name, b.band, b.position) = (a.queue_name, a.band, a.position)`,
  queueData: `select product_id as id from queue_items
    where item_data ->> 'productId' is distinct from product_id::text
    or (item_data ->> 'priority')::int is distinct from priority`,
});

/** Rules that the queue log proves (decision 056). */
export const queueLogRules = rulesOf('queueLog', {
  queueLog: async (tx) =>
    (await walkQueue(tx)).faults.map(({ queueName, entry, productId, what }) =>
      [queueName, entry, productId, what].filter((part) => part !== null).join(' '),
    ),
});

export const listingRules = rulesOf('listing', {
  paused: `select id from slots where paused_at is not null
    and (coalesce(remaining_duration, 0) <= 0 or end_time < paused_at + interval '99 years')`,
  suspendedLive: `select s.id from slots s join products p on p.id = s.product_id join sellers v on v.id = p.seller_id
    where s.paused_at is null and s.end_time > (select now from clock) and (v.suspended or v.leaving_at is not null)`,
  listingNumbers: `select product_id as id from listings group by product_id
    having max(number) <> count(*) or min(number) <> 1`,
  listingOpenOnce: `select product_id as id from listings where ended_at is null group by product_id
    having count(*) > 1`,
  listingTimes: `select id from listings where opened_at > started_at + ${slack}
    or coalesce(started_at, opened_at) > ended_at + ${slack}`,
  listingsInOrder: `select id from (select id, opened_at, number > 1 as later,
    lag(ended_at) over (partition by product_id order by number) as before from listings) l
    where later and (before is null or opened_at < before - ${slack})`,
  productTimes: `select id from products where least(approved_at, rejected_at, sold_at,
    withdrawn_at, removed_at) < created_at - ${slack}
    or ((status in ('approved', 'active')) <> (approved_at is not null))
      or ((status = 'rejected') <> (rejected_at is not null))`,
  changedUnlisted: `select e.product_id as id from product_edits e join products p
    on p.id = e.product_id where p.status = 'rejected'`,
});

export const feeRules = rulesOf('fee', {
  feesWhole: `select id from listings where (fee_state is null) <> (fee is null) or fee < 0
    or (coalesce(fee_state, 'due') = 'due') <> (fee_marked_at is null)`,
  feesPaid: `select p.id from purchases p where p.status in ('completed', 'partly_refunded')
    and exists (select from listings where id = p.listing_id and fee_state = 'due'
      union all select from kept_fees where listing_id = p.listing_id and fee_state = 'due')`,
  feesKept: `select k.listing_id as id from kept_fees k join listings l on l.id = k.listing_id`,
});

export const figureRules = rulesOf('figure', {
  dailyBehind: `select e.product_id || ' ' || e.day as id
    from (select product_id, to_char(occurred_at at time zone 'Africa/Douala', 'YYYY-MM-DD') as day,
      count(*) filter (where type = 'view') as views, count(*) filter (where type = 'click') as clicks,
      count(*) filter (where type = 'messageTap') as taps, count(*) filter (where type = 'share') as shares
      from engagement_events where rolled_at is not null group by 1, 2) e
    left join product_daily d on d.product_id = e.product_id and d.day = e.day
    where d.product_id is null or d.views < e.views or d.clicks < e.clicks
      or d.message_taps < e.taps or d.shares < e.shares`,
  countersAhead: `select c.slot_id as id from slot_engagement c join slots s on s.id = c.slot_id left join lateral (
      select coalesce(sum(views), 0) as views, coalesce(sum(clicks), 0) as clicks,
        coalesce(sum(message_taps), 0) as taps, coalesce(sum(shares), 0) as shares
      from slot_daily d where d.slot_id = c.slot_id and d.product_id = s.product_id) d on true
    where s.product_id is not null and (c.views > d.views or c.clicks > d.clicks
      or c.message_taps > d.taps or c.shares > d.shares)`,
  countersNegative: `select slot_id::text as id from slot_engagement
    where least(views, clicks, message_taps, shares) < 0
    union all select product_id || ' ' || day from product_daily where least(views, clicks, message_taps, shares) < 0`,
});

const columns = `seller_id, whatsapp, category, price, region, region_key, slot_id, premium, started_at,
  ended_at, sold, name_words, other_words, text_words, condition`;
const row = (table: string) =>
  `(${columns
    .split(',')
    .map((column) => `${table}.${column.trim()}`)
    .join(', ')})`;
const recent = `(select now from clock) - interval '30 days'`;

/** The search index says what its definition says (decision 070); older ends may be left in it. */
export const searchRules = rulesOf('search', {
  findable: `select coalesce(f.product_id, d.product_id) as id from findable f
    full join findable_source d on d.product_id = f.product_id
    where d.product_id is null
      or (f.product_id is null and (d.ended_at is null or d.ended_at > ${recent}))
      or (f.product_id is not null and ${row('f')} is distinct from ${row('d')})`,
});
