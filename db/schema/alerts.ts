import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { alertPaces, categories, conditions } from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { chats } from './people.ts';
import { products } from './products.ts';
import { sellers } from './sellers.ts';

const searchQuery = customType<{ data: string }>({ dataType: () => 'tsquery' });

/** Alerts on new listings of a search or a shop, of an account or a chat without one (decision 032). */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: text('user_id').references(() => user.id, { onDelete: 'cascade' }),
    chatId: uuid('chat_id').references(() => chats.id, { onDelete: 'cascade' }),
    /** A shop; its search is empty. */
    sellerId: uuid('seller_id').references(() => sellers.id, { onDelete: 'cascade' }),
    /** A search as its address has it, in one spelling. */
    query: text('query').notNull().default(''),
    pace: text('pace', { enum: alertPaces }).notNull(),
    pausedAt: moment('paused_at'),
    madeAt: moment('made_at').notNull(),
    /** Earliest next message: the morning of a slower pace, or the day after a full one. */
    notBefore: moment('not_before'),
    /** The search, as it is matched. Null where it says nothing. */
    words: searchQuery('words'),
    category: text('category', { enum: categories }),
    condition: text('condition', { enum: conditions }),
    regionKey: text('region_key'),
    min: integer('min'),
    max: integer('max'),
    premium: boolean('premium'),
    verified: boolean('verified'),
  },
  (t) => [
    check('alerts_of_one', sql`(${t.userId} is null) <> (${t.chatId} is null)`),
    check('alerts_about_one', sql`(${t.sellerId} is null) <> (${t.query} = '')`),
    uniqueIndex('alerts_search_idx').on(t.userId, t.query).where(sql`${t.sellerId} is null`),
    uniqueIndex('alerts_shop_idx').on(t.userId, t.sellerId),
    uniqueIndex('alerts_chat_search_idx').on(t.chatId, t.query).where(sql`${t.sellerId} is null`),
    uniqueIndex('alerts_chat_shop_idx').on(t.chatId, t.sellerId),
    index('alerts_seller_idx').on(t.sellerId),
  ],
);

/** Listings that fit an alert, each once. */
export const alertHits = pgTable(
  'alert_hits',
  {
    alertId: uuid('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    toldAt: moment('told_at'),
  },
  (t) => [
    primaryKey({ columns: [t.alertId, t.productId] }),
    index('alert_hits_product_idx').on(t.productId),
    index('alert_hits_untold_idx').on(t.alertId).where(sql`${t.toldAt} is null`),
  ],
);
