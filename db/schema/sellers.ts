import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { regions } from '../regions.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { knownRegion } from './region.ts';

/**
 * Seller (product §3). `whatsapp` (E.164) leaves the server only through the contact call (product
 * R22).
 */
export const sellers = pgTable(
  'sellers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: text('user_id')
      .unique()
      .references(() => user.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** Null if the account began in a chat (decision 049). */
    email: text('email'),
    whatsapp: text('whatsapp'),
    /** The seller's own words; `region` is the region they give for sure. */
    location: text('location'),
    region: text('region', { enum: regions }),
    businessName: text('business_name'),
    verified: boolean('verified').notNull().default(false),
    /** By the chat bot, or an admin's own check (product R21). */
    verifiedBy: text('verified_by', { enum: ['chat', 'admin'] }),
    verifiedAt: moment('verified_at'),
    /** The badge shows only on listings with this number (decision 028). */
    verifiedWhatsapp: text('verified_whatsapp'),
    suspended: boolean('suspended').notNull().default(false),
    suspendedReason: text('suspended_reason'),
    suspendedAt: moment('suspended_at'),
    /**
     * Copy of the account's, for code that locks only the seller. While set, listings are neither
     * shown nor sold (decision 040).
     */
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
    // A new verification of a number takes it from the old seller.
    uniqueIndex('sellers_verified_whatsapp_idx')
      .on(t.verifiedWhatsapp)
      .where(sql`${t.verifiedWhatsapp} is not null`),
    check(
      'sellers_whatsapp_e164',
      sql`${t.whatsapp} is null or ${t.whatsapp} ~ '^\\+[1-9][0-9]{6,14}$'`,
    ),
    check('sellers_region_known', knownRegion(t.region)),
    index('sellers_created_idx').on(t.createdAt.desc().nullsFirst(), t.id),
    index('sellers_suspended_idx').on(t.id).where(sql`${t.suspended}`),
  ],
);

/**
 * Addresses of shops (decision 072). The one without `leftAt` is present; the others redirect to it
 * and stay taken for a year, also after their seller is gone.
 */
export const shopSlugs = pgTable(
  'shop_slugs',
  {
    slug: text('slug').primaryKey(),
    sellerId: uuid('seller_id').references(() => sellers.id, { onDelete: 'set null' }),
    takenAt: moment('taken_at').notNull(),
    leftAt: moment('left_at'),
  },
  (t) => [
    uniqueIndex('shop_slugs_present_idx').on(t.sellerId).where(sql`${t.leftAt} is null`),
    index('shop_slugs_seller_idx').on(t.sellerId),
    check(
      'shop_slugs_form',
      sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(${t.slug}) <= 60`,
    ),
    check('shop_slugs_present_owned', sql`${t.sellerId} is not null or ${t.leftAt} is not null`),
    check('shop_slugs_left_after_taken', sql`${t.leftAt} is null or ${t.leftAt} >= ${t.takenAt}`),
  ],
);

/** Last time a phone took its number back from another account; kept thirty days (decision 028). */
export const numberTakings = pgTable(
  'number_takings',
  {
    numberKey: text('number_key').primaryKey(),
    takenAt: moment('taken_at').notNull(),
  },
  (t) => [check('number_takings_hashed', sql`${t.numberKey} ~ '^[0-9a-f]{64}$'`)],
);

/**
 * Addresses and numbers (E.164) of deleted sellers; only an admin can readmit them (product R20).
 */
export const barredEmails = pgTable('barred_emails', {
  email: text('email').primaryKey(),
  barredAt: moment('barred_at').notNull().defaultNow(),
  barredBy: text('barred_by'),
});
