import { sql } from 'drizzle-orm';
import {
  check,
  customType,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { regions } from '../regions.ts';
import { postCategories, postReportReasons, postStatuses, updateTypes } from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';
import { knownRegion } from './region.ts';

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * A member's service request on Connect (product §11). A trigger checks at commit that exactly one
 * spend paid for each post, response and update. Posts go with the account; the ledger stays.
 */
export const connectPosts = pgTable(
  'connect_posts',
  {
    id: uuid('id').primaryKey(),
    /** Public id: eight characters without look-alikes. */
    reference: text('reference').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    description: text('description').notNull(),
    category: text('category', { enum: postCategories }).notNull(),
    location: text('location'),
    city: text('city'),
    /** The member's own words; `regionCode` is the region they give for sure. */
    region: text('region'),
    regionCode: text('region_code', { enum: regions }),
    /** XAF. */
    budgetMin: numeric('budget_min', { precision: 12, scale: 2 }),
    budgetMax: numeric('budget_max', { precision: 12, scale: 2 }),
    /** E.164, any country. Sent only in the answer to a paid response. */
    contactWhatsapp: text('contact_whatsapp'),
    tags: text('tags').array().notNull().default([]),
    status: text('status', { enum: postStatuses }).notNull().default('active'),
    createdAt: moment('created_at').notNull(),
    /** Moved only by publishing and paid updates, so closing and reopening never bumps a post. */
    updatedAt: moment('updated_at').notNull(),
    /** Hidden by an admin; only its owner still sees it. */
    hiddenAt: moment('hidden_at'),
    hiddenReason: text('hidden_reason'),
    hiddenBy: text('hidden_by').references(() => user.id, { onDelete: 'set null' }),
    /** Closed by the owner's deletion request; reopens if the owner stays. */
    leftAt: moment('left_at'),
    /** All searchable text, as {@link normalized}. */
    words: text('words').notNull(),
    search: searchVector('search')
      .notNull()
      .generatedAlwaysAs(
        sql`to_tsvector('english', words) || to_tsvector('french', words) || to_tsvector('simple', words)`,
      ),
  },
  (t) => [
    check('connect_posts_reference_readable', sql`${t.reference} ~ '^[a-hjkmnp-z2-9]{8}$'`),
    check('connect_posts_category_known', sql`${t.category} in ${oneOf(postCategories)}`),
    check('connect_posts_region_code_known', knownRegion(t.regionCode)),
    check('connect_posts_status_known', sql`${t.status} in ${oneOf(postStatuses)}`),
    check(
      'connect_posts_budget_ordered',
      sql`${t.budgetMin} >= 0 and ${t.budgetMax} >= 0 and ${t.budgetMin} <= ${t.budgetMax}`,
    ),
    check(
      'connect_posts_whatsapp_e164',
      sql`${t.contactWhatsapp} is null or ${t.contactWhatsapp} ~ '^\\+[1-9][0-9]{6,14}$'`,
    ),
    check(
      'connect_posts_hidden_whole',
      sql`(${t.hiddenAt} is null) = (${t.hiddenReason} is null) and (${t.hiddenAt} is not null or ${t.hiddenBy} is null)`,
    ),
    check('connect_posts_left_closed', sql`${t.leftAt} is null or ${t.status} = 'closed'`),
    index('connect_posts_feed_idx')
      .on(t.updatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.status} = 'active' and ${t.hiddenAt} is null`),
    index('connect_posts_category_idx')
      .on(t.category, t.updatedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.status} = 'active' and ${t.hiddenAt} is null`),
    index('connect_posts_owner_idx').on(
      t.userId,
      t.updatedAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('connect_posts_search_idx').using('gin', t.search),
  ],
);

/** A member's paid access to a post's owner. */
export const connectResponses = pgTable(
  'connect_responses',
  {
    id: uuid('id').primaryKey(),
    postId: uuid('post_id')
      .notNull()
      .references(() => connectPosts.id, { onDelete: 'cascade' }),
    userId: text('user_id').references(() => user.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('connect_responses_once_idx').on(t.postId, t.userId),
    index('connect_responses_post_idx').on(t.postId, t.createdAt.desc().nullsFirst()),
    index('connect_responses_user_idx').on(t.userId),
  ],
);

/** Paid additions to a post, which bring it to the top of the feed. */
export const connectUpdates = pgTable(
  'connect_updates',
  {
    id: uuid('id').primaryKey(),
    postId: uuid('post_id')
      .notNull()
      .references(() => connectPosts.id, { onDelete: 'cascade' }),
    type: text('type', { enum: updateTypes }).notNull(),
    message: text('message').notNull(),
    timestamp: moment('timestamp').notNull(),
  },
  (t) => [
    check('connect_updates_type_known', sql`${t.type} in ${oneOf(updateTypes)}`),
    index('connect_updates_post_idx').on(t.postId, t.timestamp.desc().nullsFirst()),
  ],
);

/** Apart from posts, so that counting a view never writes to one. */
export const connectFigures = pgTable('connect_figures', {
  postId: uuid('post_id')
    .primaryKey()
    .references(() => connectPosts.id, { onDelete: 'cascade' }),
  views: integer('views').notNull().default(0),
});

/** Last view per visitor, who counts once in 30 minutes. */
export const connectViews = pgTable(
  'connect_views',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => connectPosts.id, { onDelete: 'cascade' }),
    visitor: text('visitor').notNull(),
    viewedAt: moment('viewed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.visitor] }),
    index('connect_views_viewed_idx').on(t.viewedAt),
  ],
);

export const connectReports = pgTable(
  'connect_reports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    postId: uuid('post_id')
      .notNull()
      .references(() => connectPosts.id, { onDelete: 'cascade' }),
    reason: text('reason', { enum: postReportReasons }).notNull(),
    note: text('note'),
    visitor: text('visitor').notNull(),
    createdAt: moment('created_at').notNull(),
    resolvedAt: moment('resolved_at'),
    resolvedBy: text('resolved_by').references(() => user.id, { onDelete: 'set null' }),
    resolution: text('resolution'),
  },
  (t) => [
    uniqueIndex('connect_reports_once_idx').on(t.postId, t.visitor, t.reason),
    index('connect_reports_open_idx')
      .on(t.createdAt.desc().nullsFirst())
      .where(sql`${t.resolvedAt} is null`),
    check('connect_reports_reason_known', sql`${t.reason} in ${oneOf(postReportReasons)}`),
    check(
      'connect_reports_resolved_whole',
      sql`(${t.resolvedAt} is null) = (${t.resolution} is null)`,
    ),
  ],
);
