import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import { type Ctx, inChat, userIdOf } from '../core/context.ts';
import { Refusal } from '../shared/errors.ts';

const { alerts: a, chats } = schema;

export type Owner = { userId: string } | { chatId: string };

/** Finds the owner of the alerts: the account, or a chat without one. Refuses `signInRequired`. */
export async function requireOwner(ctx: Ctx): Promise<Owner> {
  const userId = userIdOf(ctx.actor);
  if (userId !== null) return { userId };
  const [chat] = inChat(ctx)
    ? await ctx.db
        .select({ chatId: chats.id })
        .from(chats)
        .where(and(eq(chats.keyHash, ctx.client.addressHash), isNull(chats.userId)))
    : [];
  if (!chat) throw new Refusal('signInRequired');
  return chat;
}

export const ownedBy = (owner: Owner): SQL =>
  'userId' in owner ? eq(a.userId, owner.userId) : eq(a.chatId, owner.chatId);
