import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { feeStates, type queueNames } from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';
import { products } from './products.ts';
import { slots } from './slots.ts';

/** `stopped`: taken out of its slot by an admin; `left`: the seller asked to delete the account. */
export const endReasons = [
  'time',
  'stopped',
  'withdrawn',
  'sold',
  'removed',
  'reported',
  'sellerDeleted',
  'left',
] as const;
/** A waiting item beside another; `moves` shows whether an admin has moved it since. */
export type QueueNeighbour = { id: number; moves: number };

/** Queue place of a listing that a removal ended; `queue` is null if it was missing from its queue. */
export type RemovedPlace = {
  queue: null | {
    queueName: (typeof queueNames)[number];
    priority: 0 | 1;
    band: 0 | 1;
    queuedAt: string;
    remainingSeconds: number | null;
    ahead: QueueNeighbour | null;
    behind: QueueNeighbour | null;
  };
};

/**
 * One period of a product in the market (product R2, R31; decision 031), with its fee. The trigger
 * `product_place` keeps an approved product with an open listing in exactly one of queue and slot.
 */
export const listings = pgTable(
  'listings',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    number: smallint('number').notNull(),
    openedAt: moment('opened_at').notNull(),
    /** Current or last slot; null while waiting. */
    slotId: smallint('slot_id').references(() => slots.id),
    /** Latest entry into a slot. */
    startedAt: moment('started_at'),
    durationSeconds: integer('duration_seconds'),
    /** End announced to the seller; one an hour later or more is announced again. */
    endTold: moment('end_told'),
    /** Alerts were looked through for it. */
    alertedAt: moment('alerted_at'),
    /** The seller asked to list it again when its time is up. */
    againAsked: moment('again_asked'),
    endedAt: moment('ended_at'),
    endReason: text('end_reason', { enum: endReasons }),
    endedBy: text('ended_by').references(() => user.id, { onDelete: 'set null' }),
    /** Set when the product's removal ended this listing; a restore takes it (product R16). */
    removedPlace: jsonb('removed_place').$type<RemovedPlace>(),
    /** XAF; null where fees are not tracked. */
    fee: integer('fee'),
    feeState: text('fee_state', { enum: feeStates }),
    /** Written on the payment by the seller. */
    feeReference: text('fee_reference').unique(),
    feeMarkedAt: moment('fee_marked_at'),
    feeMarkedBy: text('fee_marked_by').references(() => user.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('listings_number_idx').on(t.productId, t.number),
    uniqueIndex('listings_open_idx').on(t.productId).where(sql`${t.endedAt} is null`),
    index('listings_unalerted_idx')
      .on(t.startedAt)
      .where(sql`${t.alertedAt} is null and ${t.endedAt} is null`),
    uniqueIndex('listings_slot_idx').on(t.slotId).where(sql`${t.endedAt} is null`),
    check('listings_numbered', sql`${t.number} > 0`),
    check(
      'listings_started_whole',
      sql`(${t.startedAt} is null) = (${t.durationSeconds} is null) and (${t.slotId} is null or ${t.startedAt} is not null)`,
    ),
    check('listings_duration_positive', sql`${t.durationSeconds} > 0`),
    check('listings_end_reason_known', sql`${t.endReason} in ${oneOf(endReasons)}`),
    check(
      'listings_ended_whole',
      sql`(${t.endedAt} is null) = (${t.endReason} is null) and (${t.endedAt} is not null or ${t.endedBy} is null)`,
    ),
    check('listings_removed_ended', sql`${t.removedPlace} is null or ${t.endedAt} is not null`),
    check('listings_fee_state_known', sql`${t.feeState} in ${oneOf(feeStates)}`),
    check(
      'listings_fee_whole',
      sql`(${t.feeState} is null) = (${t.fee} is null) and ${t.fee} >= 0 and (${t.fee} is not null or ${t.feeReference} is null)`,
    ),
    check(
      'listings_fee_marked',
      sql`(coalesce(${t.feeState}, 'due') = 'due') = (${t.feeMarkedAt} is null) and (${t.feeMarkedAt} is not null or ${t.feeMarkedBy} is null)`,
    ),
    index('listings_started_idx').on(t.startedAt),
    index('listings_ended_idx').on(t.endedAt),
    index('listings_fee_idx').on(t.feeState, t.openedAt.desc().nullsFirst(), t.id),
  ],
);

/**
 * Fees of deleted products, written by a trigger. `person` is the seller's account id, which
 * identifies no one once that is deleted.
 */
export const keptFees = pgTable(
  'kept_fees',
  {
    listingId: uuid('listing_id').primaryKey(),
    person: text('person'),
    openedAt: moment('opened_at').notNull(),
    fee: integer('fee').notNull(),
    feeState: text('fee_state', { enum: feeStates }).notNull(),
    feeReference: text('fee_reference'),
    feeMarkedAt: moment('fee_marked_at'),
  },
  (t) => [index('kept_fees_state_idx').on(t.feeState)],
);
