import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireSeller } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { requireAgreement } from '../legal/agreement.ts';
import { lockOwn } from '../listings/locks.ts';
import { openListing } from '../listings/open.ts';
import { isApproved } from '../listings/rules.ts';
import { countChange } from '../sellers/changes.ts';
import { releaseUnshown } from '../uploads/release.ts';
import { apply, photosOf } from './applyEdit.ts';
import type { Edit } from './schema.ts';

export type Edited = { id: string; outcome: 'resubmitted' | 'waiting' };

/**
 * Changes a seller's own product (product R19). A listed one keeps its old version until the
 * review; any other changes at once and goes to review, an ended one as a new listing with its own
 * fee. Refuses `products.notFound`, `uploads.notFound`.
 */
export async function edit(ctx: Ctx, productId: string, changes: Edit): Promise<Edited> {
  requireSeller(ctx);
  await requireAgreement(ctx);
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
