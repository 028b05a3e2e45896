import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
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
    /** Where the conversation is, as bot/conversation keeps it: what was asked last, and what was looked for. No number, no address. */
    state: jsonb('state').notNull().default({}),
    /** Whether the person wants to be told here, too, what happens to their listings, posts and credits. */
    notices: boolean('notices').notNull().default(true),
    /** The person has blocked the bot: nothing is sent there. */
    blockedAt: moment('blocked_at'),
    /** When the person last wrote: a stranger's chat is forgotten by it. */
    wroteAt: moment('wrote_at'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    check('chats_key_hashed', sql`${t.keyHash} ~ '^[0-9a-f]{64}$'`),
    check('chats_linked_stamped', sql`${t.userId} is null or ${t.linkedAt} is not null`),
    index('chats_user_idx').on(t.userId),
  ],
);

/** One-time codes that link a chat to an account, asked for in a session and typed in the chat: 15 minutes, once. Kept as a keyed hash. */
export const chatLinkCodes = pgTable(
  'chat_link_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [
    check('chat_link_codes_hashed', sql`${t.codeHash} ~ '^[0-9a-f]{64}$'`),
    index('chat_link_codes_user_idx').on(t.userId),
  ],
);

/** How the bot is connected to a network; a process that runs it says so again and again. */
export const chatClients = ['polling', 'webhook', 'cloud', 'web'] as const;
export const channelStates = ['starting', 'pairing', 'connected', 'failing', 'off'] as const;

/**
 * Each network of the bot, as the process that runs it last said: what another process, and the admin's health page, read. What was said long ago is no
 * news: whoever said it is gone.
 */
export const chatChannels = pgTable(
  'chat_channels',
  {
    transport: text('transport', { enum: transports }).primaryKey(),
    client: text('client', { enum: chatClients }).notNull(),
    state: text('state', { enum: channelStates }).notNull(),
    /** When it was said last. */
    seenAt: moment('seen_at').notNull(),
    receivedAt: moment('received_at'),
    sentAt: moment('sent_at'),
    failedAt: moment('failed_at'),
    failure: text('failure'),
    /** What a phone is to scan or its owner to type, as long as that is waited for. */
    pairing: text('pairing'),
  },
  (t) => [check('chat_channels_pairing', sql`${t.pairing} is null or ${t.state} = 'pairing'`)],
);

/**
 * What people wrote to the bot: stored, then acknowledged to the transport, then worked on, in order for each chat. A row stays for eight days, so
 * that a transport which delivers twice is answered once.
 */
export const chatUpdates = pgTable(
  'chat_updates',
  {
    turn: bigserial('turn', { mode: 'number' }).primaryKey(),
    transport: text('transport', { enum: transports }).notNull(),
    /** The transport's own id of it, after that of the bot which received it. */
    updateId: text('update_id').notNull(),
    keyHash: text('key_hash')
      .notNull()
      .references(() => chats.keyHash, { onDelete: 'cascade' }),
    /** The message, sealed for its chat: it may hold a number. Gone as soon as it has been worked on. */
    sealed: text('sealed'),
    state: text('state', { enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: smallint('attempts').notNull().default(0),
    /** Nobody takes it before: when it came, the end of a lease, or the next attempt. */
    nextAttemptAt: moment('next_attempt_at').notNull(),
    lease: uuid('lease'),
    receivedAt: moment('received_at').notNull(),
  },
  (t) => [
    uniqueIndex('chat_updates_once_idx').on(t.transport, t.updateId),
    index('chat_updates_waiting_idx')
      .on(t.nextAttemptAt, t.turn)
      .where(sql`${t.state} = 'waiting'`),
    index('chat_updates_chat_idx').on(t.keyHash, t.turn).where(sql`${t.state} = 'waiting'`),
    index('chat_updates_received_idx').on(t.receivedAt),
    check(
      'chat_updates_sealed_while_waiting',
      sql`(${t.state} = 'waiting') = (${t.sealed} is not null)`,
    ),
  ],
);
