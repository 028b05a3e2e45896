import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  pgView,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { categories, conditions } from '../vocabularies.ts';
import { moment } from './moment.ts';
import { products } from './products.ts';

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const weighed = (column: string, weight: 'A' | 'B' | 'D') =>
  `setweight(to_tsvector('english', ${column}) || to_tsvector('french', ${column}) || to_tsvector('simple', ${column}), '${weight}')`;

/** What visitors may find, made by migrations 0001 and 0002; {@link findable} keeps its rows. */
export const findableSource = pgView('findable_source', {}).existing();

/**
 * The market's search index (decision 070): one row for each product that visitors may find.
 * Triggers on products and listings write it from the view `findable_source`; nothing else may.
 * Slots and sellers are joined when searching, so that a pause or suspension counts at once.
 */
export const findable = pgTable(
  'findable',
  {
    productId: uuid('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    sellerId: uuid('seller_id'),
    /** The listing's number, only to decide whether the seller's badge applies. */
    whatsapp: text('whatsapp'),
    category: text('category', { enum: categories }),
    condition: text('condition', { enum: conditions }),
    /** XAF; null without a price. */
    price: integer('price'),
    region: text('region'),
    regionKey: text('region_key'),
    /** Latest slot; null if it waits again. */
    slotId: smallint('slot_id'),
    premium: boolean('premium').notNull(),
    startedAt: moment('started_at').notNull(),
    /** Null while its listing is open. */
    endedAt: moment('ended_at'),
    sold: boolean('sold').notNull(),
    /** Words without accents, as `normalized` in api/shared/search.ts writes them. */
    nameWords: text('name_words').notNull(),
    otherWords: text('other_words').notNull(),
    textWords: text('text_words').notNull(),
    /** Grows with each change, so that processes notice it. */
    changed: bigint('changed', { mode: 'number' }).notNull(),
    search: searchVector('search')
      .notNull()
      .generatedAlwaysAs(
        sql.raw(
          `${weighed('name_words', 'A')} || ${weighed('other_words', 'B')} || ${weighed('text_words', 'D')}`,
        ),
      ),
  },
  (t) => [
    check('findable_sold_is_ended', sql`not ${t.sold} or ${t.endedAt} is not null`),
    index('findable_search_idx').using('gin', t.search),
    index('findable_ended_idx').on(t.endedAt).where(sql`${t.endedAt} is not null`),
  ],
);
