import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { queueNames } from './slots.ts';

/** When a process last served the market, by the database's clock (decision 055). One row, written every few seconds. */
export const pulse = pgTable(
  'pulse',
  { id: smallint('id').primaryKey().default(1), beatAt: moment('beat_at').notNull() },
  (t) => [check('pulse_one_row', sql`${t.id} = 1`)],
);

export const outageDecisions = ['waiting', 'given', 'declined'] as const;
/** A listing that was live in an outage, and the seconds of it that it could not be reached. */
export type OutageShare = { slotId: number; productId: string; seconds: number };

/** A time in which the market could not be reached, and what was given back for it (decision 055). */
export const outages = pgTable(
  'outages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    fromAt: moment('from_at').notNull(),
    untilAt: moment('until_at').notNull(),
    /** Given back by itself, to a listing that was live all the time. */
    givenSeconds: integer('given_seconds').notNull(),
    /** What is beyond that, and an admin's to decide. */
    restSeconds: integer('rest_seconds').notNull().default(0),
    decision: text('decision', { enum: outageDecisions }),
    decidedAt: moment('decided_at'),
    decidedBy: text('decided_by').references(() => user.id, { onDelete: 'set null' }),
    shares: jsonb('shares').$type<OutageShare[]>().notNull(),
  },
  (t) => [
    check(
      'outages_lasted',
      sql`${t.untilAt} > ${t.fromAt} and ${t.givenSeconds} > 0 and ${t.restSeconds} >= 0`,
    ),
    check('outages_decision_known', sql`${t.decision} in ('waiting', 'given', 'declined')`),
    check('outages_decision_whole', sql`(${t.restSeconds} > 0) = (${t.decision} is not null)`),
    check(
      'outages_decided_whole',
      sql`(coalesce(${t.decision}, 'waiting') <> 'waiting') = (${t.decidedAt} is not null)`,
    ),
    index('outages_waiting_idx').on(t.id).where(sql`${t.decision} = 'waiting'`),
  ],
);

/** Where the log of each lane ends: written by the log's own trigger alone, but for what sellers were told of. */
export const queueLogs = pgTable('queue_logs', {
  queueName: text('queue_name', { enum: queueNames }).primaryKey(),
  entries: integer('entries').notNull().default(0),
  /** The hash of the newest entry; nothing before the first. */
  head: text('head').notNull().default(''),
  /** Up to this entry, sellers were told who went ahead of them. */
  told: integer('told').notNull().default(0),
});

/** What may happen in a lane, and why (decision 056). `order` is the whole lane as it stands; `hold` passes over a product that keeps its place. */
export const queueActs = ['enter', 'move', 'leave', 'order', 'hold', 'release'] as const;
export const queueReasons = [
  ...(['approved', 'listed', 'relisted', 'requeued', 'restored', 'synced'] as const),
  ...(['up', 'down', 'top', 'passed'] as const),
  ...([
    'turn',
    'byHand',
    'withdrawn',
    'sold',
    'removed',
    'reported',
    'sellerDeleted',
    'left',
    'stopped',
    'time',
  ] as const),
  ...(['opened', 'rebuilt', 'room'] as const),
  ...(['suspended', 'unsuspended'] as const),
] as const;
/** By these, and never by the timetable, somebody comes ahead of others who wait. */
export const aheadReasons = sql.raw(
  `reason in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'byHand', 'unsuspended')`,
);

/**
 * Every change of a lane, in its order, each signed together with the one before (decision 056): who stands in `queue_items`, and where, follows these
 * rows by trigger and by nothing else. No names: a product's id, a role, and a keyed code of the account.
 */
export const queueEntries = pgTable(
  'queue_entries',
  {
    queueName: text('queue_name', { enum: queueNames })
      .notNull()
      .references(() => queueLogs.queueName),
    /** 1 is the lane's first. */
    serial: integer('serial').notNull(),
    act: text('act', { enum: queueActs }).notNull(),
    reason: text('reason', { enum: queueReasons }).notNull(),
    /** Without a foreign key: the log stays when the product goes. */
    productId: uuid('product_id'),
    fromBand: smallint('from_band'),
    fromPosition: bigint('from_position', { mode: 'number' }),
    toBand: smallint('to_band'),
    toPosition: bigint('to_position', { mode: 'number' }),
    /** Of an `order`: all who wait, and how many of them are in the first band. */
    line: uuid('line').array(),
    front: integer('front'),
    actorKind: text('actor_kind', {
      enum: ['member', 'seller', 'admin', 'job', 'visitor'],
    }).notNull(),
    actorCode: text('actor_code'),
    at: moment('at').notNull(),
    previous: text('previous').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.queueName, t.serial] }),
    index('queue_entries_product_idx').on(t.productId, t.serial),
    index('queue_entries_order_idx').on(t.queueName, t.serial).where(sql`${t.act} = 'order'`),
    index('queue_entries_ahead_idx')
      .on(t.queueName, t.serial)
      .where(
        sql`(${t.act} in ('move', 'leave', 'release') or ${t.toBand} = 0 or ${t.reason} = 'restored') and ${aheadReasons}`,
      ),
    uniqueIndex('queue_entries_hash_idx').on(t.hash),
    check(
      'queue_entries_act_known',
      sql`${t.act} in (${sql.raw(queueActs.map((act) => `'${act}'`).join(', '))})`,
    ),
    check(
      'queue_entries_reason_known',
      sql`${t.reason} in (${sql.raw(queueReasons.map((reason) => `'${reason}'`).join(', '))})`,
    ),
    check(
      'queue_entries_order_whole',
      sql`(${t.act} = 'order') = (${t.productId} is null) and (${t.act} = 'order') = (${t.line} is not null and ${t.front} is not null)`,
    ),
    check(
      'queue_entries_from_whole',
      sql`(${t.fromBand} is null) = (${t.fromPosition} is null) and (${t.act} in ('enter', 'order', 'release')) = (${t.fromBand} is null)`,
    ),
    check(
      'queue_entries_to_whole',
      sql`(${t.toBand} is null) = (${t.toPosition} is null) and (${t.act} in ('leave', 'order', 'hold')) = (${t.toBand} is null)`,
    ),
    check(
      'queue_entries_hashed',
      sql`${t.hash} ~ '^[0-9a-f]{64}$' and (${t.serial} = 1) = (${t.previous} = '')`,
    ),
  ],
);
