import { and, eq, isNotNull } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { hasSecondFactor } from '../../auth/secondFactor/secondFactor.ts';
import { isTeam, requireAccount } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { inTransaction } from '../../core/transaction.ts';
import { opened } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { networkNames } from '../../shared/networks.ts';

const { chats } = schema;

/**
 * Opens one's own closed chat, from a web session or another linked chat. Refuses `notFound`, also
 * for another's or an open one, and `chats.factorNeeded` to an admin without a second factor.
 */
export async function reopenChat(ctx: Ctx, id: string): Promise<{ opened: true }> {
  const { userId } = requireAccount(ctx);
  if (isTeam(ctx.actor.kind) && !(await hasSecondFactor(ctx, userId)))
    throw new Refusal('chats.factorNeeded');
  return inTransaction(ctx, async (tx) => {
    const [chat] = await tx.db
      .update(chats)
      .set({ ...opened, linkedAt: tx.now() })
      .where(and(eq(chats.id, id), eq(chats.userId, userId), isNotNull(chats.closedAt)))
      .returning({ transport: chats.transport });
    if (!chat) throw new Refusal('notFound');
    await notify(
      tx,
      { userId },
      'chatOpened',
      { channel: networkNames[chat.transport] },
      'account',
    );
    return { opened: true };
  });
}
