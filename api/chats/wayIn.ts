import { and, eq, isNull, not, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Ctx } from '../core/context.ts';
import { mailboxOf } from '../people/mailbox.ts';
import { Refusal } from '../shared/errors.ts';

const { chats, user } = schema;

/**
 * Protects the last open chat of an account without email. Refuses `chats.onlyWayIn`.
 * @param leaving the chat that is about to be unlinked
 */
export async function keepWayIn(ctx: Ctx, userId: string, leaving: SQL): Promise<void> {
  // The lock lets only one of two concurrent unlinks pass.
  const [account] = await ctx.db.select().from(user).where(eq(user.id, userId)).for('update');
  if (!account || mailboxOf(account) !== null) return;
  const staying = and(eq(chats.userId, userId), isNull(chats.closedAt), not(leaving));
  if ((await ctx.db.$count(chats, staying)) === 0) throw new Refusal('chats.onlyWayIn');
}
