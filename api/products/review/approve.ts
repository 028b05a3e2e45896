import { eq } from 'drizzle-orm';
import { isTransient, schema } from '../../../db/client.ts';
import { translator } from '../../../locales/index.ts';
import type { Language } from '../../../locales/languages.ts';
import { requireModerator } from '../../core/access.ts';
import { audit } from '../../core/audit.ts';
import type { Ctx, Tx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { enqueue } from '../../listings/enqueue.ts';
import { requireOpenSeller } from '../../listings/locks.ts';
import { openListing } from '../../listings/open.ts';
import type { Lane } from '../../listings/rules.ts';
import { notifySellersOf } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { nameIn } from '../../shared/format.ts';
import { type MissingField, missingFields } from '../rules.ts';
import { lockPending } from './pending.ts';

export type Approved = { id: string; queueName: Lane };

/**
 * Approves a pending product and queues it in one transaction (product §4, product R14). Refuses
 * `products.notFound`, `products.notPending` (also if another admin was faster),
 * `sellers.isSuspended` (product R20), `sellers.isLeaving`, and `products.incomplete` unless
 * `anyway`.
 */
export async function approve(
  ctx: Ctx,
  productId: string,
  { anyway = false } = {},
): Promise<Approved> {
  requireModerator(ctx);
  return inTransaction(ctx, async (tx) => {
    const locked = await lockPending(tx, productId);
    requireOpenSeller(locked);
    const { product, listing } = locked;
    const missing = missingFields(product);
    if (missing.length > 0 && !anyway)
      throw new Refusal('products.incomplete', { fields: fieldsIn(missing, tx.language) }, [], {
        details: { missing },
      });
    // An imported product may have no listing yet (decision 031).
    if (!listing) await openListing(tx, product);
    const now = tx.now();
    await tx.db
      .update(schema.products)
      .set({ status: 'approved', approvedAt: now, updatedAt: now })
      .where(eq(schema.products.id, productId));
    const { queueName } = await queued(tx, productId);
    await audit(tx, {
      action: 'product.approve',
      subjectKind: 'product',
      subjectId: productId,
      before: { status: 'pending' },
      after: { status: 'approved', queueName },
    });
    await notifySellersOf(
      tx,
      [productId],
      'productApproved',
      ({ name }, language) => ({
        product: nameIn(name, language),
        lane: laneIn(queueName, language),
      }),
      'seller/dashboard',
    );
    return { id: productId, queueName };
  });
}

export const laneIn = (lane: Lane, language: Language): string =>
  translator(language, 'mail')(lane === 'queue:featured' ? 'lane.featured' : 'lane.regular');

/** Any failure becomes `queue.pushFailed` (product §8), except a deadlock, which is retried. */
async function queued(tx: Tx, productId: string) {
  try {
    return await enqueue(tx, productId, 'approved');
  } catch (error) {
    if (error instanceof Refusal || isTransient(error)) throw error;
    const refusal = new Refusal('queue.pushFailed');
    refusal.cause = error;
    throw refusal;
  }
}

const fieldsIn = (missing: readonly MissingField[], language: Language): string =>
  missing.map((field) => translator(language, 'admin')(`integrity.fields.${field}`)).join(', ');
