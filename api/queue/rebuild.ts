import { sql } from 'drizzle-orm';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { step } from '../listings/enqueue.ts';
import { lockLane } from '../listings/locks.ts';
import type { Lane } from '../listings/rules.ts';

/**
 * Rebuild (product §4 “deletes the queue's items and re-pushes them in order”; product R13): rewrites the positions of a lane in one
 * transaction, evenly again. Order, bands and `queued_at` stay. Answers how many wait.
 */
export async function rebuildQueue(ctx: Ctx, queueName: Lane): Promise<{ queueName: Lane; count: number }> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockLane(tx, queueName);
    return { queueName, count: await renumber(tx, queueName) };
  });
}

/** Spreads the positions of a locked lane evenly, and says so in the audit log. */
export async function renumber(tx: Ctx, queueName: Lane): Promise<number> {
  // The unique order is checked row by row: everything first goes far below, in its order, then to its new place.
  const below = sql`-4611686018427387904`;
  await tx.db.execute(sql`
    update queue_items as q set position = ${below} + n.number
    from (select id, row_number() over (partition by band order by position) as number from queue_items where queue_name = ${queueName}) as n
    where q.id = n.id`);
  const moved = await tx.db.execute<{ count: number }>(sql`
    with placed as (update queue_items set position = (position - ${below}) * ${sql.raw(String(step))} where queue_name = ${queueName} returning 1)
    select count(*)::int as count from placed`);
  const count = moved[0]?.count ?? 0;
  await audit(tx, { action: 'queue.rebuild', subjectKind: 'queue', subjectId: queueName, after: { count } });
  return count;
}
