import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Tx } from '../../core/context.ts';
import { unlinkChats } from '../../people/chats.ts';
import { endWaysIn } from '../endWaysIn.ts';

/**
 * Makes an account of the team a member's: its sessions, mailed links, chat links, waiting chat news
 * and second factor end; account and password stay.
 */
export async function endTeamWays(tx: Tx, userId: string): Promise<void> {
  const { user, secondFactors, chatLinkCodes, outbox } = schema;
  await tx.db.update(user).set({ role: 'member', updatedAt: tx.now() }).where(eq(user.id, userId));
  await endWaysIn(tx, userId);
  await unlinkChats(tx, userId);
  await tx.db.delete(chatLinkCodes).where(eq(chatLinkCodes.userId, userId));
  await tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  await tx.db
    .delete(outbox)
    .where(
      and(eq(outbox.userId, userId), eq(outbox.kind, 'adminNews'), eq(outbox.state, 'waiting')),
    );
}
