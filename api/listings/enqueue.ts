import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { inLanguage } from '../core/text.ts';
import { lockLane } from './locks.ts';
import { type Lane, laneOf } from './rules.ts';

export type Enqueued = { productId: string; queueName: Lane };

/** Positions lie this far apart, so that most moves touch one row. */
export const step = 1024;

/**
 * Puts an approved product at its place in its lane: a product that names a preferred slot (priority 1) ahead of priority 0 and
 * behind earlier priority 1 (product §3 Queue item, product R13). Runs inside the approving transaction (product R14).
 * `remainingSeconds` is what a listing that comes back from a slot had left. Refuses `queue.pushFailed` when the product is not there.
 */
export async function enqueue(ctx: Ctx, productId: string, { remainingSeconds = null }: { remainingSeconds?: number | null } = {}): Promise<Enqueued> {
  const { products, queueItems } = schema;
  const [product] = await ctx.db
    .select({ name: products.name, sellerName: products.sellerName, listingType: products.listingType, preferred: products.preferredFeaturedSlot })
    .from(products)
    .where(eq(products.id, productId));
  if (!product) throw new Refusal('queue.pushFailed');
  const queueName = laneOf(product.listingType);
  await lockLane(ctx, queueName);
  const priority = product.preferred === null ? 0 : 1;
  const band = priority === 1 ? 0 : 1;
  const [last] = await ctx.db
    .select({ position: sql<number | null>`max(${queueItems.position})::float8` })
    .from(queueItems)
    .where(and(eq(queueItems.queueName, queueName), eq(queueItems.band, band)));
  const queuedAt = ctx.now();
  const name = inLanguage(product.name, 'en');
  await ctx.db.insert(queueItems).values({
    productId,
    queueName,
    priority,
    band,
    position: Number(last?.position ?? 0) + step,
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
  });
  return { productId, queueName };
}
