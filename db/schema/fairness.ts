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
import { queueNames } from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';

/** Last sign of life of the market, by the database's clock (decision 055). One row. */
export const pulse = pgTable(
  'pulse',
  { id: smallint('id').primaryKey().default(1), beatAt: moment('beat_at').notNull() },
  (t) => [check('pulse_one_row', sql`${t.id} = 1`)],
);

export const outageDecisions = ['waiting', 'given', 'declined'] as const;
/** Seconds a live listing was unreachable. */
export type OutageShare = { slotId: number; productId: string; seconds: number };

/** A time when the market was unreachable, and the compensation (decision 055). */
export const outages = pgTable(
  'outages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    fromAt: moment('from_at').notNull(),
    untilAt: moment('until_at').notNull(),
    /** Given automatically to listings that were live throughout. */
    givenSeconds: integer('given_seconds').notNull(),
    /** The remainder, for an admin to decide. */
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
    check('outages_decision_known', sql`${t.decision} in ${oneOf(outageDecisions)}`),
    check('outages_decision_whole', sql`(${t.restSeconds} > 0) = (${t.decision} is not null)`),
    check(
      'outages_decided_whole',
      sql`(coalesce(${t.decision}, 'waiting') <> 'waiting') = (${t.decidedAt} is not null)`,
    ),
    index('outages_waiting_idx').on(t.id).where(sql`${t.decision} = 'waiting'`),
  ],
);

/** Head of each lane's log. Only the log's trigger writes it, except `told`. */
export const queueLogs = pgTable('queue_logs', {
  queueName: text('queue_name', { enum: queueNames }).primaryKey(),
  entries: integer('entries').notNull().default(0),
  head: text('head').notNull().default(''),
  /** Sellers were notified of being overtaken up to this entry. */
  told: integer('told').notNull().default(0),
});

/**
 * Acts of a lane's log, and reasons (decision 056). `order` records the whole lane; `hold` skips a
 * product that keeps its place.
 */
export const queueActs = ['enter', 'move', 'leave', 'order', 'hold', 'release'] as const;
export const orderReasons = ['opened', 'rebuilt', 'room'] as const;
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
  ...orderReasons,
  ...(['suspended', 'unsuspended'] as const),
] as const;
/** Reasons by which a product gets ahead of others; never the timetable. */
export const aheadReasons = sql.raw(
  `reason in ('approved', 'listed', 'relisted', 'requeued', 'restored', 'synced', 'up', 'down', 'top', 'byHand', 'unsuspended')`,
);

/**
 * Every change of a lane, each hashed with the one before (decision 056). A trigger derives
 * `queue_items` from these rows alone. No names: product id, role, keyed code of the account.
 */
export const queueEntries = pgTable(
  'queue_entries',
  {
    queueName: text('queue_name', { enum: queueNames })
      .notNull()
      .references(() => queueLogs.queueName),
    serial: integer('serial').notNull(),
    act: text('act', { enum: queueActs }).notNull(),
    reason: text('reason', { enum: queueReasons }).notNull(),
    /** No foreign key: the log outlives the product. */
    productId: uuid('product_id'),
    fromBand: smallint('from_band'),
    fromPosition: bigint('from_position', { mode: 'number' }),
    toBand: smallint('to_band'),
    toPosition: bigint('to_position', { mode: 'number' }),
    /** For `order`: all waiting products, and the size of the first band. */
    line: uuid('line').array(),
    front: integer('front'),
    actorKind: text('actor_kind', {
      enum: ['member', 'seller', 'moderator', 'admin', 'job', 'visitor'],
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
    check('queue_entries_act_known', sql`${t.act} in ${oneOf(queueActs)}`),
    check('queue_entries_reason_known', sql`${t.reason} in ${oneOf(queueReasons)}`),
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
