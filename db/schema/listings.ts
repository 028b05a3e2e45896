import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { products } from './products.ts';
import { slots } from './slots.ts';

/**
 * Why a listing ended: its time was up, an admin took it out of its slot, its seller withdrew or sold it, an admin removed the product, or
 * did so upon reports, or deleted its seller; or its seller asked for the account to be deleted.
 */
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
export const feeStates = ['due', 'paid', 'waived', 'refunded'] as const;

/**
 * A product's time in the market, one row each time it is listed (product R2, R31; decision 031). It opens when the product is
 * submitted or listed again, starts in a slot, and ends once; its fee stays with it. That an approved product with an open listing is in
 * exactly one of queue and slot is kept by `product_place` (db/migrations).
 */
export const listings = pgTable(
  'listings',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** 1 is the product's first. */
    number: smallint('number').notNull(),
    openedAt: moment('opened_at').notNull(),
    /** The slot it is in, or was in at its end; none while it waits. */
    slotId: smallint('slot_id').references(() => slots.id),
    /** When it came into its slot; of one that an admin put back into the queue, the last time. */
    startedAt: moment('started_at'),
    /** What that slot was given for. */
    durationSeconds: integer('duration_seconds'),
    /** The end that its seller was told of shortly before; another one, an hour later or more, is told anew. */
    endTold: moment('end_told'),
    /** When its seller asked for it to be listed again as soon as its time is up. */
    againAsked: moment('again_asked'),
    endedAt: moment('ended_at'),
    endReason: text('end_reason', { enum: endReasons }),
    /** The admin who ended it. */
    endedBy: text('ended_by').references(() => user.id, { onDelete: 'set null' }),
    /** In XAF; nothing where fees are not tracked. */
    fee: integer('fee'),
    feeState: text('fee_state', { enum: feeStates }),
    /** What the seller writes on the payment, so that the operator can tell whose it is. */
    feeReference: text('fee_reference').unique(),
    feeMarkedAt: moment('fee_marked_at'),
    feeMarkedBy: text('fee_marked_by').references(() => user.id, { onDelete: 'set null' }),
  },
  (t) => [
    uniqueIndex('listings_number_idx').on(t.productId, t.number),
    uniqueIndex('listings_open_idx').on(t.productId).where(sql`${t.endedAt} is null`),
    uniqueIndex('listings_slot_idx').on(t.slotId).where(sql`${t.endedAt} is null`),
    check('listings_numbered', sql`${t.number} > 0`),
    check(
      'listings_started_whole',
      sql`(${t.startedAt} is null) = (${t.durationSeconds} is null) and (${t.slotId} is null or ${t.startedAt} is not null)`,
    ),
    check('listings_duration_positive', sql`${t.durationSeconds} > 0`),
    check(
      'listings_end_reason_known',
      sql`${t.endReason} in (${sql.raw(endReasons.map((reason) => `'${reason}'`).join(', '))})`,
    ),
    check(
      'listings_ended_whole',
      sql`(${t.endedAt} is null) = (${t.endReason} is null) and (${t.endedAt} is not null or ${t.endedBy} is null)`,
    ),
    check(
      'listings_fee_state_known',
      sql`${t.feeState} in (${sql.raw(feeStates.map((state) => `'${state}'`).join(', '))})`,
    ),
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
 * Fees of listings that are gone with their product, without a name: written by a trigger, whoever deletes the product (db/migrations).
 * `person` is the number of the seller's account, which says nothing once that is deleted too.
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
