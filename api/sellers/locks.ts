import { asc, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Tx } from '../core/context.ts';
import { lockLanes } from '../listings/locks.ts';
import { Refusal } from '../shared/errors.ts';

export type SellerRow = typeof schema.sellers.$inferSelect;

/** Locks a seller, so that approvals and submissions wait. Refuses `sellers.notFound`. */
export async function lockSeller(tx: Tx, sellerId: string): Promise<SellerRow> {
  const [seller] = await tx.db
    .select()
    .from(schema.sellers)
    .where(eq(schema.sellers.id, sellerId))
    .for('update');
  if (!seller) throw new Refusal('sellers.notFound');
  return seller;
}

/**
 * Locks lanes, products and the seller: nothing is listed, approved or submitted meanwhile. Refuses
 * `sellers.notFound`.
 */
export async function lockWithProducts(tx: Tx, sellerId: string) {
  await lockLanes(tx);
  const { products } = schema;
  const lockProducts = () =>
    tx.db
      .select({ id: products.id, images: products.images, status: products.status })
      .from(products)
      .where(eq(products.sellerId, sellerId))
      .orderBy(asc(products.id))
      .for('update');
  // Products before the seller, as an approval locks them, to avoid a deadlock; then those added
  // meanwhile.
  await lockProducts();
  const seller = await lockSeller(tx, sellerId);
  return { seller, owned: await lockProducts() };
}
