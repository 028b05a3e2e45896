import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { countChange } from '../sellers/changes.ts';
import { isListed, lockOwn, type OwnProduct, releasePhotos } from './own.ts';
import { nameIn } from './present.ts';
import { recipientsOf } from './recipients.ts';
import { newFee } from './relist.ts';
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
    const product = await lockOwn(tx, productId);
    const now = tx.now();
    if (isListed(product)) {
      await photosOf(tx, product, changes.images);
      const row = { changes: changes as unknown as Record<string, unknown>, submittedAt: now };
      await tx.db
        .insert(schema.productEdits)
        .values({ productId, ...row })
        .onConflictDoUpdate({ target: schema.productEdits.productId, set: row });
      await releasePhotos(tx, productId);
      return { id: productId, outcome: 'waiting' };
    }
    // One that was withdrawn before its review was never listed: what was due for it, or paid, still is.
    const again = product.listingEndedAt !== null;
    await apply(tx, product, changes);
    // A change that waited since before the listing ended must not come back over this one.
    await tx.db.delete(schema.productEdits).where(eq(schema.productEdits.productId, productId));
    await releasePhotos(tx, productId);
    await tx.db
      .update(schema.products)
      .set({
        status: 'pending',
        approvedAt: null,
        rejectedAt: null,
        rejectedReason: null,
        listingEndedAt: null,
        soldAt: null,
        withdrawnAt: null,
        updatedAt: now,
        ...(again ? await newFee(tx, product) : {}),
      })
      .where(eq(schema.products.id, productId));
    return { id: productId, outcome: 'resubmitted' };
  });
}

/**
 * Puts a reviewed change on a product, or drops it (product R19), and tells the seller. Refuses `products.notFound` when no change
 * waits, `products.changed` when the seller has sent another one since `seen`, `sellers.suspended` (product R20).
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
    const { products, productEdits, sellers } = schema;
    const [product] = await tx.db.select().from(products).where(eq(products.id, productId)).for('update');
    const [waiting] = await tx.db.delete(productEdits).where(eq(productEdits.productId, productId)).returning();
    if (!product || product.removedAt || !waiting) throw new Refusal('products.notFound');
    if (seen !== undefined && waiting.submittedAt.toISOString() !== new Date(seen).toISOString()) throw new Refusal('products.changed');
    const changes = waiting.changes as unknown as Edit;
    if (decision === 'approve') {
      const [seller] = product.sellerId
        ? await tx.db.select({ suspended: sellers.suspended }).from(sellers).where(eq(sellers.id, product.sellerId)).for('share')
        : [];
      if (seller?.suspended) throw new Refusal('sellers.suspended');
      await apply(tx, product, changes);
    }
    await releasePhotos(tx, productId);
    await audit(tx, {
      action: `product.edit.${decision}`,
      subjectKind: 'product',
      subjectId: productId,
      before: { name: product.name, price: product.price },
      after: { name: changes.name, price: changes.price, ...(reason ? { reason } : {}) },
    });
    for (const person of await recipientsOf(tx, [productId])) {
      const say = translator(person.language, 'seller');
      const words = { name: nameIn(person.product.name, person.language) };
      const message =
        decision === 'approve'
          ? say('listing.change.approvedText', words)
          : [say('listing.change.rejectedText', words), ...(reason ? [say('listing.hint.rejected', { reason })] : [])].join(' ');
      await writeMail(tx, {
        to: person.email,
        name: person.name,
        language: person.language,
        kind: 'sellerNotification',
        params: { subject: say(`listing.change.${decision === 'approve' ? 'approved' : 'rejected'}Subject`, words), message },
        link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard`,
        sellerId: person.sellerId,
      });
    }
    return { id: productId };
  });
}

/** The photos that a change names, by upload id: the product's own ones, or new ones of the same seller. */
async function photosOf(tx: Ctx, product: OwnProduct, ids: string[]) {
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

async function apply(tx: Ctx, product: OwnProduct, changes: Edit): Promise<void> {
  const { uploads, products } = schema;
  const rows = await tx.db.select().from(uploads).where(inArray(uploads.id, changes.images));
  const known = rows.every((row) => row.productId === product.id) && rows.length === changes.images.length;
  const images = known ? changes.images.flatMap((id) => rows.find((row) => row.id === id)?.image ?? []) : await photosOf(tx, product, changes.images);
  await tx.db
    .update(products)
    .set({
      name: { en: changes.name.en, ...(changes.name.fr ? { fr: changes.name.fr } : {}) },
      description: { en: changes.description.en, ...(changes.description.fr ? { fr: changes.description.fr } : {}) },
      price: changes.price,
      category: changes.category,
      images,
      imagesDeletedAt: null,
      ...splitLocation(changes.sellerLocation),
      sellerLocation: changes.sellerLocation,
      businessName: changes.businessName ?? null,
      sellerName: changes.sellerName,
      sellerWhatsapp: changes.sellerWhatsapp,
      updatedAt: tx.now(),
    })
    .where(eq(products.id, product.id));
}
