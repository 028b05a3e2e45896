import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { nameIn } from '../products/present.ts';
import { recipientsOf } from '../products/recipients.ts';
import { slotNumber } from '../slots/rules.ts';
import { lockItem, lockProduct, neighbourOf } from './move.ts';

/** What the audit log keeps of a removed product's place, so that it can be given back (see restore). */
export type PlaceBefore = {
  queue: null | {
    queueName: 'queue:featured' | 'queue:regular';
    priority: 0 | 1;
    band: 0 | 1;
    queuedAt: string;
    remainingSeconds: number | null;
    /** The neighbours, by the ids of their items: one that left and came back has another. */
    ahead: number | null;
    behind: number | null;
  };
  listingEndedAt: string | null;
};

/**
 * redis_queue_remove (product §7; product R16): takes a product out of its queue and hides it everywhere at once. Its seller is
 * told; it can be restored for 30 days. The answer says whether it was in its queue. Refuses `queue.notFound` when it is not there or
 * removed already, `queue.alreadyAssigned` when it has got a slot meanwhile: removing it there is another decision.
 */
export async function removeFromQueue(ctx: Ctx, productId: string): Promise<{ id: string; wasQueued: boolean }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { products, queueItems, slots } = schema;
    const { product } = await lockProduct(tx, productId);
    const [slot] = await tx.db.select({ id: slots.id }).from(slots).where(eq(slots.productId, productId));
    if (slot) throw new Refusal('queue.alreadyAssigned', { slot: slotNumber(slot.id) });
    const item = await lockItem(tx, productId);
    const before: PlaceBefore = {
      queue: item
        ? {
            queueName: item.queueName,
            priority: item.priority as 0 | 1,
            band: item.band as 0 | 1,
            queuedAt: item.queuedAt.toISOString(),
            remainingSeconds: item.remainingSeconds,
            ahead: (await neighbourOf(tx, item, 'ahead'))?.id ?? null,
            behind: (await neighbourOf(tx, item, 'behind'))?.id ?? null,
          }
        : null,
      listingEndedAt: product.listingEndedAt?.toISOString() ?? null,
    };
    if (item) await tx.db.delete(queueItems).where(eq(queueItems.id, item.id));
    const now = tx.now();
    const approved = product.status === 'approved' || product.status === 'active';
    await tx.db
      .update(products)
      .set({ removedAt: now, updatedAt: now, ...(approved && !product.listingEndedAt ? { listingEndedAt: now } : {}) })
      .where(eq(products.id, productId));
    await audit(tx, { action: 'queue.remove', subjectKind: 'product', subjectId: productId, before, after: { removedAt: now.toISOString() } });
    await tellSeller(tx, productId, 'productRemoved');
    return { id: productId, wasQueued: item !== undefined };
  });
}

/** Tells a product's seller that it is gone, or back. */
export async function tellSeller(tx: Ctx, productId: string, kind: 'productRemoved' | 'productRestored'): Promise<void> {
  for (const person of await recipientsOf(tx, [productId])) {
    await writeMail(tx, {
      to: person.email,
      name: person.name,
      language: person.language,
      kind,
      params: { product: nameIn(person.product.name, person.language) },
      ...(kind === 'productRestored' ? { link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard` } : {}),
      sellerId: person.sellerId,
    });
  }
}
