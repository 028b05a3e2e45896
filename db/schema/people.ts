import { sql } from 'drizzle-orm';
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { languages } from '../../locales/languages.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';

/** What a person has switched off: a row is one kind of message that is not written for them (decision 032). */
export const notificationsOff = pgTable(
  'notifications_off',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    since: moment('since').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] })],
);

/** The transports of chats. Telegram's bot, and WhatsApp by either of its clients. */
export const transports = ['telegram', 'whatsapp'] as const;

/**
 * A chat that has written to the bot (decision 033). Everything but the delivery knows it by `key_hash`: an address
 * on WhatsApp is a phone number.
 */
export const chats = pgTable(
  'chats',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    transport: text('transport', { enum: transports }).notNull(),
    keyHash: text('key_hash').notNull().unique(),
    sealedAddress: text('sealed_address').notNull(),
    /** Whose chat it is, once linked; nobody's again when the account is deleted. */
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    /** What the chat chose; an account's own language goes first. */
    language: text('language', { enum: languages }),
    linkedAt: moment('linked_at'),
    /** The person has blocked the bot: nothing is sent there. */
    blockedAt: moment('blocked_at'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    check('chats_key_hashed', sql`${t.keyHash} ~ '^[0-9a-f]{64}$'`),
    check('chats_linked_stamped', sql`${t.userId} is null or ${t.linkedAt} is not null`),
    index('chats_user_idx').on(t.userId),
  ],
);
