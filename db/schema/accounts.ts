import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { languages } from '../../locales/languages.ts';
import { outboxChannels } from '../vocabularies.ts';
import { moment } from './moment.ts';

/** A person who can sign in: one account per person (product R33). */
export const user = pgTable(
  'user',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull().unique(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    /** Admins are made by `bun run admin:create` alone, moderators by admins (product §6, R60). */
    role: text('role', { enum: ['member', 'moderator', 'admin'] })
      .notNull()
      .default('member'),
    /** Last used; mails are written in it. */
    language: text('language', { enum: languages }).notNull().default('en'),
    /** Channel chosen for alerts and favourites; null: a chat before mail. */
    toldBy: text('told_by', { enum: outboxChannels }),
    /** Last sign-in, or daily renewal of a session, on the web. */
    webUsedAt: moment('web_used_at'),
    /** Version of the terms that the person agreed to; each agreement is in the audit log. */
    agreedTo: text('agreed_to'),
    agreedAt: moment('agreed_at'),
    /** Deletion requested; the account goes seven days later (decision 040). */
    leavingAt: moment('leaving_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('user_leaving_idx').on(t.leavingAt).where(sql`${t.leavingAt} is not null`),
    check('user_agreed_stamped', sql`(${t.agreedTo} is null) = (${t.agreedAt} is null)`),
  ],
);

export const session = pgTable(
  'session',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('session_user_idx').on(t.userId)],
);

export const account = pgTable(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  // Of two simultaneous first sign-ins with a provider, the second finds the first one's account.
  (t) => [
    index('account_user_idx').on(t.userId),
    uniqueIndex('account_provider_idx').on(t.providerId, t.accountId),
  ],
);

export const verification = pgTable(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('verification_identifier_idx').on(t.identifier)],
);

/** Counters shared by all processes (api/core/limits.ts). */
export const rateLimit = pgTable('rate_limit', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  /** Times of counted attempts, in milliseconds. */
  hits: bigint('hits', { mode: 'number' }).array().notNull().default([]),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
});

/**
 * Unproven sign-ups, independent even for the same address: no account, credential or seller
 * profile exists before the proof (decision 006).
 */
export const pendingSignUps = pgTable(
  'pending_sign_ups',
  {
    /** Held in the signed cookie of the browser that signed up. */
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    whatsapp: text('whatsapp'),
    location: text('location'),
    language: text('language', { enum: languages }).notNull(),
    selling: boolean('selling').notNull().default(true),
    next: text('next'),
    /** Version of the terms agreed to in the form, if it held then. */
    agreedTo: text('agreed_to'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('pending_sign_ups_email_idx').on(t.email, t.createdAt)],
);

/**
 * Single-use verification links, hashed so that a database copy verifies nothing. Used links stay,
 * to be told from expired and unknown ones.
 */
export const signUpLinks = pgTable(
  'sign_up_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    email: text('email').notNull(),
    signUpId: uuid('sign_up_id').references(() => pendingSignUps.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [
    index('sign_up_links_email_idx').on(t.email),
    index('sign_up_links_sign_up_idx').on(t.signUpId),
  ],
);

export const signInLinks = pgTable(
  'sign_in_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    next: text('next'),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [index('sign_in_links_user_idx').on(t.userId)],
);

/** Second factor of an admin (decision 006); not asked for until confirmed. */
export const secondFactors = pgTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  /** Encrypted with the app's secret. */
  secret: text('secret').notNull(),
  createdAt: moment('created_at').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** 30-second step of the newest used code; codes up to it are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Single-use codes for a lost phone; used ones are deleted. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => secondFactors.userId, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Single-use exports of personal data (decision 040); the rate limit counts them too. */
export const dataExports = pgTable(
  'data_exports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    askedAt: moment('asked_at').notNull(),
    begunAt: moment('begun_at'),
    endedAt: moment('ended_at'),
  },
  (t) => [index('data_exports_user_idx').on(t.userId, t.askedAt.desc().nullsFirst())],
);

/**
 * Changes of an account's address (decision 040), reversible by the old one once confirmed. Ids
 * follow the order of requests, even at the same moment.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    /** The link works only in this session. No foreign key: sessions are not backed up. */
    sessionId: text('session_id').notNull(),
    linkHash: text('link_hash').notNull(),
    askedAt: moment('asked_at').notNull(),
    linkExpiresAt: moment('link_expires_at').notNull(),
    confirmedAt: moment('confirmed_at'),
    takeBackHash: text('take_back_hash'),
    /** Until then the old address is reserved and can take the account back. */
    heldUntil: moment('held_until'),
    takenBackAt: moment('taken_back_at'),
  },
  (t) => [
    uniqueIndex('email_changes_pending_idx').on(t.userId).where(sql`${t.confirmedAt} is null`),
    uniqueIndex('email_changes_link_idx').on(t.linkHash),
    uniqueIndex('email_changes_take_back_idx').on(t.takeBackHash),
    index('email_changes_user_idx').on(t.userId),
    index('email_changes_old_idx').on(t.oldEmail).where(sql`${t.confirmedAt} is not null`),
    check(
      'email_changes_whole',
      sql`(${t.confirmedAt} is null) = (${t.takeBackHash} is null) and (${t.confirmedAt} is null) = (${t.heldUntil} is null) and (${t.takenBackAt} is null or ${t.confirmedAt} is not null)`,
    ),
    check(
      'email_changes_hashed',
      sql`${t.linkHash} ~ '^[0-9a-f]{64}$' and (${t.takeBackHash} is null or ${t.takeBackHash} ~ '^[0-9a-f]{64}$')`,
    ),
  ],
);
