import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  check,
  date,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { user } from './accounts.ts';
import { moment } from './moment.ts';

export const entryKinds = ['joining', 'purchase', 'spend', 'refund', 'correction'] as const;
/** What credits are spent on. */
export const referenceTypes = ['post', 'response', 'post_update'] as const;
export const purchaseMethods = ['stripe', 'mobile_money', 'cash_partner'] as const;
export const purchaseStates = ['pending', 'completed', 'failed', 'cancelled'] as const;

const oneOf = (values: readonly string[]) =>
  sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`);

/**
 * A member's credits (decision 042). The number is all that the ledger knows of a person: the account may go, the number stays. Count, balance
 * and head are written by the ledger's trigger alone (db/migrations), and whoever adds an entry locks this row.
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
    /** The hash of the newest entry; nothing before the first. */
    head: text('head').notNull().default(''),
    openedAt: moment('opened_at').notNull(),
  },
  (t) => [check('credit_accounts_not_negative', sql`${t.balance} >= 0`)],
);

/** The ledger: every change of a balance, in each member's own order, each signed together with the one before. Append-only by trigger. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: uuid('id').primaryKey(),
    member: bigint('member', { mode: 'number' })
      .notNull()
      .references(() => creditAccounts.number),
    /** 1 is the member's first. */
    serial: integer('serial').notNull(),
    kind: text('kind', { enum: entryKinds }).notNull(),
    amount: integer('amount').notNull(),
    /** After this entry. */
    balance: integer('balance').notNull(),
    referenceType: text('reference_type', { enum: referenceTypes }),
    referenceId: uuid('reference_id'),
    /** The spend that a refund gives back. */
    undoes: uuid('undoes').references((): AnyPgColumn => creditEntries.id),
    purchaseId: uuid('purchase_id').references((): AnyPgColumn => creditPurchases.id),
    /** Why an admin corrected, and which: words, which the chain leaves out. */
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
    uniqueIndex('credit_entries_purchase_idx').on(t.purchaseId),
    uniqueIndex('credit_entries_joining_idx').on(t.member).where(sql`${t.kind} = 'joining'`),
    check('credit_entries_kind_known', sql`${t.kind} in ${oneOf(entryKinds)}`),
    check('credit_entries_reference_known', sql`${t.referenceType} in ${oneOf(referenceTypes)}`),
    check('credit_entries_not_negative', sql`${t.balance} >= 0`),
    check(
      'credit_entries_signed',
      sql`case when ${t.kind} = 'spend' then ${t.amount} < 0 when ${t.kind} = 'correction' then ${t.amount} <> 0 else ${t.amount} > 0 end`,
    ),
    check(
      'credit_entries_spend_whole',
      sql`(${t.kind} = 'spend') = (${t.referenceType} is not null) and (${t.kind} = 'spend') = (${t.referenceId} is not null)`,
    ),
    check('credit_entries_refund_whole', sql`(${t.kind} = 'refund') = (${t.undoes} is not null)`),
    check(
      'credit_entries_purchase_whole',
      sql`(${t.kind} = 'purchase') = (${t.purchaseId} is not null)`,
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
 * A purchase of credits (decision 043). What an adapter, or for cash an admin, said of it is its state; a state that is final never changes. A
 * completed one has its entry in the ledger, and no other one has: checked at commit (db/migrations).
 */
export const creditPurchases = pgTable(
  'credit_purchases',
  {
    id: uuid('id').primaryKey(),
    member: bigint('member', { mode: 'number' })
      .notNull()
      .references(() => creditAccounts.number),
    amountUsd: integer('amount_usd').notNull(),
    creditsAmount: integer('credits_amount').notNull(),
    /** The price in XAF at that time, and the day from which it holds; nothing where none was set. */
    amountXaf: integer('amount_xaf'),
    xafFrom: date('xaf_from'),
    purchaseMethod: text('purchase_method', { enum: purchaseMethods }).notNull(),
    /** Who is asked about it. */
    adapter: text('adapter').notNull(),
    status: text('status', { enum: purchaseStates }).notNull().default('pending'),
    /** What the buyer gives with the payment. */
    reference: text('reference').notNull().unique(),
    /** What the adapter, or the admin who took the cash, calls the payment. */
    paymentReference: text('payment_reference'),
    /** The reference of a cash payment without case, white space and what is unseen; Postgres writes it. Null on old rows that collided. */
    paymentKey: text('payment_key'),
    createdAt: moment('created_at').notNull(),
    /** When the adapter was told of it. */
    startedAt: moment('started_at'),
    /** When it is asked next, or the end of a lease of whoever asks; nothing where nobody is to be asked. */
    askAt: moment('ask_at'),
    completedAt: moment('completed_at'),
    /** When and why it failed or was cancelled. */
    closedAt: moment('closed_at'),
    closedReason: text('closed_reason'),
  },
  (t) => [
    index('credit_purchases_member_idx').on(t.member, t.createdAt.desc().nullsFirst(), t.id),
    index('credit_purchases_status_idx').on(t.status, t.createdAt.desc().nullsFirst(), t.id),
    // One payment pays one purchase.
    uniqueIndex('credit_purchases_payment_idx').on(t.purchaseMethod, t.paymentReference),
    // One receipt pays one purchase, however an admin types its number.
    uniqueIndex('credit_purchases_payment_key_idx').on(t.paymentKey),
    index('credit_purchases_ask_idx').on(t.askAt).where(sql`${t.askAt} is not null`),
    check('credit_purchases_method_known', sql`${t.purchaseMethod} in ${oneOf(purchaseMethods)}`),
    check('credit_purchases_status_known', sql`${t.status} in ${oneOf(purchaseStates)}`),
    check(
      'credit_purchases_positive',
      sql`${t.amountUsd} > 0 and ${t.creditsAmount} > 0 and ${t.amountXaf} > 0`,
    ),
    check('credit_purchases_xaf_dated', sql`(${t.amountXaf} is null) = (${t.xafFrom} is null)`),
    check(
      'credit_purchases_completed_whole',
      sql`(${t.status} = 'completed') = (${t.completedAt} is not null) and (${t.status} <> 'completed' or ${t.paymentReference} is not null)`,
    ),
    check(
      'credit_purchases_closed_whole',
      sql`(${t.status} in ('failed', 'cancelled')) = (${t.closedAt} is not null) and (${t.closedAt} is not null or ${t.closedReason} is null)`,
    ),
    check('credit_purchases_asked_pending', sql`${t.askAt} is null or ${t.status} = 'pending'`),
  ],
);
