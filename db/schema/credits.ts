import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  closedStates,
  currencies,
  paidStates,
  paymentFailures,
  paymentNetworks,
  purchaseMethods,
  purchaseStates,
  receiptSeries,
  refundStates,
  unpaidStates,
} from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';

export const entryKinds = [
  'joining',
  'purchase',
  'spend',
  'refund',
  'correction',
  'reversal',
] as const;
export const referenceTypes = ['post', 'response', 'post_update'] as const;
/**
 * A member's credits (decision 042). The number outlives the account. Only the ledger's trigger
 * writes count, balance and head; adding an entry locks this row.
 */
export const creditAccounts = pgTable(
  'credit_accounts',
  {
    number: bigserial('number', { mode: 'number' }).primaryKey(),
    userId: text('user_id')
      .unique()
      .references(() => user.id, { onDelete: 'set null' }),
    entries: integer('entries').notNull().default(0),
    balance: integer('balance').notNull().default(0),
    /** Hash of the newest entry; empty before the first. */
    head: text('head').notNull().default(''),
    openedAt: moment('opened_at').notNull(),
  },
  (t) => [check('credit_accounts_not_negative', sql`${t.balance} >= 0`)],
);

/**
 * The ledger, ordered per member, each entry hashed with the one before. Append-only by trigger.
 */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: uuid('id').primaryKey(),
    member: bigint('member', { mode: 'number' })
      .notNull()
      .references(() => creditAccounts.number),
    serial: integer('serial').notNull(),
    kind: text('kind', { enum: entryKinds }).notNull(),
    amount: integer('amount').notNull(),
    balance: integer('balance').notNull(),
    referenceType: text('reference_type', { enum: referenceTypes }),
    referenceId: uuid('reference_id'),
    /** The refunded spend. */
    undoes: uuid('undoes').references((): AnyPgColumn => creditEntries.id),
    purchaseId: uuid('purchase_id').references((): AnyPgColumn => purchases.id),
    /** Of a correction. The hash chain leaves it out. */
    reason: text('reason'),
    actorId: text('actor_id'),
    at: moment('at').notNull(),
    previous: text('previous').notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [
    uniqueIndex('credit_entries_serial_idx').on(t.member, t.serial),
    uniqueIndex('credit_entries_spend_idx')
      .on(t.referenceType, t.referenceId)
      .where(sql`${t.kind} = 'spend'`),
    uniqueIndex('credit_entries_undoes_idx').on(t.undoes),
    uniqueIndex('credit_entries_purchase_idx').on(t.purchaseId).where(sql`${t.kind} = 'purchase'`),
    index('credit_entries_reversal_idx').on(t.purchaseId).where(sql`${t.kind} = 'reversal'`),
    uniqueIndex('credit_entries_joining_idx').on(t.member).where(sql`${t.kind} = 'joining'`),
    check('credit_entries_kind_known', sql`${t.kind} in ${oneOf(entryKinds)}`),
    check('credit_entries_reference_known', sql`${t.referenceType} in ${oneOf(referenceTypes)}`),
    check('credit_entries_not_negative', sql`${t.balance} >= 0`),
    check(
      'credit_entries_signed',
      sql`case when ${t.kind} in ('spend', 'reversal') then ${t.amount} < 0 when ${t.kind} = 'correction' then ${t.amount} <> 0 else ${t.amount} > 0 end`,
    ),
    check(
      'credit_entries_spend_whole',
      sql`(${t.kind} = 'spend') = (${t.referenceType} is not null) and (${t.kind} = 'spend') = (${t.referenceId} is not null)`,
    ),
    check('credit_entries_refund_whole', sql`(${t.kind} = 'refund') = (${t.undoes} is not null)`),
    check(
      'credit_entries_purchase_whole',
      sql`(${t.kind} in ('purchase', 'reversal')) = (${t.purchaseId} is not null)`,
    ),
    check(
      'credit_entries_correction_whole',
      sql`(${t.kind} = 'correction') = (${t.reason} is not null)`,
    ),
    check(
      'credit_entries_hashed',
      sql`${t.hash} ~ '^[0-9a-f]{64}$' and (${t.serial} = 1) = (${t.previous} = '')`,
    ),
  ],
);

/**
 * A purchase of credits by a member, or of a listing's time by its seller (its fee). It follows the
 * states of docs/payments.md; exactly the paid ones have a ledger entry or a fee that is no longer
 * due, checked at commit.
 */
export const purchases = pgTable(
  'purchases',
  {
    id: uuid('id').primaryKey(),
    /** Of credits, with their number and price in dollars. */
    member: bigint('member', { mode: 'number' }).references(() => creditAccounts.number),
    amountUsd: integer('amount_usd'),
    creditsAmount: integer('credits_amount'),
    /** Of a fee. The listing may be deleted. */
    listingId: uuid('listing_id'),
    /**
     * Price at the time, always there for a fee; for credits its rate (XAF for a dollar; null on old
     * rows) and the day from which that held, null where none was set.
     */
    amountXaf: integer('amount_xaf'),
    xafRate: numeric('xaf_rate', { precision: 8, scale: 2, mode: 'number' }),
    xafFrom: date('xaf_from'),
    purchaseMethod: text('purchase_method', { enum: purchaseMethods }).notNull(),
    /** Of the payer's number, if the adapter needs one. */
    network: text('network', { enum: paymentNetworks }),
    adapter: text('adapter').notNull(),
    status: text('status', { enum: purchaseStates }).notNull().default('pending'),
    /** Given by the buyer with the payment. */
    reference: text('reference').notNull().unique(),
    /** Given by the adapter, or the admin who took the cash. */
    paymentReference: text('payment_reference'),
    /**
     * Cash reference without case, white space and invisible characters, written by Postgres. Null
     * on old rows that collided.
     */
    paymentKey: text('payment_key'),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    /** Next query of the adapter, or end of the running query's lease; null when none is due. */
    askAt: moment('ask_at'),
    completedAt: moment('completed_at'),
    /** Moment when it failed, expired or was cancelled; kept if it is paid after all. */
    closedAt: moment('closed_at'),
    closedReason: text('closed_reason'),
    /** Given by the adapter. */
    failure: text('failure', { enum: paymentFailures }),
  },
  (t) => [
    index('purchases_member_idx').on(t.member, t.createdAt.desc().nullsFirst(), t.id),
    index('purchases_status_idx').on(t.status, t.createdAt.desc().nullsFirst(), t.id),
    index('purchases_listing_idx').on(t.listingId),
    // A fee has one open payment, however often it is begun.
    uniqueIndex('purchases_open_fee_idx').on(t.listingId).where(sql`${t.status} = 'pending'`),
    // One payment pays one purchase; networks number their payments themselves.
    uniqueIndex('purchases_payment_idx').on(
      t.adapter,
      sql`coalesce(${t.network}, '')`,
      t.paymentReference,
    ),
    // One receipt pays one purchase, however an admin types its number.
    uniqueIndex('purchases_payment_key_idx').on(t.paymentKey),
    index('purchases_ask_idx').on(t.askAt).where(sql`${t.askAt} is not null`),
    check('purchases_method_known', sql`${t.purchaseMethod} in ${oneOf(purchaseMethods)}`),
    check('purchases_status_known', sql`${t.status} in ${oneOf(purchaseStates)}`),
    check(
      'purchases_positive',
      sql`${t.amountUsd} > 0 and ${t.creditsAmount} > 0 and ${t.amountXaf} > 0`,
    ),
    check(
      'purchases_subject',
      sql`num_nonnulls(${t.member}, ${t.listingId}) = 1 and (${t.member} is null) = (${t.amountUsd} is null) and (${t.member} is null) = (${t.creditsAmount} is null)`,
    ),
    check(
      'purchases_xaf_dated',
      sql`case when ${t.listingId} is null then (${t.amountXaf} is null) = (${t.xafFrom} is null) else ${t.amountXaf} is not null and ${t.xafFrom} is null end`,
    ),
    check(
      'purchases_completed_whole',
      sql`(${t.status} in ${oneOf(paidStates)}) = (${t.completedAt} is not null) and (${t.completedAt} is null or ${t.paymentReference} is not null)`,
    ),
    check(
      'purchases_closed_whole',
      sql`(${t.status} not in ${oneOf(closedStates)} or ${t.closedAt} is not null) and (${t.status} <> 'pending' or ${t.closedAt} is null) and (${t.closedAt} is not null or num_nonnulls(${t.closedReason}, ${t.failure}) = 0)`,
    ),
    check('purchases_network_known', sql`${t.network} in ${oneOf(paymentNetworks)}`),
    check('purchases_failure_known', sql`${t.failure} in ${oneOf(paymentFailures)}`),
    // One that failed or expired is asked about for another day: it may be paid late.
    check(
      'purchases_asked_unpaid',
      sql`${t.askAt} is null or ${t.status} in ${oneOf(unpaidStates)}`,
    ),
  ],
);

/** Number that a payment is asked of, sealed; deleted when the payment ends. */
export const payers = pgTable(
  'payers',
  {
    purchaseId: uuid('purchase_id')
      .primaryKey()
      .references(() => purchases.id),
    sealed: text('sealed').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [index('payers_at_idx').on(t.at)],
);

/**
 * Money of a purchase that is given back, by the provider or by hand, and the credits that were taken
 * back for it. Only a completed one counts.
 */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    purchaseId: uuid('purchase_id')
      .notNull()
      .references(() => purchases.id),
    amount: integer('amount').notNull(),
    currency: text('currency', { enum: currencies }).notNull(),
    creditsDue: integer('credits_due').notNull(),
    /** Fewer than were due where the member has spent them. */
    creditsTaken: integer('credits_taken').notNull(),
    entryId: uuid('entry_id')
      .unique()
      .references(() => creditEntries.id),
    /** Of the payment back; null until it is completed. */
    reference: text('reference'),
    reason: text('reason').notNull(),
    actorId: text('actor_id'),
    status: text('status', { enum: refundStates }).notNull().default('completed'),
    startedAt: moment('started_at'),
    /** Next query of the adapter, or end of the running query's lease; null when none is due. */
    askAt: moment('ask_at'),
    /** Code of the provider for one that failed. */
    failure: text('failure'),
    /** Moment of its present state. */
    at: moment('at').notNull(),
  },
  (t) => [
    // One at a time, or two admins give the same money back.
    uniqueIndex('refunds_open_idx').on(t.purchaseId).where(sql`${t.status} = 'pending'`),
    index('refunds_ask_idx').on(t.askAt).where(sql`${t.askAt} is not null`),
    check('refunds_status_known', sql`${t.status} in ${oneOf(refundStates)}`),
    check(
      'refunds_completed_whole',
      sql`(${t.status} = 'completed') = (${t.reference} is not null) and (${t.status} = 'completed' or ${t.creditsTaken} = 0) and (${t.status} = 'pending' or ${t.askAt} is null) and (${t.status} = 'failed' or ${t.failure} is null)`,
    ),
    index('refunds_purchase_idx').on(t.purchaseId, t.at),
    check('refunds_currency_known', sql`${t.currency} in ${oneOf(currencies)}`),
    check('refunds_positive', sql`${t.amount} > 0 and ${t.creditsDue} >= 0`),
    check('refunds_taken', sql`${t.creditsTaken} between 0 and ${t.creditsDue}`),
    check('refunds_entered', sql`(${t.creditsTaken} > 0) = (${t.entryId} is not null)`),
  ],
);

/** Last number of each kind of receipt; locked while one is issued, so that no number is left out. */
export const receiptCounters = pgTable('receipt_counters', {
  series: text('series', { enum: receiptSeries }).primaryKey(),
  last: integer('last').notNull(),
});

/** Receipts of paid purchases, and credit notes of their refunds. */
export const receipts = pgTable(
  'receipts',
  {
    series: text('series', { enum: receiptSeries }).notNull(),
    number: integer('number').notNull(),
    purchaseId: uuid('purchase_id')
      .notNull()
      .references(() => purchases.id),
    refundId: uuid('refund_id')
      .unique()
      .references(() => refunds.id),
    /** The operator as it was. */
    issuer: jsonb('issuer').$type<{ name: string; address: string; taxNumber: string }>().notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.series, t.number] }),
    index('receipts_purchase_idx').on(t.purchaseId),
    uniqueIndex('receipts_once_idx').on(t.purchaseId).where(sql`${t.refundId} is null`),
    check('receipts_series_known', sql`${t.series} in ${oneOf(receiptSeries)}`),
    check('receipts_numbered', sql`${t.number} > 0`),
  ],
);
