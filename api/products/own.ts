import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';

export type OwnProduct = typeof schema.products.$inferSelect;

/**
 * Locks a product of the acting seller for the rest of the transaction. Another seller's, a removed one, and one that never was all
 * answer `products.notFound` (product R19): nobody learns what others have.
 */
export async function lockOwn(tx: Ctx, productId: string): Promise<OwnProduct> {
  const seller = requireSeller(tx);
  const [product] = await tx.db.select().from(schema.products).where(eq(schema.products.id, productId)).for('update');
  if (!product || product.sellerId !== seller.id || product.removedAt) throw new Refusal('products.notFound');
  return product;
}

/** Whether a product has been through review and its listing has not ended. */
export const isListed = (product: OwnProduct): boolean => (product.status === 'approved' || product.status === 'active') && product.listingEndedAt === null;

/**
 * Lets go of photos that neither a product nor its waiting change shows any more: nobody can use them again, and the hourly cleaning
 * takes their files a day later, when no stored page names them. Part of a transaction that changed the photos.
 */
export async function releasePhotos(tx: Ctx, productId: string): Promise<void> {
  const { uploads, products, productEdits } = schema;
  await tx.db
    .update(uploads)
    .set({ productId: null, ownerId: null, createdAt: tx.now() })
    .where(
      and(
        eq(uploads.productId, productId),
        // Named columns: a bare `image` would be the one of the photo's own row.
        sql`not exists (select 1 from ${products}, jsonb_array_elements(${products.images}) as shown(photo)
          where ${products.id} = ${productId} and shown.photo ->> 'key' = ${uploads.key})`,
        sql`not exists (select 1 from ${productEdits}, jsonb_array_elements_text(${productEdits.changes} -> 'images') as wanted(id)
          where ${productEdits.productId} = ${productId} and wanted.id = ${uploads.id}::text)`,
      ),
    );
}
