import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { user } from './accounts.ts';
import { moment } from './moment.ts';

/** Seller (product §3). `whatsapp` is E.164 and leaves the server only through the contact call (product R22). */
export const sellers = pgTable(
  'sellers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: text('user_id')
      .unique()
      .references(() => user.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** Where the seller is written to; nobody's where the account began in a chat and has no mailbox (decision 049). */
    email: text('email'),
    whatsapp: text('whatsapp'),
    location: text('location'),
    businessName: text('business_name'),
    verified: boolean('verified').notNull().default(false),
    /** What the badge says: proven through the chat bot, or by an admin's own check (product R21). */
    verifiedBy: text('verified_by', { enum: ['chat', 'admin'] }),
    verifiedAt: moment('verified_at'),
    /** The number that was verified: the badge is for listings with this one alone (decision 028). */
    verifiedWhatsapp: text('verified_whatsapp'),
    suspended: boolean('suspended').notNull().default(false),
    suspendedReason: text('suspended_reason'),
    suspendedAt: moment('suspended_at'),
    /** The account's own, for whoever has locked the seller alone: nothing is sold and nothing shown while it is set (decision 040). */
    leavingAt: moment('leaving_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check(
      'sellers_suspended_whole',
      sql`${t.suspended} = (${t.suspendedAt} is not null) and ${t.suspended} = (${t.suspendedReason} is not null)`,
    ),
    check(
      'sellers_verified_whole',
      sql`${t.verified} = (${t.verifiedBy} is not null) and ${t.verified} = (${t.verifiedAt} is not null) and ${t.verified} = (${t.verifiedWhatsapp} is not null)`,
    ),
    check(
      'sellers_verified_whatsapp_e164',
      sql`${t.verifiedWhatsapp} is null or ${t.verifiedWhatsapp} ~ '^\\+[1-9][0-9]{6,14}$'`,
    ),
    // A number is verified for one seller: whoever takes it over takes the verification away from the other.
    uniqueIndex('sellers_verified_whatsapp_idx')
      .on(t.verifiedWhatsapp)
      .where(sql`${t.verifiedWhatsapp} is not null`),
    check(
      'sellers_whatsapp_e164',
      sql`${t.whatsapp} is null or ${t.whatsapp} ~ '^\\+[1-9][0-9]{6,14}$'`,
    ),
    index('sellers_created_idx').on(t.createdAt.desc().nullsFirst(), t.id),
    index('sellers_suspended_idx').on(t.id).where(sql`${t.suspended}`),
  ],
);

/** When a phone last took its number back from another account, by a keyed hash of the number; kept for thirty days (decision 028). */
export const numberTakings = pgTable(
  'number_takings',
  {
    numberKey: text('number_key').primaryKey(),
    takenAt: moment('taken_at').notNull(),
  },
  (t) => [check('number_takings_hashed', sql`${t.numberKey} ~ '^[0-9a-f]{64}$'`)],
);

/** Addresses and numbers (E.164) whose seller was deleted: they cannot register as a seller again without an admin (product R20). */
export const barredEmails = pgTable('barred_emails', {
  email: text('email').primaryKey(),
  barredAt: moment('barred_at').notNull().defaultNow(),
  barredBy: text('barred_by'),
});
