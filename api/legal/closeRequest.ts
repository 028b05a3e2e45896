import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAdminAccount } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { tooLate } from '../core/meanwhile.ts';
import { inTransaction } from '../core/transaction.ts';

/** Closes a request with what was done. Refuses `conflict` if it is closed or unknown. */
export async function closeRequest(ctx: Ctx, id: number, outcome: string): Promise<{ id: number }> {
  const { userId } = requireAdminAccount(ctx);
  const { dataRequests: r } = schema;
  return inTransaction(ctx, async (tx) => {
    const closed = await tx.db
      .update(r)
      .set({ closedAt: tx.now(), closedBy: userId, outcome })
      .where(and(eq(r.id, id), isNull(r.closedAt)))
      .returning({ id: r.id });
    if (closed.length === 0) throw tooLate(tx, 'requestClosed');
    await audit(tx, { action: 'dataRequest.close', subjectKind: 'report', subjectId: String(id) });
    return { id };
  });
}
