import { sql } from 'drizzle-orm';
import { boolean, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './moment.ts';
import { products } from './products.ts';

/** A sum, or the word at a place (from 1) in a list of word keys, so that no language is needed. */
export type ContactQuestion =
  | { kind: 'sum'; a: number; b: number }
  | { kind: 'word'; place: number; words: string[] };

/**
 * Questions to new visitors before a seller's number, kept to repeat open ones and detect reuse.
 * Rows per address are bounded: questions travel sealed in tokens (decision 028).
 */
export const contactChallenges = pgTable(
  'contact_challenges',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    /** Cookie that was asked, then the one that answered. */
    visitor: text('visitor').notNull(),
    /** The visitor had browsed before (decision 028). */
    looked: boolean('looked').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    question: jsonb('question').$type<ContactQuestion>().notNull(),
    askedAt: moment('asked_at').notNull(),
    /** Earlier answers are not judged. */
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
