import { eq, type SQL, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { isOpen, wasShown } from './reads.ts';
import { isApproved, slotState } from './rules.ts';

/** Public state of a product (product R1-R3, R7, R10). */
export type Standing = 'live' | 'expired' | 'paused' | 'waiting' | 'sold' | 'withdrawn' | 'ended';

const columns = {
  id: schema.products.id,
  slug: schema.products.slug,
  name: schema.products.name,
  description: schema.products.description,
  images: schema.products.images,
  imagesDeletedAt: schema.products.imagesDeletedAt,
  price: schema.products.price,
  category: schema.products.category,
  city: schema.products.city,
  region: schema.products.region,
  regionCode: schema.products.regionCode,
  status: schema.products.status,
  soldAt: schema.products.soldAt,
  withdrawnAt: schema.products.withdrawnAt,
  removedAt: schema.products.removedAt,
  open: isOpen,
  shown: wasShown,
  startTime: schema.slots.startTime,
  updatedAt: schema.products.updatedAt,
  hidden: sql<
    boolean | null
  >`${schema.sellers.suspended} or ${schema.sellers.leavingAt} is not null`,
  slotId: schema.slots.id,
  active: schema.slots.active,
  endTime: schema.slots.endTime,
  pausedAt: schema.slots.pausedAt,
};

/** Products for public pages; holds neither phone number nor seller's name. */
export const publicRows = (ctx: Pick<Ctx, 'db'>, where: SQL | undefined) =>
  ctx.db
    .select(columns)
    .from(schema.products)
    .leftJoin(schema.slots, eq(schema.slots.productId, schema.products.id))
    .leftJoin(schema.sellers, eq(schema.sellers.id, schema.products.sellerId))
    .where(where);
export type PublicRow = Awaited<ReturnType<typeof publicRows>>[number];

/** Public state of a product; undefined if the public must not find it (product R10, R20). */
export function standingOf(row: PublicRow, now: Date): Standing | undefined {
  if (row.removedAt || row.hidden || !isApproved(row.status)) return undefined;
  if (row.slotId !== null) {
    const state = slotState(
      { active: row.active === true, endTime: row.endTime, pausedAt: row.pausedAt },
      now,
    );
    return state === 'empty' ? undefined : state;
  }
  if (!row.shown) return undefined;
  if (row.open) return 'waiting';
  if (row.soldAt) return 'sold';
  return row.withdrawnAt ? 'withdrawn' : 'ended';
}
