import { sql } from 'drizzle-orm';
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { type Bilingual, type Language, languages } from '../../locales/languages.ts';
import { dataRequestKinds, healthStatuses, outboxChannels, transports } from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';

/** Run-time settings (product R32); api/settings/schema.ts has names, types and defaults. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  updatedBy: text('updated_by').references(() => user.id, { onDelete: 'set null' }),
});

/** Versions of the operator's own terms and page on privacy, in Markdown; null: the market's own. */
export const legalTexts = pgTable('legal_texts', {
  number: integer('number').primaryKey(),
  terms: jsonb('terms').$type<Record<Language, string>>(),
  privacy: jsonb('privacy').$type<Record<Language, string>>(),
  publishedAt: moment('published_at').notNull(),
  publishedBy: text('published_by').references(() => user.id, { onDelete: 'set null' }),
});

/** A person's request about their data that came by mail or by hand (decision 078). */
export const dataRequests = pgTable(
  'data_requests',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind', { enum: dataRequestKinds }).notNull(),
    /** As they named themselves; they need have no account. */
    person: text('person').notNull(),
    note: text('note').notNull().default(''),
    receivedAt: moment('received_at').notNull(),
    recordedBy: text('recorded_by').references(() => user.id, { onDelete: 'set null' }),
    closedAt: moment('closed_at'),
    closedBy: text('closed_by').references(() => user.id, { onDelete: 'set null' }),
    outcome: text('outcome'),
  },
  (t) => [
    check('data_requests_kind_known', sql`${t.kind} in ${oneOf(dataRequestKinds)}`),
    check('data_requests_closed_told', sql`(${t.closedAt} is null) = (${t.outcome} is null)`),
    index('data_requests_received_idx').on(t.receivedAt),
  ],
);

/** Generated secrets shared by all processes, such as the signing key without AUTH_SECRET. */
export const secrets = pgTable('secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/**
 * Reasons of failed delivery (decision 021). `recipient` is final: the mail server refused the
 * address with a 5xx.
 */
export const deliveryFaults = [
  'recipient',
  'sender',
  'content',
  'login',
  'unreachable',
  'later',
  'other',
] as const;

/**
 * Messages to people (product R25), written in the transaction that causes them, delivered after it
 * with retries.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    channel: text('channel', { enum: outboxChannels }).notNull(),
    /** Mail address, or keyed hash of a chat (decision 007) or of an account's browsers. */
    recipient: text('recipient').notNull(),
    language: text('language', { enum: languages }).notNull(),
    kind: text('kind').notNull(),
    subject: text('subject').notNull(),
    bodyText: text('body_text').notNull(),
    bodyHtml: text('body_html').notNull(),
    /**
     * Encrypted for its chat: a reply, which may hold a requested number, or a notification's
     * buttons; or for browsers: link, button and end.
     */
    sealed: text('sealed'),
    /** Address that ends mails like this one by one click (RFC 8058). */
    unsubscribe: text('unsubscribe'),
    /** Null without an account: an unproven sign-up, an imported seller. */
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    /** `held`: for a stopped chat whose person has no mailbox, until they write again. */
    state: text('state', { enum: ['waiting', 'sent', 'failed', 'held'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    /** Creation, end of the lease, or next attempt after a failure (decision 021). */
    nextAttemptAt: moment('next_attempt_at').notNull(),
    /** Current lease, until `nextAttemptAt`. */
    lease: uuid('lease'),
    lastError: text('last_error'),
    fault: text('fault', { enum: deliveryFaults }),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
    /** Orders messages of the same moment. */
    turn: bigserial('turn', { mode: 'number' }),
  },
  (t) => [
    check('outbox_sent_stamped', sql`(${t.state} = 'sent') = (${t.sentAt} is not null)`),
    check('outbox_lease_waits', sql`${t.lease} is null or ${t.state} = 'waiting'`),
    index('outbox_waiting_idx')
      .on(t.channel, t.nextAttemptAt, t.turn)
      .where(sql`${t.state} = 'waiting'`),
    index('outbox_recipient_idx')
      .on(t.channel, t.recipient, t.turn)
      .where(sql`${t.state} = 'waiting'`),
    index('outbox_held_idx').on(t.recipient).where(sql`${t.state} = 'held'`),
    check('outbox_chat_hashed', sql`${t.channel} = 'email' or ${t.recipient} ~ '^[0-9a-f]{64}$'`),
    check('outbox_sealed_in_chats', sql`${t.sealed} is null or ${t.channel} <> 'email'`),
    index('outbox_user_idx').on(t.userId, t.createdAt.desc().nullsFirst()),
    index('outbox_failed_idx').on(t.createdAt).where(sql`${t.state} = 'failed'`),
    index('outbox_created_idx').on(t.createdAt.desc().nullsFirst()),
  ],
);

/** `job` is the scheduler and the shell. */
export const vias = ['web', ...transports, 'job'] as const;

/** Every admin action (product R32). Append-only by trigger (db/migrations). */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    via: text('via', { enum: vias }).notNull().default('web'),
    action: text('action').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id'),
    /** Name at the time; the subject may be deleted later. */
    subjectName: jsonb('subject_name').$type<Bilingual>(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id').notNull(),
  },
  (t) => [
    index('audit_at_idx').on(t.at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('audit_subject_idx').on(t.subjectKind, t.subjectId),
    index('audit_actor_idx').on(t.actorId),
  ],
);

/** First answers to requests, returned again when repeated (product R34). */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    /** Hash of the request: the same key with another request is refused. */
    fingerprint: text('fingerprint').notNull(),
    answer: jsonb('answer'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.owner, t.key] }),
    index('idempotency_created_idx').on(t.createdAt),
  ],
);

/** One health check of one run (product §4, §9; product R28). */
export const healthChecks = pgTable(
  'health_checks',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    checkedAt: moment('checked_at').notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: healthStatuses }).notNull(),
    code: text('code'),
    params: jsonb('params').$type<Record<string, string | number>>(),
    milliseconds: integer('milliseconds'),
  },
  (t) => [
    index('health_checked_idx').on(t.checkedAt.desc().nullsFirst()),
    check('health_status_known', sql`${t.status} in ${oneOf(healthStatuses)}`),
  ],
);

/** One cleanup run, for get_cleanup_stats (product §3). */
export const cleanupRuns = pgTable(
  'cleanup_runs',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    startedAt: moment('started_at').notNull(),
    finishedAt: moment('finished_at'),
    startedBy: text('started_by').notNull(),
    cleanedProducts: integer('cleaned_products').notNull().default(0),
    deletedImages: integer('deleted_images').notNull().default(0),
    archivedProducts: integer('archived_products').notNull().default(0),
  },
  (t) => [index('cleanup_started_idx').on(t.startedAt.desc().nullsFirst())],
);

/** Scripts of the newest releases, for pages that were opened before an upgrade. */
export const siteReleases = pgTable('site_releases', {
  /** Digest of its paths. */
  id: text('id').primaryKey(),
  startedAt: moment('started_at').notNull(),
  /** Brotli in base64, by path. */
  files: jsonb('files').$type<Record<string, string>>().notNull(),
});

/** Last run of each job. */
export const jobRuns = pgTable('job_runs', {
  name: text('name').primaryKey(),
  startedAt: moment('started_at').notNull(),
  finishedAt: moment('finished_at'),
  outcome: text('outcome', { enum: ['running', 'done', 'failed'] }).notNull(),
  detail: jsonb('detail'),
  runs: integer('runs').notNull().default(0),
  failuresInARow: smallint('failures_in_a_row').notNull().default(0),
});
