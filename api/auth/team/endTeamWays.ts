import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import type { Tx } from '../../core/context.ts';
import { unlinkChats } from '../../people/chats.ts';
import { endWaysIn } from '../endWaysIn.ts';

/** Ends an account's sessions, mailed links, linked chats and their codes. */
export async function endEveryWay(tx: Tx, userId: string): Promise<void> {
  const { chatLinkCodes } = schema;
  await endWaysIn(tx, userId);
  await unlinkChats(tx, userId);
  await tx.db.delete(chatLinkCodes).where(eq(chatLinkCodes.userId, userId));
}

/**
 * Makes an account of the team a member's: every way in, its second factor and waiting chat news
 * end; account and password stay.
 */
export async function endTeamWays(tx: Tx, userId: string): Promise<void> {
  const { user, secondFactors, outbox } = schema;
  await tx.db.update(user).set({ role: 'member', updatedAt: tx.now() }).where(eq(user.id, userId));
  await endEveryWay(tx, userId);
  await tx.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
  await tx.db
    .delete(outbox)
    .where(
      and(eq(outbox.userId, userId), eq(outbox.kind, 'adminNews'), eq(outbox.state, 'waiting')),
    );
}
