import { eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdmin } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import { type Ctx, userIdOf } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';
import { giveBack } from '../listings/giveBack.ts';
import { lockLanes } from '../listings/locks.ts';
import { Refusal } from '../shared/errors.ts';
import { split } from './rules.ts';

export type Decided = { id: number; decision: 'given' | 'declined'; listings: number };

/**
 * Gives back or declines an outage's time beyond seven days (decision 055); until then none of its
 * listings ends. Refuses `notFound`, and `conflict` if already decided.
 */
export async function decideOutage(ctx: Ctx, id: number, giveItBack: boolean): Promise<Decided> {
  requireAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const { outages } = schema;
    await lockLanes(tx);
    const [outage] = await tx.db.select().from(outages).where(eq(outages.id, id)).for('update');
    if (!outage?.decision) throw new Refusal('notFound');
    if (outage.decision !== 'waiting') throw tooLate(tx, 'changed');
    const owed = outage.shares
      .map((share) => ({ ...share, seconds: split(share.seconds).rest }))
      .filter(({ seconds }) => seconds > 0);
    const given = giveItBack ? await giveBack(tx, owed) : [];
    const decision = giveItBack ? 'given' : 'declined';
    await tx.db
      .update(outages)
      .set({ decision, decidedAt: tx.now(), decidedBy: userIdOf(tx.actor) })
      .where(eq(outages.id, id));
    await audit(tx, {
      action: 'outage.decide',
      subjectKind: 'outage',
      subjectId: String(id),
      before: { restSeconds: outage.restSeconds },
      after: { givenBack: giveItBack, slots: given.map(({ slotId }) => slotId) },
    });
    return { id, decision, listings: given.length };
  });
}
