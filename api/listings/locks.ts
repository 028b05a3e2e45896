import { and, asc, eq, gte, lte, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { type Meanwhile, meanwhile } from '../core/meanwhile.ts';
import { premiumCount, slotNumber } from '../core/slots.ts';
import { lockNamed } from '../core/transaction.ts';
import { type Listing, latestListing } from './reads.ts';
import { isListed, type Lane, laneOf } from './rules.ts';

/*
 * The order in which every transaction takes its locks, so that no two wait for each other:
 * lane (featured, then regular) · product (by id) · seller · slot (by number) · place in line.
 * Whoever moves one listing holds its lane; whoever moves many holds both.
 */

export type Product = typeof schema.products.$inferSelect;
export type Slot = typeof schema.slots.$inferSelect;
export type QueueItem = typeof schema.queueItems.$inferSelect;
/** A locked product with its latest listing, whether that is in the market, and whether its seller is suspended, or leaves. */
export type Locked = {
  product: Product;
  listing: Listing | undefined;
  listed: boolean;
  suspended: boolean;
  leaving: boolean;
};
export type Occupied = Locked & { slot: Slot & { endTime: Date } };

/** Takes the lock of a lane until the transaction ends: every change of a lane's order goes through it, one after the other (product R15). */
export const lockLane = (tx: Ctx, lane: Lane): Promise<void> => lockNamed(tx, `lane:${lane}`);

/** Both lanes: waits for a run of process-queue and for every move of a listing, and keeps the next ones out until the transaction ends. */
export async function lockLanes(tx: Ctx): Promise<void> {
  for (const lane of schema.queueNames) await lockLane(tx, lane);
}

/**
 * Locks a product and the lane it belongs to; then its seller in share mode, so that a suspension cannot slip in before the commit.
 * Refuses `missing` when it is not there or removed, unless removed ones are asked for; in the queue's rooms, which only admins enter, one
 * that was removed is said to be that (`queue.removed`).
 */
export async function lockProduct(
  tx: Ctx,
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

/** Refuses `sellers.isSuspended` and `sellers.isLeaving` (product R20, R52): nothing of such a seller goes into the market. */
export function requireOpenSeller({
  suspended,
  leaving,
}: Pick<Locked, 'suspended' | 'leaving'>): void {
  if (suspended) throw new Refusal('sellers.isSuspended');
  if (leaving) throw new Refusal('sellers.isLeaving');
}

/**
 * Locks a product of the acting seller. Another seller's, a removed one, and one that never was all answer `products.notFound`
 * (product R19): nobody learns what others have. Refuses `account.leaving` to whoever has asked for their account to be deleted.
 */
export async function lockOwn(tx: Ctx, productId: string): Promise<Locked> {
  const seller = requireSeller(tx);
  const locked = await lockProduct(tx, productId);
  if (locked.product.sellerId !== seller.id) throw new Refusal('products.notFound');
  if (locked.leaving) throw new Refusal('account.leaving');
  return locked;
}

/**
 * Locks a slot with the product that the admin saw in it. Refuses `slots.notFound`, `slots.empty`, `slots.changed` when another
 * product is in it now.
 */
export async function lockOccupied(tx: Ctx, slotId: number, productId: string): Promise<Occupied> {
  const locked = await lockProduct(tx, productId).catch((error: unknown) => {
    // No such product: the slot itself says why, below.
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

/** Where a product went that is not where an admin saw it. */
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
export async function lockInactive(tx: Ctx, slotId: number): Promise<number> {
  const slot = await lockSlot(tx, slotId);
  if (slot.active) throw new Refusal('slots.taken');
  return slotId;
}

async function lockSlot(tx: Ctx, slotId: number): Promise<Slot> {
  const [slot] = await tx.db
    .select()
    .from(schema.slots)
    .where(eq(schema.slots.id, slotId))
    .for('update');
  if (!slot) throw new Refusal('slots.notFound');
  return slot;
}

/** Whether a slot belongs to a lane: 1-10 to the featured one, the others to the regular one (product R5). */
export const inLane = (lane: Lane) =>
  lane === 'queue:featured'
    ? lte(schema.slots.id, premiumCount)
    : gte(schema.slots.id, premiumCount + 1);

/**
 * Locks the first inactive slot by id of a lane (product §7 “Select the first inactive slot by id”, product R5). Refuses
 * `queue.laneFull` when only slots of the other lane are empty, `queue.noneAvailable` when none is.
 */
export async function lockFirstInactive(tx: Ctx, lane: Lane): Promise<number> {
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
    // A chosen slot that somebody took while this waited for it is passed over; only a lane without any is full.
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

/** The item of a product in its queue, locked; nothing when it is in none. */
export async function lockItem(tx: Ctx, productId: string): Promise<QueueItem | undefined> {
  const { queueItems } = schema;
  const [item] = await tx.db
    .select()
    .from(queueItems)
    .where(eq(queueItems.productId, productId))
    .for('update');
  return item;
}

/** Refuses `queue.alreadyAssigned` when a locked product is in a slot, `queue.notWaiting` when it waits for none. */
export async function expectWaiting(tx: Ctx, locked: Locked): Promise<void> {
  const { product, listed } = locked;
  await expectNotInSlot(tx, product.id);
  if (!listed) throw new Refusal('queue.notWaiting', meanwhile(tx, whatBecame(locked)));
}

/** Refuses `queue.alreadyAssigned` when a locked product is in a slot. */
export async function expectNotInSlot(tx: Ctx, productId: string): Promise<void> {
  const [slot] = await tx.db
    .select({ id: schema.slots.id })
    .from(schema.slots)
    .where(eq(schema.slots.productId, productId));
  if (slot) throw new Refusal('queue.alreadyAssigned', { slot: slotNumber(slot.id) });
}
