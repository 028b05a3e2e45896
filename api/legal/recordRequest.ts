import { schema } from '../../db/client.ts';
import { requireAdminAccount } from '../core/access.ts';
import { audit } from '../core/audit.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { Refusal } from '../shared/errors.ts';
import { dayKey } from '../shared/format.ts';
import type { NewRequest } from './schema.ts';

/**
 * Keeps a request about personal data that came by mail or by hand; its clock runs from the day it
 * came. Refuses `validation` for a day to come, or more than a year ago.
 */
export async function recordRequest(
  ctx: Ctx,
  { kind, person, received, note }: NewRequest,
): Promise<{ id: number }> {
  const { userId } = requireAdminAccount(ctx);
  const oldest = new Date(ctx.now().getTime() - 365 * 86_400_000);
  if (received > dayKey(ctx.now()) || received < dayKey(oldest))
    throw new Refusal('validation', {}, [{ path: 'received', code: 'date' }]);
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.db
      .insert(schema.dataRequests)
      .values({
        ...{ kind, person, note, recordedBy: userId },
        receivedAt: new Date(`${received}T00:00:00+01:00`),
      })
      .returning({ id: schema.dataRequests.id });
    const id = row?.id ?? 0;
    await audit(tx, {
      action: 'dataRequest.record',
      subjectKind: 'report',
      subjectId: String(id),
      after: { kind, received },
    });
    return { id };
  });
}
