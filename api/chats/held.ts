import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import { schema } from '../../db/client.ts';
import type { Reply } from '../core/chatMessages.ts';
import type { Ctx } from '../core/context.ts';
import type { Chat } from '../people/chats.ts';
import { openReply } from './replies.ts';

const { chats, outbox, secondFactors, user } = schema;

/** Takes what was held for a stopped chat, oldest first; it goes out with the next answer. */
export async function takeHeld(ctx: Ctx, chat: Pick<Chat, 'keyHash' | 'transport'>) {
  const rows = await ctx.db
    .delete(outbox)
    .where(and(eq(outbox.recipient, chat.keyHash), eq(outbox.state, 'held')))
    .returning();
  return rows
    .sort((one, other) => one.turn - other.turn)
    .map((row): Reply => openReply(ctx.services.secret, chat, row));
}

/** True if another admin's chat, or another of the same admin, gets unasked messages. */
export async function anotherAdminChat(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  { keyHash }: Pick<Chat, 'keyHash'>,
): Promise<boolean> {
  const [found] = await db
    .select({ id: chats.id })
    .from(chats)
    .innerJoin(user, eq(user.id, chats.userId))
    .innerJoin(secondFactors, eq(secondFactors.userId, user.id))
    .where(
      and(
        eq(user.role, 'admin'),
        ne(chats.keyHash, keyHash),
        isNull(chats.stoppedAt),
        isNull(chats.blockedAt),
        isNull(chats.closedAt),
        inArray(chats.transport, services.env.networks),
      ),
    )
    .limit(1);
  return found !== undefined;
}
