import { and, asc, eq, gt, or } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { onceInTransaction } from '../core/idempotency.ts';
import { tooLate } from '../core/meanwhile.ts';
import type { Seat } from '../listings/enqueue.ts';
import { lockProduct, type QueueItem } from '../listings/locks.ts';
import { step } from '../listings/log.ts';
import { reopenListing } from '../listings/requeue.ts';
import { laneOf } from '../listings/rules.ts';
import { notifySellersOf } from '../people/notify.ts';
import { Refusal } from '../shared/errors.ts';
import { nameIn } from '../shared/format.ts';
import { keptMs } from '../shared/retention/periods.ts';
import { neighbourOf } from './move.ts';
import { renumber } from './rebuild.ts';

/** Milliseconds (product R16). */
export const restorableMs = keptMs('removedProducts');

/**
 * Restores a removed product, and its old place in the queue (product R16). Refuses
 * `queue.notFound`, `queue.notRestorable` (not removed, or over 30 days ago), `sellers.isLeaving`.
 */
export async function restoreProduct(
  ctx: Ctx,
  productId: string,
  key?: string,
): Promise<{ id: string; queued: boolean }> {
  requireAdmin(ctx);
  return onceInTransaction(ctx, key, { restore: productId }, async (tx) => {
    const { products } = schema;
    const { product, listing, leaving } = await lockProduct(tx, productId, {
      removed: true,
      missing: 'queue.notFound',
    });
    if (leaving) throw new Refusal('sellers.isLeaving');
    const now = tx.now();
    if (!product.removedAt || now.getTime() - product.removedAt.getTime() >= restorableMs)
      throw new Refusal('queue.notRestorable');
    const removed = product.removedAt.toISOString();
    const place = listing?.removedPlace;
    await tx.db
      .update(products)
      .set({ removedAt: null, updatedAt: now })
      .where(eq(products.id, productId));
    if (listing && place) {
      const old = place.queue?.queueName === laneOf(product.listingType) ? place.queue : null;
      await reopenListing(tx, listing, old ? await seatOf(tx, old) : undefined);
    }
    const queued = Boolean(place);
    await audit(tx, {
      action: 'queue.restore',
      subjectKind: 'product',
      subjectId: productId,
      before: { removedAt: removed },
      after: { queued },
    });
    await notifySellersOf(
      tx,
      [productId],
      'productRestored',
      ({ name }, language) => ({ product: nameIn(name, language) }),
      'seller/dashboard',
    );
    return { id: productId, queued };
  });
}

type Old = NonNullable<schema.RemovedPlace['queue']>;

const seatOf = async (tx: Tx, old: Old): Promise<Seat> => {
  const position = await positionOf(tx, old);
  const { priority, band, queuedAt, remainingSeconds } = old;
  return {
    priority,
    band,
    queuedAt: new Date(queuedAt),
    remainingSeconds,
    ...(position === undefined ? {} : { position }),
  };
};

/** Position by the old neighbours, else by `queued_at`; undefined means the band's end. */
async function positionOf(tx: Tx, old: Old): Promise<number | undefined> {
  const stayed = await unmoved(tx, old);
  const behind =
    stayed.find((item) => item.id === old.behind?.id) ??
    (stayed.length === 0 ? await firstQueuedLater(tx, old) : undefined);
  if (behind) return between(tx, behind, 'ahead');
  return stayed[0] && between(tx, stayed[0], 'behind');
}

/** Old neighbours still in the same band that no admin has moved since. */
async function unmoved(tx: Tx, old: Old): Promise<QueueItem[]> {
  const { queueItems: q } = schema;
  const beside = [old.ahead, old.behind].filter((item) => item !== null);
  if (beside.length === 0) return [];
  return tx.db
    .select()
    .from(q)
    .where(
      and(
        or(...beside.map(({ id, moves }) => and(eq(q.id, id), eq(q.moves, moves)))),
        eq(q.queueName, old.queueName),
        eq(q.band, old.band),
      ),
    );
}

async function firstQueuedLater(tx: Tx, old: Old): Promise<QueueItem | undefined> {
  const { queueItems: q } = schema;
  const [item] = await tx.db
    .select()
    .from(q)
    .where(
      and(
        eq(q.queueName, old.queueName),
        eq(q.band, old.band),
        gt(q.queuedAt, new Date(old.queuedAt)),
      ),
    )
    .orderBy(asc(q.position))
    .limit(1);
  return item;
}

/** Free position beside an item; without room, the lane is spread first. */
async function between(tx: Tx, item: QueueItem, side: 'ahead' | 'behind'): Promise<number> {
  const { queueItems: q } = schema;
  for (let at = item; ; ) {
    const next = await neighbourOf(tx, at, side);
    const far =
      next?.band === at.band
        ? next.position
        : at.position + (side === 'ahead' ? -2 * step : 2 * step);
    const middle = Math.floor((at.position + far) / 2);
    if (middle !== at.position && middle !== far) return middle;
    await renumber(tx, item.queueName, 'room');
    const [again] = await tx.db.select().from(q).where(eq(q.id, item.id));
    if (!again) throw tooLate(tx, 'changed');
    at = again;
  }
}
