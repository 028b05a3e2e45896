import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Bilingual } from '../../locales/languages.ts';
import { regions } from '../regions.ts';
import { premiumCount } from '../slots.ts';
import {
  categories,
  categoriesWithoutCondition,
  conditions,
  listingTypes,
  paymentMethods,
  reportReasons,
} from '../vocabularies.ts';
import { user } from './accounts.ts';
import { moment } from './moment.ts';
import { oneOf } from './oneOf.ts';
import { knownRegion } from './region.ts';
import { sellers } from './sellers.ts';

/**
 * `key` names one file per width in storage (api/uploads); `avif` lists widths made in that format,
 * a little later.
 */
export type StoredImage = {
  key: string;
  width: number;
  height: number;
  widths: number[];
  colour: string;
  avif?: number[];
};

export const productStatuses = ['pending', 'approved', 'active', 'rejected'] as const;
/**
 * Product (product §3, product R1, R12, R30). Nullable columns, because old imports may lack
 * anything. The trigger `product_place` keeps an approved product in exactly one of queue, slot and
 * ended.
 */
export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    slug: text('slug').notNull().unique(),
    sellerId: uuid('seller_id').references(() => sellers.id, { onDelete: 'restrict' }),
    name: jsonb('name').$type<Bilingual>(),
    description: jsonb('description').$type<Bilingual>(),
    images: jsonb('images').$type<StoredImage[]>().notNull().default([]),
    price: integer('price'),
    city: text('city'),
    /** The seller's own words; `regionCode` is the region they give for sure. */
    region: text('region'),
    regionCode: text('region_code', { enum: regions }),
    sellerLocation: text('seller_location'),
    businessName: text('business_name'),
    sellerName: text('seller_name'),
    sellerWhatsapp: text('seller_whatsapp'),
    status: text('status', { enum: productStatuses }).notNull().default('pending'),
    listingType: text('listing_type', { enum: listingTypes }).notNull().default('standard'),
    durationSeconds: integer('duration_seconds'),
    preferredFeaturedSlot: smallint('preferred_featured_slot'),
    category: text('category', { enum: categories }),
    /** Null where the seller gave none, and in categories that have none (decision 070). */
    condition: text('condition', { enum: conditions }),
    paymentMethod: text('payment_method', { enum: paymentMethods }),
    approvedAt: moment('approved_at'),
    rejectedAt: moment('rejected_at'),
    rejectedReason: text('rejected_reason'),
    soldAt: moment('sold_at'),
    withdrawnAt: moment('withdrawn_at'),
    removedAt: moment('removed_at'),
    /** Photos deleted by the cleanup, 30 days after the listing's end (product §4). */
    imagesDeletedAt: moment('images_deleted_at'),
    createdBy: text('created_by').references(() => user.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('products_status_known', sql`${t.status} in ${oneOf(productStatuses)}`),
    check('products_listing_type_known', sql`${t.listingType} in ${oneOf(listingTypes)}`),
    check(
      'products_name_shape',
      sql`${t.name} is null or jsonb_typeof(${t.name}) in ('object', 'string')`,
    ),
    check(
      'products_description_shape',
      sql`${t.description} is null or jsonb_typeof(${t.description}) in ('object', 'string')`,
    ),
    check(
      'products_images_list',
      sql`jsonb_typeof(${t.images}) = 'array' and jsonb_array_length(${t.images}) <= 5`,
    ),
    check('products_region_code_known', knownRegion(t.regionCode)),
    check('products_condition_known', sql`${t.condition} in ${oneOf(conditions)}`),
    check(
      'products_condition_applies',
      sql`${t.condition} is null or ${t.category} not in ${oneOf(categoriesWithoutCondition)}`,
    ),
    check('products_price_range', sql`${t.price} between 0 and 10000000`),
    check('products_duration_positive', sql`${t.durationSeconds} > 0`),
    check(
      'products_preferred_slot',
      sql`${t.preferredFeaturedSlot} is null or (${t.preferredFeaturedSlot} between 1 and ${sql.raw(String(premiumCount))} and ${t.listingType} = 'featured')`,
    ),
    check(
      'products_whatsapp_e164',
      sql`${t.sellerWhatsapp} is null or ${t.sellerWhatsapp} ~ '^\\+[1-9][0-9]{6,14}$'`,
    ),
    check(
      'products_slug_shape',
      sql`${t.slug} ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and ${t.slug} <> 'details'`,
    ),
    check(
      'products_approved_stamped',
      sql`(${t.status} in ('approved', 'active')) = (${t.approvedAt} is not null)`,
    ),
    check(
      'products_rejected_stamped',
      sql`(${t.status} = 'rejected') = (${t.rejectedAt} is not null)`,
    ),
    index('products_seller_idx').on(t.sellerId, t.createdAt.desc().nullsFirst()),
    index('products_status_idx').on(t.status, t.createdAt.desc().nullsFirst(), t.id),
    index('products_removed_idx')
      .on(t.removedAt.desc().nullsFirst(), t.id)
      .where(sql`${t.removedAt} is not null`),
  ],
);

/** A change of a live product, in review while the old version stays up (product R19). */
export const productEdits = pgTable('product_edits', {
  productId: uuid('product_id')
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  changes: jsonb('changes').$type<Record<string, unknown>>().notNull(),
  submittedAt: moment('submitted_at').notNull().defaultNow(),
});

/** Photos; one without a product is deleted after 24 hours. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    key: text('key').notNull(),
    ownerId: text('owner_id').references(() => user.id, { onDelete: 'set null' }),
    productId: uuid('product_id').references(() => products.id, { onDelete: 'set null' }),
    image: jsonb('image').$type<StoredImage>().notNull(),
    bytes: integer('bytes').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('uploads_key_idx').on(t.key),
    index('uploads_product_idx').on(t.productId),
    index('uploads_owner_idx').on(t.ownerId),
  ],
);

/**
 * The one unsubmitted product of an account, shared by web wizard and chats (decision 049).
 * `answers` are keyed by submission path; `photos` are upload ids; `key` makes the submission
 * idempotent.
 */
export const productDrafts = pgTable(
  'product_drafts',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => user.id, { onDelete: 'cascade' }),
    key: uuid('key').notNull(),
    answers: jsonb('answers').$type<Record<string, string | number | null>>().notNull(),
    photos: jsonb('photos').$type<string[]>().notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    index('product_drafts_updated_idx').on(t.updatedAt),
    check(
      'product_drafts_photos',
      sql`jsonb_typeof(${t.photos}) = 'array' and jsonb_array_length(${t.photos}) <= 5`,
    ),
  ],
);

/** Reports of products and of sellers' shops: each is about one of them. */
export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    productId: uuid('product_id').references(() => products.id, { onDelete: 'cascade' }),
    sellerId: uuid('seller_id').references(() => sellers.id, { onDelete: 'cascade' }),
    slotId: smallint('slot_id'),
    reason: text('reason', { enum: reportReasons }).notNull(),
    note: text('note'),
    visitor: text('visitor').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    resolvedAt: moment('resolved_at'),
    resolvedBy: text('resolved_by').references(() => user.id, { onDelete: 'set null' }),
    resolution: text('resolution'),
  },
  (t) => [
    // Repeated clicks must not make a listing look worse.
    uniqueIndex('reports_once_idx').on(t.productId, t.visitor, t.reason),
    uniqueIndex('reports_shop_once_idx').on(t.sellerId, t.visitor, t.reason),
    check('reports_about_one', sql`num_nonnulls(${t.productId}, ${t.sellerId}) = 1`),
    index('reports_open_idx')
      .on(t.createdAt.desc().nullsFirst())
      .where(sql`${t.resolvedAt} is null`),
    check('reports_resolved_whole', sql`(${t.resolvedAt} is null) = (${t.resolution} is null)`),
  ],
);
