import { sql } from 'drizzle-orm';
import { boolean, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './moment.ts';
import { products } from './products.ts';

/** A question in no language: the sum of two numbers, or the word at a place (from 1) in a list of words, these by their keys. */
export type ContactQuestion =
  | { kind: 'sum'; a: number; b: number }
  | { kind: 'word'; place: number; words: string[] };

/**
 * Questions that newcomers were asked ahead of a seller's number, to put an open one again and to find a used one. A bounded
 * number of rows an address: a question itself travels sealed in its token (decision 028).
 */
export const contactChallenges = pgTable(
  'contact_challenges',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    /** The cookie that it was put to; the one that answered, once it is answered. */
    visitor: text('visitor').notNull(),
    /** The visitor had looked around before (decision 028). */
    looked: boolean('looked').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    question: jsonb('question').$type<ContactQuestion>().notNull(),
    askedAt: moment('asked_at').notNull(),
    /** An answer before this time is not judged. */
    readyAt: moment('ready_at').notNull(),
    answeredAt: moment('answered_at'),
    outcome: text('outcome', { enum: ['right', 'wrong'] }),
  },
  (t) => [
    check(
      'contact_challenges_answered_once',
      sql`(${t.answeredAt} is null) = (${t.outcome} is null)`,
    ),
    index('contact_challenges_address_idx').on(
      t.addressHash,
      t.looked,
      t.outcome,
      t.askedAt.desc(),
    ),
    index('contact_challenges_visitor_idx').on(t.visitor, t.askedAt.desc()),
    index('contact_challenges_product_idx').on(t.productId),
  ],
);
