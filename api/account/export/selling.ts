import { asc, eq, inArray, sql } from 'drizzle-orm';
import { schema as s } from '../../../db/client.ts';
import { pick } from '../../shared/pick.ts';
import { type Section, section } from './section.ts';

const profile = [
  'id',
  'name',
  'email',
  'whatsapp',
  'location',
  'region',
  'businessName',
  'verifiedBy',
  'verifiedAt',
  'verifiedWhatsapp',
  'suspendedAt',
  'suspendedReason',
  'createdAt',
] as const;

/** Sections of a seller's profile and products. */
export const selling: readonly Section[] = [
  section('profile', profile, ({ db }, { userId }) =>
    db.select(pick(s.sellers, profile)).from(s.sellers).where(eq(s.sellers.userId, userId)),
  ),
  section('shop-addresses', ['slug', 'takenAt', 'leftAt'], ({ db }, { sellerId }) =>
    db
      .select()
      .from(s.shopSlugs)
      .where(sellerId === null ? sql`false` : eq(s.shopSlugs.sellerId, sellerId))
      .orderBy(asc(s.shopSlugs.takenAt)),
  ),
  section(
    'products',
    [
      ...([
        'id',
        'slug',
        'name',
        'description',
        'price',
        'category',
        'condition',
        'city',
        'region',
        'regionCode',
        'sellerName',
        'sellerWhatsapp',
        'sellerLocation',
      ] as const),
      ...([
        'businessName',
        'status',
        'listingType',
        'durationSeconds',
        'paymentMethod',
        'rejectedReason',
        'soldAt',
        'withdrawnAt',
        'removedAt',
      ] as const),
      ...(['createdAt', 'updatedAt'] as const),
    ],
    ({ db }, { productIds }) =>
      db
        .select()
        .from(s.products)
        .where(inArray(s.products.id, productIds))
        .orderBy(asc(s.products.createdAt)),
  ),
  section(
    'changes-under-review',
    ['productId', 'changes', 'submittedAt'],
    ({ db }, { productIds }) =>
      db.select().from(s.productEdits).where(inArray(s.productEdits.productId, productIds)),
  ),
  section(
    'listings',
    [
      'id',
      'productId',
      'number',
      'openedAt',
      'slotId',
      'startedAt',
      'durationSeconds',
      'againAsked',
      'endedAt',
      'endReason',
      'fee',
      'feeState',
      'feeReference',
    ],
    ({ db }, { productIds }) =>
      db
        .select()
        .from(s.listings)
        .where(inArray(s.listings.productId, productIds))
        .orderBy(asc(s.listings.openedAt)),
  ),
  section(
    'figures',
    ['productId', 'day', 'views', 'clicks', 'messageTaps', 'shares'],
    ({ db }, { productIds }) =>
      db
        .select()
        .from(s.productDaily)
        .where(inArray(s.productDaily.productId, productIds))
        .orderBy(asc(s.productDaily.day)),
  ),
];
