import { eq } from 'drizzle-orm';
import { isTransient, schema } from '../../db/client.ts';
import { translator } from '../../locales/index.ts';
import type { Language } from '../../locales/languages.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { Refusal } from '../core/errors.ts';
import { writeMail } from '../core/outbox.ts';
import { inTransaction } from '../core/transaction.ts';
import { enqueue } from '../queue/enqueue.ts';
import { nameIn } from './present.ts';
import { recipientsOf } from './recipients.ts';

export type Approved = { id: string; queueName: 'queue:featured' | 'queue:regular' };

/**
 * Approves a pending product and puts it in its queue, in one transaction (product §4, product R14): when queueing fails, the
 * product is pending as before. The seller is told. Refuses `products.notFound`, `products.notPending` (somebody was faster),
 * `sellers.suspended` (product R20).
 */
export async function approve(ctx: Ctx, productId: string): Promise<Approved> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const product = await lockPending(tx, productId);
    if (product.suspended) throw new Refusal('sellers.suspended');
    const now = tx.now();
    await tx.db.update(schema.products).set({ status: 'approved', approvedAt: now, updatedAt: now }).where(eq(schema.products.id, productId));
    const { queueName } = await queued(tx, productId);
    await audit(tx, {
      action: 'product.approve',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: 'pending' },
      after: { status: 'approved', queueName },
    });
    await tell(tx, productId, 'productApproved', (language) => ({
      lane: translator(language, 'mail')(queueName === 'queue:featured' ? 'lane.featured' : 'lane.regular'),
    }));
    return { id: productId, queueName };
  });
}

/** Rejects a pending product with a reason that the seller is told (product §4). Refuses as {@link approve} does. */
export async function reject(ctx: Ctx, productId: string, reason: string): Promise<{ id: string }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockPending(tx, productId);
    const now = tx.now();
    await tx.db
      .update(schema.products)
      .set({ status: 'rejected', rejectedAt: now, rejectedReason: reason, updatedAt: now })
      .where(eq(schema.products.id, productId));
    await audit(tx, {
      action: 'product.reject',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: 'pending' },
      after: { status: 'rejected', reason },
    });
    await tell(tx, productId, 'productRejected', () => ({ reason }));
    return { id: productId };
  });
}

/** Whatever keeps a product out of its queue is said in the words of product §8; a deadlock is not: it is tried again. */
async function queued(tx: Ctx, productId: string) {
  try {
    return await enqueue(tx, productId);
  } catch (error) {
    if (error instanceof Refusal || isTransient(error)) throw error;
    const refusal = new Refusal('queue.pushFailed');
    refusal.cause = error;
    throw refusal;
  }
}

async function lockPending(tx: Ctx, productId: string): Promise<{ suspended: boolean }> {
  const { products, sellers } = schema;
  const [product] = await tx.db
    .select({ status: products.status, withdrawnAt: products.withdrawnAt, removedAt: products.removedAt, sellerId: products.sellerId })
    .from(products)
    .where(eq(products.id, productId))
    .for('update');
  if (!product || product.removedAt) throw new Refusal('products.notFound');
  if (product.status !== 'pending' || product.withdrawnAt) throw new Refusal('products.notPending');
  if (!product.sellerId) return { suspended: false };
  // Locked in share mode, so that a suspension cannot slip in between this look and the commit.
  const [seller] = await tx.db.select({ suspended: sellers.suspended }).from(sellers).where(eq(sellers.id, product.sellerId)).for('share');
  return { suspended: seller?.suspended ?? false };
}

async function tell(
  tx: Ctx,
  productId: string,
  kind: 'productApproved' | 'productRejected',
  params: (language: Language) => Record<string, string>,
): Promise<void> {
  for (const person of await recipientsOf(tx, [productId])) {
    await writeMail(tx, {
      to: person.email,
      name: person.name,
      language: person.language,
      kind,
      params: { product: nameIn(person.product.name, person.language), ...params(person.language) },
      link: `${tx.services.env.publicUrl}/${person.language}/seller/dashboard`,
      sellerId: person.sellerId,
    });
  }
}
