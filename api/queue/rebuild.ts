import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx, Tx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { lockLane } from '../listings/locks.ts';
import { lineOf, openLog, record } from '../listings/log.ts';
import type { Lane } from '../listings/rules.ts';

/**
 * Rewrites a lane's positions evenly (product §4 “deletes the queue's items and re-pushes them in
 * order”; product R13); order, bands and `queued_at` stay.
 */
export async function rebuildQueue(
  ctx: Ctx,
  queueName: Lane,
): Promise<{ queueName: Lane; count: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLane(tx, queueName);
    return { queueName, count: await renumber(tx, queueName, 'rebuilt') };
  });
}

/** The log's trigger spreads the positions. The caller holds the lane. */
export async function renumber(
  tx: Tx,
  queueName: Lane,
  reason: 'rebuilt' | 'room',
): Promise<number> {
  await openLog(tx, queueName);
  const { line, front } = await lineOf(tx, queueName);
  if (line.length > 0) await record(tx, queueName, [{ act: 'order', reason, line, front }]);
  await audit(tx, {
    action: 'queue.rebuild',
    subjectKind: 'queue',
    subjectId: queueName,
    after: { count: line.length },
  });
  return line.length;
}
