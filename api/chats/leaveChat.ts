import { and, eq } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { requireAccount } from '../core/access.ts';
import type { Ctx } from '../core/context.ts';
import { type Chat, unlinked } from '../people/chats.ts';
import { keepWayIn } from './wayIn.ts';

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
  if (!anyway) await keepWayIn(ctx, userId, eq(chats.keyHash, keyHash));
  await ctx.db
    .update(chats)
    .set({ ...unlinked, language: ctx.language })
    .where(and(eq(chats.keyHash, keyHash), eq(chats.userId, userId)));
}
