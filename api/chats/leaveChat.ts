import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import type { Chat } from '../people/chats.ts';
import { keepWayIn, nobodys } from './unlinked.ts';

const { chats } = schema;

/**
 * Unlinks the current chat. Refuses `chats.onlyWayIn` unless confirmed with `anyway`: a stranger's
 * link must not trap a person in an account.
 */
export async function leaveChat(
  ctx: Ctx,
  { keyHash }: Pick<Chat, 'keyHash'>,
  { anyway = false } = {},
): Promise<void> {
  const { userId } = requireAccount(ctx);
  if (!anyway) await keepWayIn(ctx, userId);
  await ctx.db
    .update(chats)
    .set({ ...nobodys, language: ctx.language })
    .where(and(eq(chats.keyHash, keyHash), eq(chats.userId, userId)));
}
