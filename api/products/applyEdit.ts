import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Tx, userIdOf } from '../core/context.ts';
import type { Product } from '../listings/locks.ts';
import { Refusal } from '../shared/errors.ts';
import { bilingual } from './bilingual.ts';
import { placeOf } from './place.ts';
import type { Edit } from './schema.ts';

export async function photosOf(tx: Tx, product: Product, ids: string[]) {
  const { uploads } = schema;
  const owner = userIdOf(tx.actor);
  const mine = and(isNull(uploads.productId), eq(uploads.ownerId, owner ?? ''));
  const rows = await tx.db
    .select()
    .from(uploads)
    .where(and(inArray(uploads.id, ids), or(eq(uploads.productId, product.id), mine)))
    .for('update');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = ids.map((id) => {
    const row = byId.get(id);
    if (!row) throw new Refusal('uploads.notFound');
    return row;
  });
  // They belong to the product now, so that the upload cleanup spares them.
  await tx.db.update(uploads).set({ productId: product.id }).where(inArray(uploads.id, ids));
  return found.map((row) => row.image);
}

/** Writes a change; without `images` the photos stay. The caller has locked the product. */
export async function apply(
  tx: Tx,
  product: Product,
  changes: Omit<Edit, 'images'> & { images?: string[] | undefined },
): Promise<void> {
  await tx.db
    .update(schema.products)
    .set({
      name: bilingual(changes.name, changes.writtenIn),
      description: bilingual(changes.description, changes.writtenIn),
      price: changes.price,
      category: changes.category,
      condition: changes.condition ?? null,
      ...(changes.images
        ? { images: await imagesOf(tx, product, changes.images), imagesDeletedAt: null }
        : {}),
      ...placeOf(changes.sellerLocation),
      businessName: changes.businessName ?? null,
      sellerName: changes.sellerName,
      sellerWhatsapp: changes.sellerWhatsapp,
      updatedAt: tx.now(),
    })
    .where(eq(schema.products.id, product.id));
}

async function imagesOf(tx: Tx, product: Product, ids: string[]) {
  const { uploads } = schema;
  const rows = await tx.db.select().from(uploads).where(inArray(uploads.id, ids));
  const known = rows.every((row) => row.productId === product.id) && rows.length === ids.length;
  return known
    ? ids.flatMap((id) => rows.find((row) => row.id === id)?.image ?? [])
    : photosOf(tx, product, ids);
}
