import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { paymentMethods } from '../../db/vocabularies.ts';
import { requireModerator } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { totalOf } from '../core/counts.ts';
import { endedByAdmin } from '../listings/end.ts';
import { positionsOf } from '../listings/positions.ts';
import { isLatest } from '../listings/reads.ts';
import { feeFor } from '../listings/rules.ts';
import { badgeOf } from '../sellers/rules.ts';
import { readSettings } from '../settings/values.ts';
import { Refusal } from '../shared/errors.ts';
import { presentImage } from '../uploads/present.ts';
import { contactFields, flaggedInStalls } from './contactFields.ts';
import { aheadOf, dueFees, openPayment, ownFigures, ownTotals } from './own.ts';
import { adminCan, hiddenNumber, missingFields, type ProductLabel, sellerCan } from './rules.ts';
import type { Edit } from './schema.ts';

/** Payee by payment method; methods the operator has not set are left out (product R31). */
export async function feePayees(
  ctx: Ctx,
): Promise<Partial<Record<(typeof paymentMethods)[number], { number: string; payee: string }>>> {
  const { payees } = await readSettings(ctx, ['payees']);
  return Object.fromEntries(
    paymentMethods.flatMap((method) => (payees[method].payee ? [[method, payees[method]]] : [])),
  );
}

/**
 * Page of the acting seller's products (product §7), with totals over all of them. Refuses
 * `sellers.profileMissing`.
 */
export async function ownProducts(ctx: Ctx, { page = 1, pageSize = 20 } = {}) {
  const seller = 'seller' in ctx.actor ? ctx.actor.seller : null;
  if (!seller) throw new Refusal('sellers.profileMissing');
  const rows = await ownRows(ctx, seller.id, { page, pageSize });
  const ids = rows.map((row) => row.id);
  const places = await positionsOf(
    ctx,
    rows.flatMap((row) => (row.queueName ? [row.id] : [])),
  );
  const ahead = await aheadOf(
    ctx,
    rows.flatMap(({ id, queueName }) => (queueName ? [{ id, queueName }] : [])),
  );
  const figures = await ownFigures(ctx, ids);
  const earlier = await dueFees(ctx, ids);
  const { payees, trackFees } = await readSettings(ctx, ['payees', 'trackFees']);
  const closed = seller.suspended || seller.leavingAt !== null;
  const listed = rows.map((row) => ({
    ...row,
    // A product without a listing has nulls in the joined columns.
    can: sellerCan(row, row.number === null ? null : row, closed),
  }));
  const shown = listed.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    status: row.status === 'active' ? ('approved' as const) : row.status,
    label: labelOf(row),
    paused: row.pausedAt !== null,
    /** Verified with another number than this listing's, so without a badge. */
    unverifiedNumber:
      seller.verifiedWhatsapp !== null &&
      badgeOf({ ...seller, listing: row.listing, profile: seller.whatsapp }) === null,
    changeWaits: row.changeWaits,
    can: row.can,
    relistReviewed: endedByAdmin(row.endReason),
    /** XAF (product R2); null if listing again owes no fee. */
    relistFee:
      trackFees &&
      (row.can.again || row.can.notAgain || (row.can.relist && row.status !== 'pending'))
        ? feeFor(row)
        : null,
    againAsked: row.againAsked !== null && row.endedAt === null,
    endedAt: row.endedAt?.toISOString() ?? null,
    /** Of its last listing (decision 031). */
    endReason: row.endReason,
    soldAt: row.soldAt?.toISOString() ?? null,
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    removedAt: row.removedAt?.toISOString() ?? null,
    place: places.get(row.id) ?? null,
    /** Without names (decision 056). */
    wentAhead: ahead.get(row.id) ?? { count: 0, last: [] },
    figures: figures.get(row.id) ?? { views: 0, clicks: 0, messageTaps: 0, shares: 0 },
    /** Null if the operator set none for the method (product R31). */
    payee: row.paymentMethod && payees[row.paymentMethod].payee ? payees[row.paymentMethod] : null,
    createdAt: row.createdAt.toISOString(),
    image: row.images[0] ? presentImage(row.images[0]) : null,
    rejectedReason: row.rejectedReason,
    slotId: row.slotId,
    endTime: row.pausedAt ? null : (row.endTime?.toISOString() ?? null),
    queueName: row.queueName,
    listingFee: row.listingFee,
    feeState: row.feeState,
    feeReference: row.feeReference,
    /** Open payment of the fee. */
    payment: row.payment,
    earlierFees: earlier.filter((fee) => fee.productId === row.id && fee.number !== row.number),
    paymentMethod: row.paymentMethod,
  }));
  const online = ctx.services.payments.find(({ methods }) => methods.includes('mobile_money'));
  return {
    ...(await ownTotals(ctx, seller.id)),
    page,
    pageSize,
    /** Way to pay fees online; null without one. */
    online: online ? { testMode: online.testMode } : null,
    products: shown,
  };
}

function ownRows(
  ctx: Ctx,
  sellerId: string,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const { products, listings, slots, queueItems, productEdits } = schema;
  return ctx.db
    .select({
      id: products.id,
      slug: products.slug,
      name: products.name,
      status: products.status,
      createdAt: products.createdAt,
      images: products.images,
      rejectedReason: products.rejectedReason,
      number: listings.number,
      endedAt: listings.endedAt,
      endReason: listings.endReason,
      againAsked: listings.againAsked,
      soldAt: products.soldAt,
      withdrawnAt: products.withdrawnAt,
      removedAt: products.removedAt,
      listingFee: listings.fee,
      feeState: listings.feeState,
      feeReference: listings.feeReference,
      payment: openPayment,
      paymentMethod: products.paymentMethod,
      listingType: products.listingType,
      durationSeconds: products.durationSeconds,
      slotId: slots.id,
      endTime: slots.endTime,
      pausedAt: slots.pausedAt,
      queueName: queueItems.queueName,
      listing: products.sellerWhatsapp,
      changeWaits: sql<boolean>`exists (select 1 from ${productEdits}
        where ${productEdits.productId} = ${products.id})`,
    })
    .from(products)
    .leftJoin(listings, isLatest)
    .leftJoin(slots, eq(slots.productId, products.id))
    .leftJoin(queueItems, eq(queueItems.productId, products.id))
    .where(eq(products.sellerId, sellerId))
    .orderBy(desc(products.createdAt), asc(products.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
}

function labelOf(row: {
  status: string;
  removedAt: Date | null;
  soldAt: Date | null;
  withdrawnAt: Date | null;
  endedAt: Date | null;
  slotId: number | null;
  queueName: string | null;
}): ProductLabel {
  if (row.removedAt) return 'removed';
  if (row.soldAt) return 'sold';
  if (row.withdrawnAt) return 'withdrawn';
  if (row.status === 'pending' || row.status === 'rejected') return row.status;
  if (row.slotId !== null) return 'live';
  if (row.queueName !== null) return 'queued';
  return row.endedAt ? 'ended' : 'approved';
}

/** Numbers of a change; of a moderator's only whether they differ (product R60). */
const numbersFor = ({ actor }: Ctx, before: string | null, after: string) =>
  actor.kind === 'moderator'
    ? { before: hiddenNumber.present, after: hiddenNumber[before === after ? 'present' : 'other'] }
    : { before, after };

/**
 * Page of pending products, newest first (product §2, §7), or oldest first. Moderators get neither
 * phone number nor fee (product R60).
 */
export async function pendingProducts(
  ctx: Ctx,
  { page = 1, pageSize = 20, oldestFirst = false } = {},
) {
  requireModerator(ctx);
  const hidden = ctx.actor.kind === 'moderator';
  const { products, listings, sellers } = schema;
  const pending = and(
    eq(products.status, 'pending'),
    isNull(products.removedAt),
    isNull(products.withdrawnAt),
  );
  const rows = await ctx.db
    .select({
      product: products,
      fee: listings.fee,
      feeReference: listings.feeReference,
      sellerName: sellers.name,
      sellerSuspended: sellers.suspended,
      verifiedBy: sellers.verifiedBy,
      verifiedWhatsapp: sellers.verifiedWhatsapp,
      profile: sellers.whatsapp,
    })
    .from(products)
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(listings, isLatest)
    .where(pending)
    .orderBy((oldestFirst ? asc : desc)(products.createdAt), asc(products.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  return {
    total: await totalOf(
      ctx,
      { table: products, where: pending },
      { shown: rows.length, page, pageSize },
    ),
    page,
    pageSize,
    products: rows.map(
      ({ product, sellerName, sellerSuspended, fee, feeReference, ...verification }) => ({
        id: product.id,
        name: product.name,
        description: product.description,
        images: product.images.map(presentImage),
        price: product.price,
        city: product.city,
        region: product.region,
        regionCode: product.regionCode,
        category: product.category,
        condition: product.condition,
        listingType: product.listingType,
        preferredFeaturedSlot: product.preferredFeaturedSlot,
        durationSeconds: product.durationSeconds,
        paymentMethod: hidden ? null : product.paymentMethod,
        listingFee: hidden ? null : fee,
        feeReference: hidden ? null : feeReference,
        businessName: product.businessName,
        sellerName: product.sellerName ?? sellerName,
        sellerWhatsapp: hidden ? null : product.sellerWhatsapp,
        sellerVerified: badgeOf({ ...verification, listing: product.sellerWhatsapp }) !== null,
        sellerSuspended: sellerSuspended ?? false,
        missing: missingFields(product),
        contactFields: contactFields({
          ...product,
          sellerName: product.sellerName ?? sellerName,
        }),
        can: adminCan({
          ...product,
          suspended: sellerSuspended ?? false,
          missing: missingFields(product),
        }),
        createdAt: product.createdAt.toISOString(),
        /** Sent back with the decision, so that nothing unseen is approved. */
        updatedAt: product.updatedAt.toISOString(),
      }),
    ),
  };
}

const longestList = 100;

/** Changes that wait for review, beside the version now shown (product R19). */
export async function pendingEdits(ctx: Ctx) {
  requireModerator(ctx);
  const { productEdits, products, sellers, slots, uploads } = schema;
  const rows = await ctx.db
    .select({ edit: productEdits, product: products, seller: sellers, slotId: slots.id })
    .from(productEdits)
    .innerJoin(products, eq(products.id, productEdits.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(slots, eq(slots.productId, products.id))
    .where(isNull(products.removedAt))
    .orderBy(desc(productEdits.submittedAt), asc(products.id))
    .limit(longestList);
  const ids = rows.flatMap(({ edit }) => edit.changes.images as string[]);
  const photos =
    ids.length > 0
      ? await ctx.db
          .select({ id: uploads.id, image: uploads.image })
          .from(uploads)
          .where(inArray(uploads.id, ids))
      : [];
  const photo = new Map(photos.map(({ id, image }) => [id, presentImage(image)]));
  return {
    edits: rows.map(({ edit, product, seller, slotId }) => {
      const { images, ...changes } = edit.changes as unknown as Edit;
      const {
        name,
        description,
        category,
        condition,
        price,
        sellerName,
        sellerWhatsapp,
        sellerLocation,
        businessName,
      } = product;
      const numbers = numbersFor(ctx, sellerWhatsapp, changes.sellerWhatsapp);
      return {
        id: product.id,
        slotId,
        seller: seller?.name ?? sellerName,
        sellerSuspended: seller?.suspended ?? false,
        can: { approve: !seller?.suspended },
        submittedAt: edit.submittedAt.toISOString(),
        contactFields: contactFields({ ...changes, businessName: changes.businessName ?? null }),
        before: {
          ...{
            name,
            description,
            category,
            condition,
            price,
            sellerName,
            sellerWhatsapp: numbers.before,
            sellerLocation,
            businessName,
          },
          images: product.images.map(presentImage),
        },
        after: {
          ...changes,
          sellerWhatsapp: numbers.after,
          condition: changes.condition ?? null,
          businessName: changes.businessName ?? null,
          images: images.flatMap((id) => photo.get(id) ?? []),
        },
      };
    }),
    // Corrected on a slot's form, which is an admin's.
    flagged: ctx.actor.kind === 'moderator' ? [] : await flaggedInStalls(ctx),
  };
}
