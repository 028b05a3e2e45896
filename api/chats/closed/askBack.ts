import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { schema } from '../../../db/client.ts';
import { isTeam, openToEveryone } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { countAttempt } from '../../core/limits.ts';
import { inTransaction } from '../../core/transaction.ts';
import type { Chat } from '../../people/chats.ts';
import { notify } from '../../people/notify.ts';
import { Refusal } from '../../shared/errors.ts';
import { dayAndTime } from '../../shared/format.ts';
import { networkNames } from '../../shared/networks.ts';
import { back } from '../rules.ts';

const { chats, user } = schema;

/**
 * Asks, from a closed chat, to act for its account again: all other channels of the account are
 * told. `told` is false if there is none; `opensAt` is the end of the wait, null for an admin's
 * chat, which no wait opens. Refuses `notFound` if the chat is not closed, `tooManyRequests`.
 */
export async function askBack(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
): Promise<{ told: boolean; opensAt: Date | null }> {
  openToEveryone(ctx);
  const isClosed = and(eq(chats.keyHash, keyHash), isNotNull(chats.closedAt));
  const [closed] = await ctx.db
    .select({ id: chats.id, userId: user.id, role: user.role, transport: chats.transport })
    .from(chats)
    .innerJoin(user, eq(user.id, chats.userId))
    .where(isClosed);
  if (!closed) throw new Refusal('notFound');
  const { id, userId, role, transport } = closed;
  await countAttempt(ctx, `chat-back:${userId}`, back.asksADay, 86_400, 'tooManyRequests');
  const opensAt = isTeam(role) ? null : new Date(ctx.now().getTime() + back.waitMs);
  return inTransaction(ctx, async (tx) => {
    const told = await notify(
      tx,
      { userId },
      'chatBackAsked',
      (language) => ({
        channel: networkNames[transport],
        ...(opensAt ? { date: dayAndTime(opensAt, language) } : {}),
      }),
      'account',
      id,
    );
    await tx.db
      .update(chats)
      .set({
        backAskedAt: sql`coalesce(${chats.backAskedAt}, ${tx.now().toISOString()})`,
        backNotices: sql`${chats.backNotices} || ${sql.param(told, chats.backNotices)}`,
      })
      .where(isClosed);
    return { told: told.length > 0, opensAt };
  });
}
