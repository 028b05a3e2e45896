import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { slotCount } from '../slots.ts';
import { type listingTypes, queueNames } from '../vocabularies.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';
import { products } from './products.ts';

/**
 * The stalls (product §3, §9). Migrations create the rows 1 to `slotCount`; none can be added or
 * deleted.
 */
export const slots = pgTable(
  'slots',
  {
    id: smallint('id').primaryKey(),
    active: boolean('active').notNull().default(false),
    /** Flag of the edit dialog; premium depends on the number (product R6). */
    isFeatured: boolean('is_featured').notNull().default(false),
    productId: uuid('product_id')
      .unique()
      .references(() => products.id, { onDelete: 'restrict' }),
    startTime: moment('start_time'),
    endTime: moment('end_time'),
    reputationScore: integer('reputation_score').notNull().default(0),
    pausedAt: moment('paused_at'),
    /** Lifting a suspension resumes only what it paused (product R20). */
    pausedBy: text('paused_by', { enum: ['admin', 'suspension'] }),
    remainingDuration: integer('remaining_duration'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('slots_numbered', sql`${t.id} between 1 and ${sql.raw(String(slotCount))}`),
    check('slots_active_has_product', sql`${t.active} = (${t.productId} is not null)`),
    check('slots_active_has_start', sql`${t.active} = (${t.startTime} is not null)`),
    check('slots_active_has_end', sql`${t.active} = (${t.endTime} is not null)`),
    check('slots_ends_after_start', sql`${t.endTime} > ${t.startTime}`),
    check(
      'slots_paused_whole',
      sql`(${t.pausedAt} is null) = (${t.pausedBy} is null) and (${t.active} or ${t.pausedAt} is null) and (${t.pausedAt} is not null or ${t.remainingDuration} is null)`,
    ),
    check('slots_remaining_not_negative', sql`${t.remainingDuration} >= 0`),
  ],
);

/**
 * The queue (product §3, §4; product R13), ordered in a lane by (`band`, `position`). Band 0 goes
 * first and holds at least all items of priority 1, so a new one appends without moving others.
 * Only the trigger of queue_entries writes places.
 */
export const queueItems = pgTable(
  'queue_items',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    productId: uuid('product_id')
      .notNull()
      .unique()
      .references(() => products.id, { onDelete: 'restrict' }),
    queueName: text('queue_name', { enum: queueNames }).notNull(),
    priority: smallint('priority').notNull().default(0),
    band: smallint('band').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    queuedAt: moment('queued_at').notNull(),
    /** Time left of a listing an admin put back; its next slot lasts exactly that. */
    remainingSeconds: integer('remaining_seconds'),
    /** Moves by admins, as they count for a removed neighbour's restore (product R16). */
    moves: integer('moves').notNull().default(0),
    itemData: jsonb('item_data').$type<QueueItemData>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    // Deferred (db/migrations), so that two items can swap places.
    unique('queue_order').on(t.queueName, t.band, t.position),
    check('queue_name_known', sql`${t.queueName} in ${oneOf(queueNames)}`),
    check('queue_remaining_positive', sql`${t.remainingSeconds} > 0`),
    check('queue_priority_known', sql`${t.priority} in (0, 1)`),
    check('queue_band_known', sql`${t.band} in (0, 1) and (${t.priority} = 0 or ${t.band} = 0)`),
  ],
);

/** `item_data` (product §3), plus values for the admin page. */
export type QueueItemData = {
  productId: string;
  queuedAt: string;
  priority: 0 | 1;
  productName?: string;
  sellerName?: string;
  listingType?: (typeof listingTypes)[number];
};

export const eventTypes = ['view', 'click', 'messageTap', 'share'] as const;

/**
 * Append-only (product §7, product R9); a roll-up job moves events into counters, so a busy stall
 * is no hot row.
 */
export const engagementEvents = pgTable(
  'engagement_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    type: text('type', { enum: eventTypes }).notNull(),
    slotId: smallint('slot_id').references(() => slots.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    visitor: text('visitor').notNull(),
    occurredAt: moment('occurred_at').notNull(),
    rolledAt: moment('rolled_at'),
  },
  (t) => [
    check('engagement_type_known', sql`${t.type} in ${oneOf(eventTypes)}`),
    index('engagement_fresh_idx').on(t.id).where(sql`${t.rolledAt} is null`),
    index('engagement_visitor_idx').on(t.visitor, t.productId, t.type, t.occurredAt.desc()),
    index('engagement_product_idx').on(t.productId),
  ],
);

const figures = {
  views: integer('views').notNull().default(0),
  clicks: integer('clicks').notNull().default(0),
  messageTaps: integer('message_taps').notNull().default(0),
  shares: integer('shares').notNull().default(0),
};

/** Reset with each assignment (product R9). Apart from `slots`, which pages watch. */
export const slotEngagement = pgTable('slot_engagement', {
  slotId: smallint('slot_id')
    .primaryKey()
    .references(() => slots.id),
  ...figures,
});

/** Days in Africa/Douala. */
export const productDaily = pgTable(
  'product_daily',
  {
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    day: text('day').notNull(),
    ...figures,
  },
  (t) => [
    uniqueIndex('product_daily_idx').on(t.productId, t.day),
    index('product_daily_day_idx').on(t.day),
  ],
);

/** Days in Africa/Douala. No foreign key to products, so figures survive a deletion. */
export const slotDaily = pgTable(
  'slot_daily',
  {
    day: text('day').notNull(),
    slotId: smallint('slot_id')
      .notNull()
      .references(() => slots.id),
    productId: uuid('product_id').notNull(),
    ...figures,
  },
  (t) => [primaryKey({ columns: [t.day, t.slotId, t.productId] })],
);

/** Consented requests for a seller's number, counted by the contact limit (product R22). */
export const contactRequests = pgTable(
  'contact_requests',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    visitor: text('visitor').notNull(),
    /** Keyed hash: the limit must recognise an address, never read it. */
    addressHash: text('address_hash').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    requestedAt: moment('requested_at').notNull(),
    /** Counts against the newcomers' limit (decision 028). */
    newcomer: boolean('newcomer').notNull().default(false),
    /**
     * A newcomer who viewed a listing a minute before; exempt from the newcomers' shared limit
     * (decision 028).
     */
    looked: boolean('looked').notNull().default(false),
  },
  (t) => [
    index('contact_visitor_idx').on(t.visitor, t.requestedAt.desc()),
    index('contact_address_idx').on(t.addressHash, t.requestedAt.desc()),
    index('contact_product_idx').on(t.productId),
  ],
);
