import { and, asc, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Bilingual, Language } from '../../locales/languages.ts';
import { isTeam } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Tx, userIdOf } from '../core/context.ts';
import { currentVersion } from '../legal/version.ts';
import { notifySellersOf } from '../people/notify.ts';
import { nameIn } from '../shared/format.ts';
import { slotNumber } from '../shared/slots.ts';
import { money } from '../shared/text.ts';
import { enqueue } from './enqueue.ts';
import { isOverdue } from './live.ts';
import type { Slot } from './locks.ts';
import { leaveLanes } from './log.ts';
import { openListing } from './open.ts';

export type EndReason = (typeof schema.endReasons)[number];

/** Other ends are the seller's own, or their verb sends a fuller notification. */
const notifications: Partial<Record<EndReason, 'listingEnded' | 'listingStopped'>> = {
  time: 'listingEnded',
  stopped: 'listingStopped',
};
const acts: readonly EndReason[] = ['stopped', 'reported'];

const byAdmin: readonly EndReason[] = [...acts, 'removed', 'sellerDeleted'];
/** True if an admin ended it: the product needs a review before its next listing (product R2). */
export const endedByAdmin = (reason: EndReason | null | undefined): boolean =>
  byAdmin.some((one) => one === reason);

/** `silent`: the caller notifies the seller. The rest is audited. */
type Details = { silent?: boolean } & Record<string, unknown>;
export type Ended = { slots: Slot[]; queued: number };

/**
 * Ends the open listings of products wherever they are (product R2) and notifies their sellers. The
 * caller has locked the products.
 */
export async function endListings(
  tx: Tx,
  productIds: readonly string[],
  reason: EndReason,
  { silent = false, ...details }: Details = {},
): Promise<Ended> {
  const { slots } = schema;
  if (productIds.length === 0) return { slots: [], queued: 0 };
  const held = await tx.db
    .select()
    .from(slots)
    .where(inArray(slots.productId, [...productIds]))
    .orderBy(asc(slots.id))
    .for('update');
  await emptySlots(
    tx,
    held.map(({ id }) => id),
  );
  const queued = await leaveLanes(tx, productIds, reason);
  await stampEnd(tx, productIds, reason);
  if (acts.includes(reason)) for (const slot of held) await auditRemoval(tx, slot, details);
  const kind = notifications[reason];
  if (kind && !silent) {
    const slotOf = (productId: string) =>
      slotNumber(held.find((slot) => slot.productId === productId)?.id ?? 0);
    await notifySellersOf(
      tx,
      productIds,
      kind,
      ({ id, name }, language) => ({ product: nameIn(name, language), slot: slotOf(id) }),
      'seller/dashboard',
    );
  }
  return { slots: held, queued };
}

/** Waits for an admin's decision on a long outage (decision 055). */
const isUndecided = sql`exists (select 1 from outages o where o.decision = 'waiting'
  and o.shares @> jsonb_build_array(jsonb_build_object('productId', ${schema.slots.productId}::text)))`;

/**
 * Ends overdue listings and returns their number. Lists again those whose seller asked for it and
 * has agreed to the present terms, unless `which` is set: then a seller is being suspended.
 */
export async function endOverdue(tx: Tx, which?: SQL): Promise<number> {
  const { slots, products, listings, sellers, user } = schema;
  const version = await currentVersion(tx);
  const due = await tx.db
    .select({
      product: products,
      slotId: slots.id,
      asked: listings.againAsked,
      agreedTo: user.agreedTo,
    })
    .from(slots)
    .innerJoin(products, eq(products.id, slots.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .leftJoin(user, eq(user.id, sellers.userId))
    .leftJoin(listings, and(eq(listings.productId, products.id), isNull(listings.endedAt)))
    .where(and(isOverdue(tx.now()), not(isUndecided), which))
    .orderBy(asc(products.id))
    .for('update', { of: products });
  const again = due.filter(
    ({ asked, agreedTo, product }) =>
      asked && agreedTo === version.id && !which && product.images.length > 0,
  );
  const others = due.filter((one) => !again.includes(one));
  const idsOf = (some: typeof due) => some.map(({ product }) => product.id);
  const ended = await endListings(tx, idsOf(others), 'time');
  const renewed = await endListings(tx, idsOf(again), 'time', { silent: true });
  for (const { product, slotId } of again) await listAgain(tx, product, slotId);
  return ended.slots.length + renewed.slots.length;
}

async function listAgain(
  tx: Tx,
  product: typeof schema.products.$inferSelect,
  slotId: number,
): Promise<void> {
  await tx.db
    .update(schema.products)
    .set({ approvedAt: tx.now() })
    .where(eq(schema.products.id, product.id));
  const { fee } = await openListing(tx, product);
  await enqueue(tx, product.id, 'relisted');
  const told = ({ name }: { name: Bilingual | null }, language: Language) => ({
    product: nameIn(name, language),
    slot: slotNumber(slotId),
    ...(fee === null ? {} : { fee: money(fee, language) }),
  });
  await notifySellersOf(tx, [product.id], 'listingAgain', told, 'seller/dashboard');
}

async function stampEnd(
  tx: Tx,
  productIds: readonly string[],
  endReason: EndReason,
): Promise<void> {
  const { products, listings } = schema;
  const endedAt = tx.now();
  const endedBy = isTeam(tx.actor.kind) && byAdmin.includes(endReason) ? userIdOf(tx.actor) : null;
  await tx.db
    .update(listings)
    .set({ endedAt, endReason, endedBy })
    .where(and(inArray(listings.productId, [...productIds]), isNull(listings.endedAt)));
  await tx.db
    .update(products)
    .set({ updatedAt: endedAt })
    .where(inArray(products.id, [...productIds]));
}

export async function auditRemoval(
  tx: Tx,
  slot: Slot,
  { requeued = false, ...details }: { requeued?: boolean } & Record<string, unknown> = {},
): Promise<void> {
  await audit(tx, {
    action: 'slot.remove',
    subjectKind: 'slot',
    subjectId: String(slot.id),
    before: {
      productId: slot.productId,
      startTime: slot.startTime?.toISOString(),
      ...(slot.pausedAt
        ? { pausedAt: slot.pausedAt.toISOString(), pausedBy: slot.pausedBy }
        : { endTime: slot.endTime?.toISOString() }),
      ...details,
    },
    after: { productId: null, requeued },
  });
}

/**
 * Empties slots and resets their figures (product R9); the caller records where the products go.
 */
export async function emptySlots(tx: Tx, slotIds: readonly number[]): Promise<void> {
  if (slotIds.length === 0) return;
  const { slots } = schema;
  await tx.db
    .update(slots)
    .set({
      active: false,
      productId: null,
      startTime: null,
      endTime: null,
      pausedAt: null,
      pausedBy: null,
      remainingDuration: null,
      updatedAt: tx.now(),
    })
    .where(inArray(slots.id, [...slotIds]));
  await resetEngagement(tx, slotIds);
}

/** Sets figures to zero (product R9). */
export async function resetEngagement(tx: Tx, slotIds: readonly number[]): Promise<void> {
  await tx.db
    .update(schema.slotEngagement)
    .set({ views: 0, clicks: 0, messageTaps: 0, shares: 0 })
    .where(inArray(schema.slotEngagement.slotId, [...slotIds]));
}
