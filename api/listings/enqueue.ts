import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';
import { inLanguage } from '../shared/text.ts';
import { lockLane } from './locks.ts';
import { type Change, type Reason, record, step } from './log.ts';
import { type Lane, laneOf } from './rules.ts';

export type Enqueued = { productId: string; queueName: Lane };

/** Place to restore; without one, the end of the product's band. */
export type Seat = {
  priority?: 0 | 1;
  band?: 0 | 1;
  position?: number;
  queuedAt?: Date;
  remainingSeconds?: number | null;
};

/** Reasons of admins; the wait shown to them leaves such products out. */
const _again: ReadonlySet<Reason> = new Set(['requeued', 'restored', 'synced']);

/**
 * Puts a product into its lane, those with a preferred slot (priority 1) first (product §3 Queue
 * item, product R13), within the approving transaction (product R14). Refuses `queue.pushFailed` if
 * it does not exist.
 */
export async function enqueue(
  tx: Tx,
  productId: string,
  reason: Reason,
  seat: Seat = {},
): Promise<Enqueued> {
  const { products, queueItems, sellers } = schema;
  const [product] = await tx.db
    .select({
      name: products.name,
      sellerName: products.sellerName,
      listingType: products.listingType,
      preferred: products.preferredFeaturedSlot,
      suspended: sellers.suspended,
    })
    .from(products)
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .where(eq(products.id, productId));
  if (!product) throw new Refusal('queue.pushFailed');
  const queueName = laneOf(product.listingType);
  await lockLane(tx, queueName);
  const {
    priority = product.preferred === null ? 0 : 1,
    band = priority === 1 ? 0 : 1,
    queuedAt = tx.now(),
    remainingSeconds = null,
  } = seat;
  const to = { band, position: seat.position ?? (await endOf(tx, queueName, band)) };
  const enter: Change = { act: 'enter', reason, productId, to };
  await record(
    tx,
    queueName,
    product.suspended
      ? [enter, { act: 'hold', reason: 'suspended', productId, from: to }]
      : [enter],
  );
  const name = inLanguage(product.name, 'en');
  await tx.db
    .update(queueItems)
    .set({
      priority,
      queuedAt,
      remainingSeconds,
      itemData: {
        productId,
        queuedAt: queuedAt.toISOString(),
        priority,
        ...(name ? { productName: name } : {}),
        ...(product.sellerName ? { sellerName: product.sellerName } : {}),
        listingType: product.listingType,
      },
    })
    .where(eq(queueItems.productId, productId));
  return { productId, queueName };
}

async function endOf({ db }: Ctx, queueName: Lane, band: 0 | 1): Promise<number> {
  const { queueItems: q } = schema;
  const [last] = await db
    .select({ position: sql<number | null>`max(${q.position})::float8` })
    .from(q)
    .where(and(eq(q.queueName, queueName), eq(q.band, band)));
  return Number(last?.position ?? 0) + step;
}
