import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { enqueue } from '../listings/enqueue.ts';
import { expectWaiting, lockItem, lockProduct, type QueueItem } from '../listings/locks.ts';
import { record, type Spot, step } from '../listings/log.ts';
import { Refusal } from '../shared/errors.ts';
import type { QueueMove } from './schema.ts';

/** Item directly ahead of or behind another, locked; one index step, however long the lane. */
export async function neighbourOf(
  tx: Tx,
  item: Pick<QueueItem, 'queueName' | 'band' | 'position'>,
  side: 'ahead' | 'behind',
): Promise<QueueItem | undefined> {
  const { queueItems: q } = schema;
  const order =
    side === 'ahead' ? [desc(q.band), desc(q.position)] : [asc(q.band), asc(q.position)];
  const beyond =
    side === 'ahead'
      ? sql`(${q.band}, ${q.position}) < (${item.band}, ${item.position})`
      : sql`(${q.band}, ${q.position}) > (${item.band}, ${item.position})`;
  const [neighbour] = await tx.db
    .select()
    .from(q)
    .where(and(eq(q.queueName, item.queueName), beyond))
    .orderBy(...order)
    .limit(1)
    .for('update');
  return neighbour;
}

/** Swaps an item with the one ahead; passing one of band 0 takes it into band 0 (decision 056). */
async function pass(
  tx: Tx,
  item: QueueItem,
  ahead: QueueItem,
  reason: 'up' | 'down',
): Promise<void> {
  // Across bands, the last of band 0 makes room behind itself.
  const behind =
    item.band === ahead.band ? spot(item) : { band: ahead.band, position: ahead.position + step };
  await record(tx, item.queueName, [
    { act: 'move', reason, productId: item.productId, from: spot(item), to: spot(ahead) },
    { act: 'move', reason: 'passed', productId: ahead.productId, from: spot(ahead), to: behind },
  ]);
}

const spot = ({ band, position }: QueueItem): Spot => ({ band, position });

/**
 * Moves a waiting product up, down or to the front (product §4 Queue; product R13, R15). One
 * missing from its queue is put back instead (`synced`). `past` is the neighbour the admin saw, so
 * that two admins move it once. Refuses `queue.notFound`, `queue.alreadyAssigned`,
 * `queue.notWaiting`, `queue.changed`, `queue.atTop`, `queue.atBottom`.
 */
export async function moveInQueue(
  ctx: Ctx,
  productId: string,
  { direction, past }: QueueMove,
): Promise<{ synced: boolean }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const locked = await lockProduct(tx, productId, { missing: 'queue.notFound' });
    const item = await lockItem(tx, productId);
    if (!item) {
      await expectWaiting(tx, locked);
      const { queueName } = await enqueue(tx, productId, 'synced');
      await audit(tx, {
        action: 'queue.sync',
        subjectKind: 'product',
        subjectId: productId,
        before: { queueName: null },
        after: { queueName },
      });
      return { synced: true };
    }
    const passed =
      direction === 'top' ? await toTop(tx, item) : await oneStep(tx, item, direction, past);
    const { queueItems: q } = schema;
    await tx.db
      .update(q)
      .set({ moves: item.moves + 1 })
      .where(eq(q.id, item.id));
    const after = await lockItem(tx, productId);
    await audit(tx, {
      action: 'queue.move',
      subjectKind: 'product',
      subjectId: productId,
      before: { queueName: item.queueName, band: item.band, position: item.position },
      after: { direction, passed: passed.productId, band: after?.band, position: after?.position },
    });
    return { synced: false };
  });
}

async function oneStep(
  tx: Tx,
  item: QueueItem,
  direction: 'up' | 'down',
  past: string | undefined,
): Promise<QueueItem> {
  const neighbour = await neighbourOf(tx, item, direction === 'up' ? 'ahead' : 'behind');
  if (past !== undefined && neighbour?.productId !== past) throw new Refusal('queue.changed');
  if (!neighbour) throw new Refusal(direction === 'up' ? 'queue.atTop' : 'queue.atBottom');
  await (direction === 'up'
    ? pass(tx, item, neighbour, direction)
    : pass(tx, neighbour, item, direction));
  return neighbour;
}

async function toTop(tx: Tx, item: QueueItem): Promise<QueueItem> {
  const { queueItems: q } = schema;
  const [first] = await tx.db
    .select()
    .from(q)
    .where(eq(q.queueName, item.queueName))
    .orderBy(asc(q.band), asc(q.position))
    .limit(1);
  if (!first || first.id === item.id) throw new Refusal('queue.atTop');
  const to = { band: 0, position: first.band === 0 ? first.position - step : step };
  await record(tx, item.queueName, [
    { act: 'move', reason: 'top', productId: item.productId, from: spot(item), to },
  ]);
  return first;
}
