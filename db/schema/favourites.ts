import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { products } from './products.ts';

/** Products that an account keeps; a browser without one keeps them in its cookie (decision 032). */
export const favourites = pgTable(
  'favourites',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    keptAt: moment('kept_at').notNull(),
    /** End of the listing that the person was told of. */
    endTold: moment('end_told'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    index('favourites_product_idx').on(t.productId),
  ],
);
