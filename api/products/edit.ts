import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockOwn, lockProduct, type Product } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { isApproved } from '../listings/rules.ts';
import { notifySellersOf } from '../people/notify.ts';
import { countChange } from '../sellers/changes.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { placeOf } from './place.ts';
import type { Edit } from './schema.ts';

export type Edited = { id: string; outcome: 'resubmitted' | 'waiting' };

/**
 * Changes a seller's own product (product R19). A listed one keeps its old version until the
 * review; any other changes at once and goes to review, an ended one as a new listing with its own
 * fee. Refuses `products.notFound`, `uploads.notFound`.
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
    // A change from before the listing ended must not overwrite this one later.
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
    // A product never approved keeps its unpaid listing.
    if (isApproved(product.status)) await openListing(tx, product);
    return { id: productId, outcome: 'resubmitted' };
  });
}

/**
 * Applies a reviewed change or drops it (product R19) and notifies the seller. Refuses
 * `products.changeGone`, `products.changed` if a newer change came since `seen`,
 * `sellers.isSuspended` (product R20).
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
  // They belong to the product now, so that the upload cleanup spares them.
  await tx.db.update(uploads).set({ productId: product.id }).where(inArray(uploads.id, ids));
  return found.map((row) => row.image);
}

/** Writes a change; without `images` the photos stay. The caller has locked the product. */
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
      ...placeOf(changes.sellerLocation),
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
