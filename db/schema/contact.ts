import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './moment.ts';
import { products } from './products.ts';

/** A question in no language: the sum of two numbers, or the word at a place (from 1) in a list of words, these by their keys. */
export type ContactQuestion = { kind: 'sum'; a: number; b: number } | { kind: 'word'; place: number; words: string[] };

/** A question that a newcomer was asked ahead of a seller's number; good for one answer, from one address, about one product. */
export const contactChallenges = pgTable(
  'contact_challenges',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    question: jsonb('question').$type<ContactQuestion>().notNull(),
    askedAt: moment('asked_at').notNull(),
    /** Nobody may answer before. */
    readyAt: moment('ready_at').notNull(),
    answeredAt: moment('answered_at'),
    outcome: text('outcome', { enum: ['right', 'wrong'] }),
  },
  (t) => [
    check('contact_challenges_answered_once', sql`(${t.answeredAt} is null) = (${t.outcome} is null)`),
    index('contact_challenges_address_idx').on(t.addressHash, t.askedAt.desc()),
    index('contact_challenges_product_idx').on(t.productId),
  ],
);
