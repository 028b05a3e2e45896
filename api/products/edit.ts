import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { nameIn } from '../core/format.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockOwn, lockProduct, type Product } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { isApproved } from '../listings/rules.ts';
import { notifySellersOf } from '../people/notify.ts';
import { countChange } from '../sellers/changes.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { splitLocation } from './rules.ts';
import type { Edit } from './schema.ts';

export type Edited = { id: string; outcome: 'resubmitted' | 'waiting' };

/**
 * Changes a seller's own product (product R19). One that is listed keeps its old version up, and the change waits for review beside
 * it; any other is changed at once and (again) waits for review: a rejected one is so corrected, an ended one so listed anew with
 * its fee due again. Refuses `products.notFound`, `uploads.notFound` for a photo that is neither the product's nor waiting.
 */
export async function edit(ctx: Ctx, productId: string, changes: Edit): Promise<Edited> {
  await countChange(ctx);
  return inTransaction(ctx, async (tx) => {
    const { product, listed } = await lockOwn(tx, productId);
    const now = tx.now();
    if (listed) {
      await photosOf(tx, product, changes.images);
      const row = { changes: changes as unknown as Record<string, unknown>, submittedAt: now };
      await tx.db
        .insert(schema.productEdits)
        .values({ productId, ...row })
        .onConflictDoUpdate({ target: schema.productEdits.productId, set: row });
      await releaseUnshown(tx, productId);
      return { id: productId, outcome: 'waiting' };
    }
    await apply(tx, product, changes);
    // A change that waited since before the listing ended must not come back over this one.
    await tx.db.delete(schema.productEdits).where(eq(schema.productEdits.productId, productId));
    await releaseUnshown(tx, productId);
    await tx.db
      .update(schema.products)
      .set({
        status: 'pending',
        approvedAt: null,
        rejectedAt: null,
        rejectedReason: null,
        soldAt: null,
        withdrawnAt: null,
        updatedAt: now,
      })
      .where(eq(schema.products.id, productId));
    // One that never got as far still owes what it owed.
    if (isApproved(product.status)) await openListing(tx, product);
    return { id: productId, outcome: 'resubmitted' };
  });
}

/**
 * Puts a reviewed change on a product, or drops it (product R19), and tells the seller. Refuses `products.changeGone` when no change
 * waits (any more), `products.changed` when the seller has sent another one since `seen`, `sellers.isSuspended` (product R20).
 * @param seen when the change that the admin looked at was sent
 */
export async function decideEdit(
  ctx: Ctx,
  productId: string,
  decision: 'approve' | 'reject',
  { reason, seen }: { reason?: string | undefined; seen?: string | undefined } = {},
): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { productEdits } = schema;
    const { product, suspended } = await lockProduct(tx, productId);
    const [waiting] = await tx.db
      .delete(productEdits)
      .where(eq(productEdits.productId, productId))
      .returning();
    if (!waiting) throw new Refusal('products.changeGone');
    if (seen !== undefined && waiting.submittedAt.toISOString() !== new Date(seen).toISOString())
      throw new Refusal('products.changed');
    const changes = waiting.changes as unknown as Edit;
    if (decision === 'approve') {
      if (suspended) throw new Refusal('sellers.isSuspended');
      await apply(tx, product, changes);
    }
    await releaseUnshown(tx, productId);
    await audit(tx, {
      action: `product.edit.${decision}`,
      subjectKind: 'product',
      subjectId: productId,
      before: { name: product.name, price: product.price },
      after: { name: changes.name, price: changes.price, ...(reason ? { reason } : {}) },
    });
    const kind = decision === 'approve' ? 'changeApproved' : 'changeRejected';
    const why = decision === 'reject' && reason ? { reason } : {};
    await notifySellersOf(
      tx,
      [productId],
      kind,
      ({ name }, language) => ({ product: nameIn(name, language), ...why }),
      'seller/dashboard',
    );
    return { id: productId };
  });
}

/** The photos that a change names, by upload id: the product's own ones, or new ones of the same seller. */
async function photosOf(tx: Ctx, product: Product, ids: string[]) {
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
  // From now on they are the product's: the cleaning of abandoned photos must not take them while the change waits.
  await tx.db.update(uploads).set({ productId: product.id }).where(inArray(uploads.id, ids));
  return found.map((row) => row.image);
}

/** Writes a change on a product. Without `images` its photos stay. Part of a transaction that has locked the product. */
export async function apply(
  tx: Ctx,
  product: Product,
  changes: Omit<Edit, 'images'> & { images?: string[] | undefined },
): Promise<void> {
  await tx.db
    .update(schema.products)
    .set({
      name: { en: changes.name.en, ...(changes.name.fr ? { fr: changes.name.fr } : {}) },
      description: {
        en: changes.description.en,
        ...(changes.description.fr ? { fr: changes.description.fr } : {}),
      },
      price: changes.price,
      category: changes.category,
      ...(changes.images
        ? { images: await imagesOf(tx, product, changes.images), imagesDeletedAt: null }
        : {}),
      ...splitLocation(changes.sellerLocation),
      sellerLocation: changes.sellerLocation,
      businessName: changes.businessName ?? null,
      sellerName: changes.sellerName,
      sellerWhatsapp: changes.sellerWhatsapp,
      updatedAt: tx.now(),
    })
    .where(eq(schema.products.id, product.id));
}

async function imagesOf(tx: Ctx, product: Product, ids: string[]) {
  const { uploads } = schema;
  const rows = await tx.db.select().from(uploads).where(inArray(uploads.id, ids));
  const known = rows.every((row) => row.productId === product.id) && rows.length === ids.length;
  return known
    ? ids.flatMap((id) => rows.find((row) => row.id === id)?.image ?? [])
    : photosOf(tx, product, ids);
}
