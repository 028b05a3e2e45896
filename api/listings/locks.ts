import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { queueNames } from '../../db/vocabularies.ts';
import { requireSeller } from '../core/access.ts';
import type { Tx } from '../core/context.ts';
import { type Meanwhile, meanwhile } from '../core/meanwhile.ts';
import { lockNamed } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { premiumCount, slotNumber } from '../shared/slots.ts';
import { type Listing, latestListing } from './reads.ts';
import { isListed, type Lane, laneOf } from './rules.ts';

/*
 * Lock order, against deadlocks: lane (featured, then regular), product (by id), seller, slot (by
 * number), queue item. One listing's move takes its lane, several take both.
 */

export type Product = typeof schema.products.$inferSelect;
export type Slot = typeof schema.slots.$inferSelect;
export type QueueItem = typeof schema.queueItems.$inferSelect;
/** `listing` is the latest; `listed` means approved and not ended. */
export type Locked = {
  product: Product;
  listing: Listing | undefined;
  listed: boolean;
  suspended: boolean;
  leaving: boolean;
};
export type Occupied = Locked & { slot: Slot & { endTime: Date } };

/** Locks a lane until the transaction ends; every change of its order needs this (product R15). */
export const lockLane = (tx: Tx, lane: Lane): Promise<void> => lockNamed(tx, `lane:${lane}`);

/** Locks both lanes until the transaction ends, which keeps out process-queue and every move. */
export async function lockLanes(tx: Tx): Promise<void> {
  for (const lane of queueNames) await lockLane(tx, lane);
}

/**
 * Locks a lane and its product, then the seller in share mode: no suspension before the commit.
 * Refuses `missing`; queue verbs, for admins only, refuse a removed product with `queue.removed`.
 */
export async function lockProduct(
  tx: Tx,
  productId: string,
  {
    removed = false,
    missing = 'products.notFound',
  }: { removed?: boolean; missing?: 'products.notFound' | 'queue.notFound' } = {},
): Promise<Locked> {
  const { products, sellers } = schema;
  const [known] = await tx.db
    .select({ listingType: products.listingType })
    .from(products)
    .where(eq(products.id, productId));
  if (!known) throw new Refusal(missing);
  await lockLane(tx, laneOf(known.listingType));
  const [product] = await tx.db
    .select()
    .from(products)
    .where(eq(products.id, productId))
    .for('update');
  if (!product) throw new Refusal(missing);
  if (product.removedAt && !removed)
    throw new Refusal(missing === 'queue.notFound' ? 'queue.removed' : missing);
  const listing = await latestListing(tx, productId);
  const locked = { product, listing, listed: isListed(product, listing) };
  if (!product.sellerId) return { ...locked, suspended: false, leaving: false };
  const [seller] = await tx.db
    .select({ suspended: sellers.suspended, leavingAt: sellers.leavingAt })
    .from(sellers)
    .where(eq(sellers.id, product.sellerId))
    .for('share');
  return { ...locked, suspended: seller?.suspended ?? false, leaving: Boolean(seller?.leavingAt) };
}

/** Refuses `sellers.isSuspended` and `sellers.isLeaving` (product R20, R52). */
export function requireOpenSeller({
  suspended,
  leaving,
}: Pick<Locked, 'suspended' | 'leaving'>): void {
  if (suspended) throw new Refusal('sellers.isSuspended');
  if (leaving) throw new Refusal('sellers.isLeaving');
}

/**
 * Locks the acting seller's product. Another seller's, removed or unknown: all refuse with
 * `products.notFound`, so that nothing leaks (product R19). `account.leaving` during a deletion.
 */
export async function lockOwn(tx: Tx, productId: string): Promise<Locked> {
  const seller = requireSeller(tx);
  const locked = await lockProduct(tx, productId);
  if (locked.product.sellerId !== seller.id) throw new Refusal('products.notFound');
  if (locked.leaving) throw new Refusal('account.leaving');
  return locked;
}

/**
 * Locks a slot and its product. Refuses `slots.notFound`, `slots.empty`, and `slots.changed` if it
 * holds another product.
 */
export async function lockOccupied(tx: Tx, slotId: number, productId: string): Promise<Occupied> {
  const locked = await lockProduct(tx, productId).catch((error: unknown) => {
    // The slot gives the better error, below.
    if (error instanceof Refusal && error.code === 'products.notFound') return undefined;
    throw error;
  });
  const slot = await lockSlot(tx, slotId);
  const { endTime } = slot;
  if (!slot.active || !endTime)
    throw new Refusal('slots.empty', meanwhile(tx, locked ? whatBecame(locked) : 'slotEmpty'));
  if (!locked || slot.productId !== productId) throw new Refusal('slots.changed');
  return { slot: { ...slot, endTime }, ...locked };
}

const becameBy: Record<NonNullable<Listing['endReason']>, Meanwhile> = {
  time: 'timeUp',
  stopped: 'stopped',
  withdrawn: 'withdrawn',
  sold: 'sold',
  removed: 'removed',
  reported: 'removed',
  sellerDeleted: 'sellerDeleted',
  left: 'withdrawn',
};

function whatBecame({ product, listing, listed }: Locked): Meanwhile {
  if (listing?.endReason) return becameBy[listing.endReason];
  if (product.withdrawnAt) return 'withdrawn';
  return listed
    ? listing?.startedAt && listing.slotId === null
      ? 'requeued'
      : 'slotEmpty'
    : 'notListed';
}

/** Locks an empty slot. Refuses `slots.notFound`, `slots.taken`. */
export async function lockInactive(tx: Tx, slotId: number): Promise<number> {
  const slot = await lockSlot(tx, slotId);
  if (slot.active) throw new Refusal('slots.taken');
  return slotId;
}

async function lockSlot(tx: Tx, slotId: number): Promise<Slot> {
  const [slot] = await tx.db
    .select()
    .from(schema.slots)
    .where(eq(schema.slots.id, slotId))
    .for('update');
  if (!slot) throw new Refusal('slots.notFound');
  return slot;
}

/** Condition on `slots`: featured is 1-10, regular the rest (product R5). */
export const inLane = (lane: Lane) =>
  lane === 'queue:featured'
    ? lte(schema.slots.id, premiumCount)
    : gte(schema.slots.id, premiumCount + 1);

/**
 * Locks a lane's first inactive slot by id (product §7, product R5). Refuses `queue.laneFull` if
 * only the other lane has one, else `queue.noneAvailable`.
 */
export async function lockFirstInactive(tx: Tx, lane: Lane): Promise<number> {
  const { slots } = schema;
  for (;;) {
    const inactive = and(inLane(lane), eq(slots.active, false));
    const [slot] = await tx.db
      .select({ id: slots.id })
      .from(slots)
      .where(inactive)
      .orderBy(asc(slots.id))
      .limit(1)
      .for('update');
    if (slot) return slot.id;
    // The slot may have been taken during the wait for its lock: try the next.
    const [left] = await tx.db
      .select({
        any: sql<boolean>`count(*) > 0`,
        inLane: sql<boolean>`coalesce(bool_or(${inLane(lane)}), false)`,
      })
      .from(slots)
      .where(eq(slots.active, false));
    if (!left?.inLane) throw new Refusal(left?.any ? 'queue.laneFull' : 'queue.noneAvailable');
  }
}

export async function lockItem(tx: Tx, productId: string): Promise<QueueItem | undefined> {
  const { queueItems } = schema;
  const [item] = await tx.db
    .select()
    .from(queueItems)
    .where(eq(queueItems.productId, productId))
    .for('update');
  return item;
}

/** Refuses `queue.alreadyAssigned` if it is in a slot, `queue.notWaiting` if it is not listed. */
export async function expectWaiting(tx: Tx, locked: Locked): Promise<void> {
  const { product, listed } = locked;
  await expectNotInSlot(tx, product.id);
  if (!listed) throw new Refusal('queue.notWaiting', meanwhile(tx, whatBecame(locked)));
}

export async function expectNotInSlot(tx: Tx, productId: string): Promise<void> {
  const [slot] = await tx.db
    .select({ id: schema.slots.id })
    .from(schema.slots)
    .where(eq(schema.slots.productId, productId));
  if (slot) throw new Refusal('queue.alreadyAssigned', { slot: slotNumber(slot.id) });
}
