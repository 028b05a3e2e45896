import { and, asc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { queueNames } from '../../db/vocabularies.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { endOverdue } from '../listings/end.ts';
import { lockLanes } from '../listings/locks.ts';
import { openLog } from '../listings/log.ts';
import type { Lane } from '../listings/rules.ts';
import { startListings } from '../listings/start.ts';
import { isServed } from '../outages/beat.ts';
import { isPremium } from '../shared/slots.ts';
import { assign } from './rules.ts';

/** Result of process-queue (product §7); `availableSlots` are still empty. */
export type Filled = {
  processedCount: number;
  availableSlots: number;
  endedCount: number;
  assigned: { slotId: number; productId: string }[];
};

/**
 * process-queue (product §4, §7; product R3-R5): ends overdue listings and fills empty slots,
 * passing over suspended sellers. The lane locks make it safe to run twice, or in two processes at
 * once. While the market is not served, no listing ends (decision 055).
 */
export async function processQueue(ctx: Ctx): Promise<Filled> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLanes(tx);
    for (const lane of queueNames) await openLog(tx, lane);
    const endedCount = (await isServed(tx)) ? await endOverdue(tx) : 0;
    const filled = await fillEmptySlots(tx);
    if (tx.actor.kind === 'admin')
      await audit(tx, {
        action: 'queue.process',
        subjectKind: 'queue',
        subjectId: null,
        after: { ...filled, endedCount },
      });
    return { ...filled, endedCount };
  });
}

async function fillEmptySlots(tx: Tx): Promise<Omit<Filled, 'endedCount'>> {
  const { slots } = schema;
  const empty = (
    await tx.db
      .select({ id: slots.id })
      .from(slots)
      .where(eq(slots.active, false))
      .orderBy(asc(slots.id))
      .for('update')
  ).map((slot) => slot.id);
  const premium = empty.filter(isPremium).length;
  const waiting = [
    ...(await nextIn(tx, 'queue:featured', premium)),
    ...(await nextIn(tx, 'queue:regular', empty.length - premium)),
  ];
  const starts = assign(empty, waiting);
  await startListings(tx, starts, 'turn');
  return {
    processedCount: starts.length,
    availableSlots: empty.length - starts.length,
    assigned: starts.map(({ slotId, productId }) => ({ slotId, productId })),
  };
}

/** First items of a lane whose sellers are not suspended, locked. */
async function nextIn(tx: Tx, lane: Lane, limit: number) {
  const { queueItems, products, sellers } = schema;
  if (limit === 0) return [];
  return tx.db
    .select({
      productId: queueItems.productId,
      queueName: queueItems.queueName,
      preferredFeaturedSlot: products.preferredFeaturedSlot,
      durationSeconds: sql<
        number | null
      >`coalesce(${queueItems.remainingSeconds}, ${products.durationSeconds})`,
    })
    .from(queueItems)
    .innerJoin(products, eq(products.id, queueItems.productId))
    .leftJoin(sellers, eq(sellers.id, products.sellerId))
    .where(and(eq(queueItems.queueName, lane), sql`${sellers.suspended} is not true`))
    .orderBy(asc(queueItems.band), asc(queueItems.position))
    .limit(limit)
    .for('update', { of: queueItems });
}
