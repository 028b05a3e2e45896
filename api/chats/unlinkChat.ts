import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { inTransaction } from '../core/transaction.ts';
import { unlinked } from '../people/chats.ts';
import { Refusal } from '../shared/errors.ts';
import { keepWayIn } from './wayIn.ts';

const { chats } = schema;

/** Unlinks one's own chat. Refuses `notFound`, also for another's, and `chats.onlyWayIn`. */
export async function unlinkChat(ctx: Ctx, id: string): Promise<{ unlinked: true }> {
  const { userId } = requireAccount(ctx);
  return inTransaction(ctx, async (tx) => {
    const gone = and(eq(chats.id, id), eq(chats.userId, userId));
    if ((await tx.db.$count(chats, gone)) === 0) throw new Refusal('notFound');
    await keepWayIn(tx, userId, eq(chats.id, id));
    await tx.db
      .update(chats)
      .set({ ...unlinked, language: tx.language })
      .where(gone);
    return { unlinked: true };
  });
}
