import { sql } from 'drizzle-orm';
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { languages } from '../../locales/languages.ts';
import { channelStates, closedWhys, transports } from '../vocabularies.ts';
import { session, user } from './accounts.ts';
import { moment } from './moment.ts';

/** Kinds of notification that are not written for a person (decision 032). */
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

/**
 * Browsers subscribed to alerts and favourites (docs/offline.md), each until its session ends.
 * Only delivery reads the address.
 */
export const pushSubscriptions = pgTable('push_subscriptions', {
  id: uuid('id').primaryKey().defaultRandom(),
  sessionId: text('session_id')
    .notNull()
    .unique()
    .references(() => session.id, { onDelete: 'cascade' }),
  /** Host of the push service. */
  service: text('service').notNull(),
  endpointHash: text('endpoint_hash').notNull().unique(),
  /** Address, the browser's keys, and the market's public key that it was made for. */
  sealed: text('sealed').notNull(),
  madeAt: moment('made_at').notNull(),
});

/**
 * A chat that has written to the bot (decision 007). Only delivery reads the address, which on
 * WhatsApp is a phone number; other code uses `key_hash`.
 */
export const chats = pgTable(
  'chats',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    transport: text('transport', { enum: transports }).notNull(),
    keyHash: text('key_hash').notNull().unique(),
    sealedAddress: text('sealed_address').notNull(),
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    /** An account's language takes precedence. */
    language: text('language', { enum: languages }),
    linkedAt: moment('linked_at'),
    /** State of bot/understanding/state.ts. Holds no number and no address. */
    state: jsonb('state').notNull().default({}),
    /** Notifications go here too. */
    notices: boolean('notices').notNull().default(true),
    /** Chosen by its seller, in one chat: a message each morning. */
    morningOn: boolean('morning_on').notNull().default(false),
    morningToldAt: moment('morning_told_at'),
    /** The person wrote STOP: only answers are sent, until they write otherwise (decision 047). */
    stoppedAt: moment('stopped_at'),
    /** The person blocked the bot; nothing is sent. */
    blockedAt: moment('blocked_at'),
    /**
     * The chat does not act for its account until its owner opens it (decision 047): its number may
     * belong to another person.
     */
    closedAt: moment('closed_at'),
    closedWhy: text('closed_why', { enum: closedWhys }),
    /** Its person asked to come back; it opens after a wait that nobody objects to. */
    backAskedAt: moment('back_asked_at'),
    /** Outbox ids of the notices of that, the wait's beginning once one is delivered. */
    backNotices: uuid('back_notices').array().notNull().default([]),
    /** First contact with a seller: a chat is new for a day from then (decision 028). */
    contactedAt: moment('contacted_at'),
    /** Unlinked chats are deleted by its age. */
    wroteAt: moment('wrote_at'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    check('chats_key_hashed', sql`${t.keyHash} ~ '^[0-9a-f]{64}$'`),
    check('chats_linked_stamped', sql`${t.userId} is null or ${t.linkedAt} is not null`),
    check('chats_closed_why', sql`(${t.closedAt} is null) = (${t.closedWhy} is null)`),
    check('chats_asked_closed', sql`${t.backAskedAt} is null or ${t.closedAt} is not null`),
    index('chats_user_idx').on(t.userId),
  ],
);

/**
 * Single-use codes that link a chat to an account, requested on the site and typed in the chat
 * within 15 minutes.
 */
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

export const chatClients = ['polling', 'webhook', 'cloud', 'web'] as const;
/** State last reported by the process that runs a transport; stale rows count as offline. */
export const chatChannels = pgTable(
  'chat_channels',
  {
    transport: text('transport', { enum: transports }).primaryKey(),
    client: text('client', { enum: chatClients }).notNull(),
    state: text('state', { enum: channelStates }).notNull(),
    seenAt: moment('seen_at').notNull(),
    receivedAt: moment('received_at'),
    sentAt: moment('sent_at'),
    failedAt: moment('failed_at'),
    failure: text('failure'),
    /** Code or picture for the phone, while pairing. */
    pairing: text('pairing'),
    /** When the network refused the template for notifications, and why. */
    templateRefusedAt: moment('template_refused_at'),
    templateRefusal: text('template_refusal'),
  },
  (t) => [check('chat_channels_pairing', sql`${t.pairing} is null or ${t.state} = 'pairing'`)],
);

/** Messages that a network took and then could not deliver; it may report one several times. */
export const chatUndelivered = pgTable(
  'chat_undelivered',
  {
    /** Keyed hash: the network's id holds a number. */
    idHash: text('id_hash').primaryKey(),
    transport: text('transport', { enum: transports }).notNull(),
    /** The network's own error. */
    code: integer('code').notNull(),
    reason: text('reason').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    check('chat_undelivered_hashed', sql`${t.idHash} ~ '^[0-9a-f]{64}$'`),
    index('chat_undelivered_at_idx').on(t.at),
  ],
);

/**
 * Incoming messages: stored, acknowledged, then handled in order per chat. Rows stay eight days, so
 * a message delivered twice is answered once.
 */
export const chatUpdates = pgTable(
  'chat_updates',
  {
    turn: bigserial('turn', { mode: 'number' }).primaryKey(),
    transport: text('transport', { enum: transports }).notNull(),
    /** Bot id and the transport's message id. */
    updateId: text('update_id').notNull(),
    keyHash: text('key_hash')
      .notNull()
      .references(() => chats.keyHash, { onDelete: 'cascade' }),
    /** Encrypted, as it may hold a number; deleted once handled. */
    sealed: text('sealed'),
    state: text('state', { enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: smallint('attempts').notNull().default(0),
    /** Arrival, end of the lease, or next attempt. */
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
